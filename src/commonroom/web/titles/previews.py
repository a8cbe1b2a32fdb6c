"""The picture of a link to a title: its drawing, what it is called, and when it came out."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from io import BytesIO

from commonroom.catalog.posters import Drawing
from commonroom.web.titles.views import TitleCard

SIZE = (1200, 630)
MARGIN = 60
KEPT = 128
"""How many pictures are kept; drawing one takes longer than all else about its page."""
PREVIEW_CACHING = "public, max-age=86400"
_drawing_now = asyncio.Semaphore(1)
"""One at a time, whoever asks: guests may."""


async def title_preview(card: TitleCard) -> bytes:
    """A PNG of the size that other sites expect."""
    below = " · ".join([*([card.years] if card.years else []), *card.genres[:3]])
    async with _drawing_now:
        return await asyncio.to_thread(_draw, card.drawing, below, card.facts.overview or "")


@lru_cache(maxsize=KEPT)
def _draw(drawing: Drawing, below: str, overview: str) -> bytes:
    from PIL import Image, ImageDraw  # when somebody shares something

    from commonroom.web.preview_pictures.drawn_posters import (
        PAPER,
        draw_poster,
        font,
        palette,
        wrap,
    )

    colours = palette(drawing)
    red, green, blue = (part * 3 // 4 for part in colours.ink)
    picture = Image.new("RGB", SIZE, (red, green, blue))
    high = SIZE[1] - 2 * MARGIN
    poster = draw_poster(drawing, high * 2 // 3)
    picture.paste(poster, (MARGIN, MARGIN))
    draw = ImageDraw.Draw(picture)
    left = 2 * MARGIN + poster.width
    letters = font(76 if len(drawing.title) < 40 else 56)
    lines = wrap(drawing.title, letters, SIZE[0] - left - MARGIN, 4)
    top = MARGIN + 20.0
    for line in lines:
        draw.text((left, top), line, font=letters, fill=PAPER)
        top += letters.size * 1.15
    draw.text((left, top + 16), below, font=font(32), fill=colours.accent)
    for number, line in enumerate(wrap(overview, font(30), SIZE[0] - left - MARGIN, 4)):
        draw.text((left, top + 84 + number * 42), line, font=font(30), fill=PAPER)
    draw.text((left, SIZE[1] - MARGIN - 40), "Commonroom", font=font(30), fill=PAPER)
    file = BytesIO()
    picture.save(file, "PNG", optimize=True)
    return file.getvalue()
