"""Numbers with their units."""

from __future__ import annotations

UNITS = ("bytes", "kB", "MB", "GB")
SPANS = ((86_400, "day"), (3600, "hour"), (60, "minute"))


def size(count: float) -> str:
    """Return a number of bytes.

    >>> size(0), size(999), size(1234), size(56_789_000), size(3_210_000_000_000)
    ('0 bytes', '999 bytes', '1.2 kB', '57 MB', '3,210 GB')
    """
    for unit in UNITS:
        if count < 1000 or unit == UNITS[-1]:
            break
        count /= 1000
    is_exact = unit == UNITS[0] or count >= 10
    return f"{count:,.0f} {unit}" if is_exact else f"{count:.1f} {unit}"


def span(seconds: float) -> str:
    """Return a time in its largest unit.

    >>> span(0.42), span(1), span(59.9), span(60), span(7200), span(200_000)
    ('0.4 seconds', '1 second', '59 seconds', '1 minute', '2 hours', '2 days')
    """
    if seconds < 1:
        return f"{seconds:.1f} seconds"
    for length, unit in SPANS:
        if seconds >= length:
            return amount(int(seconds // length), unit)
    return amount(int(seconds), "second")


def amount(count: int, unit: str, units: str = "") -> str:
    """Return a number of things.

    >>> amount(1, "set"), amount(1200, "set"), amount(2, "delivery", "deliveries")
    ('1 set', '1,200 sets', '2 deliveries')
    """
    return f"{count:,} {unit if count == 1 else units or unit + 's'}"


def milliseconds(count: float) -> str:
    """Return a short time.

    >>> milliseconds(0.42), milliseconds(9.96), milliseconds(1500.4)
    ('0.4 ms', '10.0 ms', '1,500 ms')
    """
    return f"{count:.1f} ms" if count < 10 else f"{count:,.0f} ms"
