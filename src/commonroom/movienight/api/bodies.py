"""The base of what programs send to movie night, and what several operations take."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from commonroom.movienight.arguments import FilmId
from commonroom.movienight.service import history
from commonroom.web.paging import Paging

MemberId: TypeAlias = Annotated[str, Meta(max_length=100)]


class Body(Struct, forbid_unknown_fields=True):
    """The base of what is sent."""


class ChosenFilm(Body):
    """A film."""

    tmdb_movie_id: FilmId


class HistoryPaging(Paging, frozen=True, forbid_unknown_fields=True):
    """Which part of the history."""

    limit: Annotated[int, Meta(ge=1, le=history.LONGEST_PAGE, description="Maximum number.")] = (
        history.PAGE
    )
