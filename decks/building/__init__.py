"""Changing a deck card by card: lists as builds, and the taps that change them."""
