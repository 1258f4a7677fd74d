"""Parts of pages that depend on few values only: they are rendered once, for every such page."""

from dataclasses import dataclass
from typing import ClassVar

from django.conf import settings
from django.template import loader

PARTS_MAX = 4096  # of about 2 kB each
LONGEST = 8_000  # characters of a rendering that is stored: rows may have long notes


@dataclass(frozen=True)
class Part:
    """A part of a page, which renders itself where a template puts it between braces.

    Its template gets the fields as ``part`` and nothing else, neither the page nor the request, so
    parts with equal fields look alike at every table. The fields must be hashable.
    """

    template: ClassVar[str]

    @property
    def is_stored(self) -> bool:
        """Whether the rendering may be stored; not where fields are whatever somebody typed."""
        return not settings.DEBUG  # where templates change

    def __html__(self) -> str:
        rendered = _renderings.get(self)  # nothing that may not be stored is there
        if rendered is None:
            rendered = loader.get_template(self.template).render({"part": self})
            if self.is_stored and len(rendered) <= LONGEST:
                if len(_renderings) >= PARTS_MAX:
                    _renderings.clear()  # what is in use is soon there again
                _renderings[self] = rendered
        return rendered


_renderings: dict[Part, str] = {}
