"""Refusals of what people want of a playgroup."""


class GroupRefused(ValueError):
    """Something can't be done with a playgroup; the message says why and what to do instead.

    Nothing has changed.
    """
