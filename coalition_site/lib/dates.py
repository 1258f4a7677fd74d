from datetime import date

from django.utils import dateformat

FIRST_DAY, LAST_DAY = date(1990, 1, 1), date(2100, 12, 31)  # nothing was played before


def day(on: date) -> str:
    """
    >>> day(date(2026, 3, 9))
    '9 March 2026'
    """
    return dateformat.format(on, "j F Y")
