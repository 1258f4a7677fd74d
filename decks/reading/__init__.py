"""Deck lists of all tools, read and written, as plain Python."""
