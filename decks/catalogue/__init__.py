"""The card catalogue: importing it from card files, and its affiliations."""
