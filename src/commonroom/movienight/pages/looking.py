"""Looking for films by title."""

from __future__ import annotations

from commonroom.movienight.pages.asking import films_in
from commonroom.movienight.pages.cards import FilmCard, of_film
from commonroom.web.request import Request

LONGEST_TITLE = 100
MOST_FOUND = 10


async def looked_for(request: Request, title: str) -> list[FilmCard] | None:
    """Films whose title resembles a text, the likeliest first; None where nothing was typed."""
    text = title.strip()[:LONGEST_TITLE]
    if not text:
        return None
    return [of_film(one) for one in await films_in(request).search(text, MOST_FOUND)]
