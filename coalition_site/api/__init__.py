"""The API to read: JSON for programs, of what the pages show. It changes nothing."""
