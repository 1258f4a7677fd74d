"""Playgroups: their people, their results counted, and the pages made of them."""
