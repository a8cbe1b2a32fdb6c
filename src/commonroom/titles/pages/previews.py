"""The picture of a link to a title: its drawing, what it is called, and when it came out."""

from __future__ import annotations

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
        from commonroom.titles.preview_pictures import (
            drawn_posters as drawn,  # only sharing needs it
        )

        colours = drawn.palette(self.drawing)
        picture, draw = drawn.begin_preview(colours.ink)
        poster = drawn.draw_poster(self.drawing, (SIZE[1] - 2 * MARGIN) * 2 // 3)
        picture.paste(poster, (MARGIN, MARGIN))
        left = 2 * MARGIN + poster.width
        width = SIZE[0] - left - MARGIN
        letters, small = drawn.font(76 if len(self.drawing.title) < 40 else 56), drawn.font(30)
        lines = drawn.wrap(self.drawing.title, letters, width, 4)
        top = drawn.write_lines(draw, (left, MARGIN + 20.0), lines, letters)
        draw.text((left, top + 16), self.below, font=drawn.font(32), fill=colours.accent)
        for number, line in enumerate(drawn.wrap(self.overview, small, width, 4)):
            draw.text((left, top + 84 + number * 42), line, font=small, fill=drawn.PAPER)
        draw.text((left, SIZE[1] - MARGIN - 40), "Commonroom", font=small, fill=drawn.PAPER)
        return drawn.as_png(picture)


def title_picture(card: TitleCard) -> TitlePicture:
    """Returns what the picture of a title shows."""
    below = " · ".join([*([card.years] if card.years else []), *card.genres[:3]])
    return TitlePicture(card.drawing, below, card.facts.overview or "")
