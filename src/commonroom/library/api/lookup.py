"""Look-ups: what others know of a book or a film, to fill in what one would otherwise type."""

from __future__ import annotations

from typing import Annotated, cast

from msgspec import Meta, Struct

from commonroom.library.service import lookup
from commonroom.library.service.lookup import LONGEST_SOUGHT, BookOffer, Offered, VideoOffer
from commonroom.web.access import Need
from commonroom.web.operations import get, part
from commonroom.web.request import Request


class SoughtFilm(Struct, frozen=True, forbid_unknown_fields=True):
    """Which film to look for."""

    title: Annotated[
        str, Meta(min_length=1, max_length=LONGEST_SOUGHT, description="A title, or part of one.")
    ]


@get("/look-ups/books/{isbn:str}", Need.SIGNED_IN, errors=(404, 422, 429))
async def look_up_book(request: Request, isbn: str) -> Offered[BookOffer]:
    """Look up a book by its ISBN.

    What is found is offered and changes nothing. Where a source is slow or down, the rest is
    offered. 404 where look-ups are switched off.
    """
    books = cast("lookup.BookSource", request.app.state.books)
    return await lookup.look_up_book(request.context, books, isbn)


@get("/look-ups/films", Need.SIGNED_IN, errors=(422, 429))
async def look_up_film(request: Request, sought: SoughtFilm) -> Offered[VideoOffer]:
    """Look up a film by its title, the likeliest first.

    What is found is offered and changes nothing. Where TMDB is slow or down, the built-in catalogue
    answers.
    """
    films = cast("lookup.FilmFinder", request.app.state.films)
    return await lookup.look_up_film(request.context, films, sought.title)


OPERATIONS = part("Library: look-ups", look_up_book, look_up_film)
