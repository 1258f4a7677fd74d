"""The site: its settings, addresses and middleware, and how it is served."""

VERSION = "0.1.0"
