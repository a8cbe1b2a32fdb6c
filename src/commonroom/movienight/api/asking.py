"""Who asks, in which household, and where films come from."""

from __future__ import annotations

from typing import Annotated, cast

from msgspec import Meta

from commonroom.catalog.film_source import FilmSource
from commonroom.errors import NotFound
from commonroom.movienight.service.rounds import history
from commonroom.movienight.service.seats import Seat, seated
from commonroom.web.paging import Paging
from commonroom.web.request import Request

LARGEST_FILM = 2**53


class HistoryPaging(Paging, frozen=True, forbid_unknown_fields=True):
    """Which part of the history."""

    limit: Annotated[int, Meta(ge=1, le=history.LONGEST_PAGE, description="Maximum number.")] = (
        history.PAGE
    )


async def seat_of(request: Request, group_id: str) -> Seat:
    """The seat of whoever asks, in a household that is theirs."""
    caller = request.caller
    return await seated(request.store, caller.person, caller.member, group_id)


def films_of(request: Request) -> FilmSource:
    """The film source of this installation."""
    return cast("FilmSource", request.app.state.films)


def film_number(text: str) -> int:
    """TMDB's number of a film, from an address."""
    if not (
        text.isascii() and text.isdigit() and len(text) <= 16 and 0 < int(text) <= LARGEST_FILM
    ):
        raise NotFound("This film does not exist.")
    return int(text)
