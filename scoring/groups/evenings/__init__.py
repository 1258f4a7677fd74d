"""Evenings: who is there, rounds paired and begun, standings over all tables."""
