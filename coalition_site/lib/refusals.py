from collections.abc import Mapping


class Refused(Exception):
    """Something that somebody requested can't be done, and nothing has changed.

    The message says why, and what to do instead. ``code`` is stable for tests and callers.
    """

    code = "refused"

    def message(self, names: Mapping[int, str]) -> str:
        """Return the message; ``names`` maps seat numbers to names, for refusals of the rules."""
        return str(self)
