"""Judging deck lists, and whether single cards may be in a deck."""
