"""What the walls hold: every address, whoever asks, and however."""
