"""The site: its settings, addresses and middleware, and how it is served."""

VERSION = "1.0.0"
