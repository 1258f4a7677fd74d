"""The engine of DATABASES for PostgreSQL."""
