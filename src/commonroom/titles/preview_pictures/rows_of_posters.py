"""The picture of a link to several titles: what they are together, and their drawings in a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from commonroom.titles.posters import Drawing
from commonroom.titles.preview_pictures import MARGIN, SIZE

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

MAX_POSTERS = 5
GAP = 30
BACKGROUND = (26, 49, 44)
"""Where there is nothing to be drawn whose colours it could have."""


class PosterRow(Struct, frozen=True):
    """What the picture shows."""

    title: str
    below: str
    """A line of facts."""
    drawings: tuple[Drawing, ...] = ()

    def draw(self) -> bytes:
        """Returns the picture as PNG."""
        from commonroom.titles.preview_pictures import (
            drawn_posters as drawn,  # only sharing needs it
        )

        shown = self.drawings[:MAX_POSTERS]
        picture, draw = drawn.begin_preview(drawn.palette(shown[0]).ink if shown else BACKGROUND)
        width = (SIZE[0] - 2 * MARGIN - (MAX_POSTERS - 1) * GAP) // MAX_POSTERS
        top = SIZE[1] - MARGIN - width * 3 // 2
        for number, one in enumerate(shown):
            left = MARGIN + number * (width + GAP)
            picture.paste(drawn.draw_poster(one, width), (left, top))
        self._write(draw, top if shown else SIZE[1] - MARGIN)
        return drawn.as_png(picture)

    def _write(self, draw: ImageDraw, foot: int) -> None:
        """The words above the row: as large as they fit on two lines."""
        from commonroom.titles.preview_pictures import drawn_posters as drawn

        letters, small = drawn.font(68 if len(self.title) <= 48 else 52), drawn.font(30)
        lines = drawn.wrap(self.title, letters, SIZE[0] - 2 * MARGIN, 2)
        drawn.write_lines(draw, (MARGIN, MARGIN - 12.0), lines, letters)
        accent = drawn.palette(self.drawings[0]).accent if self.drawings else drawn.PAPER
        bottom = foot - 28
        right = SIZE[0] - MARGIN
        room = right - MARGIN - small.getlength("Commonroom") - GAP
        below = drawn.wrap(self.below, small, room, 1)
        draw.text((MARGIN, bottom), "".join(below), font=small, fill=accent, anchor="ls")
        draw.text((right, bottom), "Commonroom", font=small, fill=drawn.PAPER, anchor="rs")
