from datetime import date

from django.utils import dateformat


def day(on: date) -> str:
    """
    >>> day(date(2026, 3, 9))
    '9 March 2026'
    """
    return dateformat.format(on, "j F Y")
