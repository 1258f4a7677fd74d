"""Refusals of requests about playgroups."""


class GroupRefused(ValueError):
    """A request about a playgroup is refused; the message says why, and what to do.

    Nothing has changed.
    """
