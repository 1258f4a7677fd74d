"""What the pages of a playgroup show, as typed contexts."""
