"""The site: its settings, addresses and middleware, and how it is served."""
