"""Where Chromium is, and how it is started."""

import shutil

# The shell draws no window of its own: a new page in a quarter of the time.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")

# As root in a closed network it needs all of these.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def find_chromium() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)
