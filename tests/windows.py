"""Limits count anew at a full hour, which may come during a test: a window for tests of them."""

ENDLESS = 10**10  # seconds: longer than the time since 1970, so that no window ends
