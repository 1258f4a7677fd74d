"""The rules of decks and their lists, as plain Python: no Django, no clock, no database."""
