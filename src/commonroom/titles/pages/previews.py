"""The picture of a link to a title: its drawing, what it is called, and when it came out."""

from __future__ import annotations

from io import BytesIO

from msgspec import Struct

from commonroom.titles.posters import Drawing
from commonroom.titles.preview_pictures import MARGIN, SIZE
from commonroom.titles.views import TitleCard


class TitlePicture(Struct, frozen=True):
    """What the picture shows."""

    drawing: Drawing
    below: str
    """A line of facts."""
    overview: str

    def draw(self) -> bytes:
        """Returns the picture as PNG."""
        from PIL import Image, ImageDraw  # only sharing needs it

        from commonroom.titles.preview_pictures.drawn_posters import (
            PAPER,
            draw_poster,
            font,
            palette,
            wrap,
        )

        colours = palette(self.drawing)
        red, green, blue = (part * 3 // 4 for part in colours.ink)
        picture = Image.new("RGB", SIZE, (red, green, blue))
        high = SIZE[1] - 2 * MARGIN
        poster = draw_poster(self.drawing, high * 2 // 3)
        picture.paste(poster, (MARGIN, MARGIN))
        draw = ImageDraw.Draw(picture)
        left = 2 * MARGIN + poster.width
        letters = font(76 if len(self.drawing.title) < 40 else 56)
        lines = wrap(self.drawing.title, letters, SIZE[0] - left - MARGIN, 4)
        top = MARGIN + 20.0
        for line in lines:
            draw.text((left, top), line, font=letters, fill=PAPER)
            top += letters.size * 1.15
        draw.text((left, top + 16), self.below, font=font(32), fill=colours.accent)
        for number, line in enumerate(wrap(self.overview, font(30), SIZE[0] - left - MARGIN, 4)):
            draw.text((left, top + 84 + number * 42), line, font=font(30), fill=PAPER)
        draw.text((left, SIZE[1] - MARGIN - 40), "Commonroom", font=font(30), fill=PAPER)
        file = BytesIO()
        picture.save(file, "PNG", optimize=True)
        return file.getvalue()


def title_picture(card: TitleCard) -> TitlePicture:
    """Returns what the picture of a title shows."""
    below = " · ".join([*([card.years] if card.years else []), *card.genres[:3]])
    return TitlePicture(card.drawing, below, card.facts.overview or "")
