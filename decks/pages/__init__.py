"""What the pages of decks show, as typed contexts."""
