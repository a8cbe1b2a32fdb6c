"""The plot of docs/performance.md: bars for what was compared, drawn as SVG."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from msgspec import Struct

from benchmarks.report import Group, Results, Unit, figure

OURS = "Commonroom"
PANELS = {
    "json_views": "JSON: requests for a second of processor time; longer is better",
    "pages": "HTML: pages for a second of processor time; longer is better",
    "dynamodb": "DynamoDB: processor time of the client for a call; shorter is better",
}
"""The benchmarks that are drawn, in this order."""

WIDTH, MARGIN = 760, 24
BARS_FROM, BARS_TO = 216, 640
"""Names of sides stand before the bars, their figures behind."""
TITLE, NAME, BAR, GAP = 40, 22, 20, 10
"""How high each is."""

STYLE = """
text { font: 13px system-ui, sans-serif; fill: #2b2420 }
.title { font-weight: 600; font-size: 15px }
.side { fill: #655a50; text-anchor: end }
.ground { fill: #fffdf8; stroke: #e5dac8 }
.ours { fill: #24574a }
.theirs { fill: #c9b79c }
@media (prefers-color-scheme: dark) {
  text { fill: #f2eadf }
  .side { fill: #bcb0a1 }
  .ground { fill: #191613; stroke: #3b342c }
  .ours { fill: #93cbb0 }
  .theirs { fill: #6b5f50 }
}
"""


class Bars(Struct, frozen=True):
    """What was measured of one thing: a figure for each side, ours first."""

    name: str
    unit: Unit
    sides: dict[str, float]


def draw_plot(results: Results) -> str:
    """The whole picture; each thing to a scale of its own, because only its sides compare."""
    groups = {group.key: group for group in results.groups}
    lines: list[str] = []
    top = MARGIN
    for key, title in PANELS.items():
        if key in groups:
            lines += _panel(title, groups[key], top)
            top += _height(groups[key])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top}" '
        f'width="{WIDTH}" height="{top}" role="img">\n'
        f"<title>What Commonroom was measured against, on {results.taken_on}</title>\n"
        f"<style>{STYLE}</style>\n"
        f'<rect class="ground" x="0.5" y="0.5" width="{WIDTH - 1}" height="{top - 1}" rx="8"/>\n'
        + "".join(f"{line}\n" for line in lines)
        + "</svg>\n"
    )


def bars_of(group: Group) -> list[Bars]:
    """The rows of a benchmark, those of one thing together."""
    found: dict[str, Bars] = {}
    for row in group.rows:
        bars = found.setdefault(row.name, Bars(row.name, row.unit, {OURS: row.ours}))
        bars.sides[row.against] = row.theirs
    return list(found.values())


def _height(group: Group) -> int:
    return TITLE + sum(NAME + BAR * len(one.sides) + GAP for one in bars_of(group)) + GAP


def _panel(title: str, group: Group, top: int) -> Iterator[str]:
    yield f'<text class="title" x="{MARGIN}" y="{top + 14}">{escape(title)}</text>'
    top += TITLE
    for bars in bars_of(group):
        yield f'<text x="{MARGIN}" y="{top + 9}">{escape(bars.name)}</text>'
        top += NAME
        longest = max(bars.sides.values())
        for side, value in bars.sides.items():
            yield from _bar(side, value, longest, bars.unit, top)
            top += BAR
        top += GAP


def _bar(side: str, value: float, longest: float, unit: Unit, top: int) -> Iterator[str]:
    width = max(1, round((BARS_TO - BARS_FROM) * value / longest))
    kind, middle = "ours" if side == OURS else "theirs", top + 8
    yield f'<text class="side" x="{BARS_FROM - 10}" y="{middle + 4}">{escape(side)}</text>'
    yield (
        f'<rect class="{kind}" x="{BARS_FROM}" y="{top + 1}" width="{width}" height="14" rx="2"/>'
    )
    text = escape(figure(value, unit))
    yield f'<text x="{BARS_FROM + width + 8}" y="{middle + 4}">{text}</text>'
