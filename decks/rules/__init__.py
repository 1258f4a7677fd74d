"""The rules of decks, as plain Python: no Django, no clock, no database."""
