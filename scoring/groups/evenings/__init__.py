"""Evenings: who is there, rounds drawn and begun, standings over all tables."""
