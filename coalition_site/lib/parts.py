"""Parts of pages that depend on few values only: they are drawn once, for every such page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from django.conf import settings
from django.template import loader

PARTS_MAX = 4096  # of about 2 kB each
LONGEST = 8_000  # characters of a drawing that is stored: rows may have long notes

_drawings: dict[Part, str] = {}


@dataclass(frozen=True)
class Part:
    """A part of a page, which draws itself where a template puts it between braces.

    Its template gets the fields as ``part`` and nothing else, neither the page nor the request, so
    parts with equal fields look alike at every table. The fields must be hashable.
    """

    template: ClassVar[str]
    longest: ClassVar[int] = LONGEST

    @property
    def is_stored(self) -> bool:
        """Whether the drawing may be stored; not where fields are whatever somebody typed."""
        return not settings.DEBUG  # where templates change

    def __html__(self) -> str:
        drawing = _drawings.get(self)  # nothing that may not be stored is there
        if drawing is None:
            drawing = draw(self)
            if self.is_stored and len(drawing) <= self.longest:
                _store(self, drawing)
        return drawing


def draw(part: Part) -> str:
    """Draw a part by its template."""
    return loader.get_template(part.template).render({"part": part})


def _store(part: Part, drawing: str) -> None:
    """Store a drawing. If there is no room, drop all: what is in use is soon there again."""
    if len(_drawings) >= PARTS_MAX:
        _drawings.clear()
    _drawings[part] = drawing
