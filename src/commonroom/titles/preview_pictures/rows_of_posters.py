"""The picture of a link to several titles: what they are together, and their drawings in a row."""

from __future__ import annotations

from io import BytesIO
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
        from PIL import Image, ImageDraw  # only sharing needs it

        from commonroom.titles.preview_pictures.drawn_posters import draw_poster, palette

        shown = self.drawings[:MAX_POSTERS]
        ink = palette(shown[0]).ink if shown else BACKGROUND
        red, green, blue = (part * 3 // 4 for part in ink)
        picture = Image.new("RGB", SIZE, (red, green, blue))
        width = (SIZE[0] - 2 * MARGIN - (MAX_POSTERS - 1) * GAP) // MAX_POSTERS
        top = SIZE[1] - MARGIN - width * 3 // 2
        for number, one in enumerate(shown):
            picture.paste(draw_poster(one, width), (MARGIN + number * (width + GAP), top))
        self._write(ImageDraw.Draw(picture), top if shown else SIZE[1] - MARGIN)
        file = BytesIO()
        picture.save(file, "PNG", optimize=True)
        return file.getvalue()

    def _write(self, draw: ImageDraw, foot: int) -> None:
        """The words above the row: as large as they fit on two lines."""
        from commonroom.titles.preview_pictures.drawn_posters import PAPER, font, palette, wrap

        letters = font(68 if len(self.title) <= 48 else 52)
        top = MARGIN - 12.0
        for line in wrap(self.title, letters, SIZE[0] - 2 * MARGIN, 2):
            draw.text((MARGIN, top), line, font=letters, fill=PAPER)
            top += letters.size * 1.15
        accent = palette(self.drawings[0]).accent if self.drawings else PAPER
        bottom = foot - 28
        right = SIZE[0] - MARGIN
        room = right - MARGIN - font(30).getlength("Commonroom") - GAP
        below = wrap(self.below, font(30), room, 1)
        draw.text((MARGIN, bottom), "".join(below), font=font(30), fill=accent, anchor="ls")
        draw.text((right, bottom), "Commonroom", font=font(30), fill=PAPER, anchor="rs")
