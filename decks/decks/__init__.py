"""Decks: checked, saved, built and compared, and their pages."""
