"""Refusals of requests about playgroups."""

from coalition_site.lib.refusals import Refused


class GroupRefused(Refused):
    """A request about a playgroup is refused; nothing has changed."""
