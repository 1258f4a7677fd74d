"""Lines over logarithmic axes as an SVG, side by side; readable on light and dark pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor, isfinite, log10
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 320, 320  # of a panel, in pixels
LEFT, RIGHT, TOP, BOTTOM = 52, 20, 34, 92  # around its lines
LEGEND = 16  # pixels from one line's name to the next
# Hues that the colour-blind tell apart, after Okabe and Ito; lighter ones where the page is dark.
STYLE = """
text { font: 12px system-ui, sans-serif; fill: #222; }
.title { font-weight: 600; font-size: 14px; }
.grid { stroke: #ccc; } .limit { stroke: #222; stroke-dasharray: 2 3; }
.line { fill: none; stroke-width: 2; } .thin { stroke-width: 1.2; stroke-dasharray: 5 3; }
.a { stroke: #0072b2; } .b { stroke: #b34700; } .c { stroke: #007a5a; }
@media (prefers-color-scheme: dark) {
  text { fill: #eee; } .grid { stroke: #555; } .limit { stroke: #eee; }
  .a { stroke: #56b4e9; } .b { stroke: #ff9f40; } .c { stroke: #3ddbb0; }
}
"""


@dataclass(frozen=True)
class Line:
    """A line by its points; ``css`` are classes of the style: a, b or c, and thin."""

    name: str
    points: Sequence[tuple[float, float]]
    css: str


@dataclass(frozen=True)
class Panel:
    """Lines over axes of their own; ``limit`` is a height to mark."""

    title: str
    across: str
    up: str
    lines: Sequence[Line]
    limit: float | None = None


@dataclass(frozen=True)
class Axis:
    """Powers of ten, ``low`` to ``high``, laid out from pixel ``start`` to ``end``."""

    low: int
    high: int
    start: float
    end: float

    @classmethod
    def around(cls, values: Iterable[float], start: float, end: float) -> Axis:
        """Return the axis on which all values have their place."""
        logs = [log10(value) for value in values]
        low = floor(min(logs))
        return cls(low, max(ceil(max(logs)), low + 1), start, end)

    def place(self, value: float) -> float:
        """Return the pixel of a value.

        >>> Axis(0, 2, 100, 300).place(10)
        200.0
        """
        share = (log10(value) - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)

    @property
    def ticks(self) -> list[float]:
        return [10.0**power for power in range(self.low, self.high + 1)]


def draw(title: str, panels: Sequence[Panel]) -> str:
    """Return the picture."""
    width = WIDTH * len(panels)
    drawn = [
        f'<g transform="translate({WIDTH * number} 0)">{_panel(panel)}</g>'
        for number, panel in enumerate(panels)
    ]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {HEIGHT}" role="img"'
    return "\n".join(
        [f'{head} aria-label="{escape(title)}">', f"<style>{STYLE}</style>", *drawn, "</svg>\n"]
    )


def _panel(panel: Panel) -> str:
    points = [point for line in panel.lines for point in _drawable(line)]
    across = Axis.around([x for x, _ in points], LEFT, WIDTH - RIGHT)
    up = Axis.around([y for _, y in points], HEIGHT - BOTTOM, TOP)
    parts = [_text(panel.title, LEFT, 18, css="title"), *_grid(across, up)]
    parts.append(_text(panel.across, WIDTH - RIGHT, HEIGHT - BOTTOM + 32, "end"))
    parts.append(_text(panel.up, LEFT, 31))
    if panel.limit:
        y = up.place(panel.limit)
        parts.append(f'<path class="limit" d="M{LEFT} {y}H{WIDTH - RIGHT}"/>')
    for number, line in enumerate(panel.lines):
        corners = " ".join(f"{across.place(x)},{up.place(y)}" for x, y in _drawable(line))
        parts.append(f'<polyline class="line {line.css}" points="{corners}"/>')
        parts += _legend(number, line)
    return "\n".join(parts)


def _drawable(line: Line) -> list[tuple[float, float]]:
    """Return the points that have a place: what took for ever has none."""
    return [(x, y) for x, y in line.points if isfinite(y) and min(x, y) > 0]


def _grid(across: Axis, up: Axis) -> list[str]:
    parts = []
    for value in across.ticks:
        x = across.place(value)
        parts.append(f'<path class="grid" d="M{x} {up.end}V{up.start}"/>')
        parts.append(_text(f"{value:,g}", x, up.start + 16, "middle"))
    for value in up.ticks:
        y = up.place(value)
        parts.append(f'<path class="grid" d="M{across.start} {y}H{across.end}"/>')
        parts.append(_text(f"{value:,g}", across.start - 6, y + 4, "end"))
    return parts


def _legend(number: int, line: Line) -> list[str]:
    column, row = divmod(number, 3)
    x, y = LEFT + column * 128, HEIGHT - 42 + row * LEGEND
    sample = f'<path class="line {line.css}" d="M{x} {y - 4}h22"/>'
    return [sample, _text(line.name, x + 28, y)]


def _text(text: str, x: float, y: float, anchor: str = "start", css: str = "") -> str:
    shown = f' class="{css}"' if css else ""
    return f'<text{shown} x="{x}" y="{y}" text-anchor="{anchor}">{escape(text)}</text>'
