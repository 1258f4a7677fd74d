"""What the pages of decks show."""
