"""The rules of the games, as plain Python: no Django, no clock, no chance, no database."""
