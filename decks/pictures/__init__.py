"""Pictures of cards: where they are, and a cache of the site's own."""
