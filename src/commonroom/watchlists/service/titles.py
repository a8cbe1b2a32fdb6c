"""Titles as lists hold them: the one place where this room asks the catalogue for one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from commonroom.catalog.tables import ContentType, Movie, Show
from commonroom.errors import NotFound
from commonroom.store import Condition, Ref, Store, as_read
from commonroom.watchlists.rules.lists import is_id

COPIED: dict[type[Movie | Show], dict[str, str]] = {
    Movie: {
        "title": "title",
        "release_year": "year",
        "genres": "genres",
        "poster_url": "poster_url",
        "runtime": "runtime",
    },
    Show: {
        "title": "title",
        "start_year": "year",
        "genres": "genres",
        "poster_url": "poster_url",
        "number_of_seasons": "number_of_seasons",
    },
}
"""What an item copies of a title: the title's field to the item's."""


class TitleRef(Struct, frozen=True):
    """A film or show by its id."""

    content_type: ContentType
    content_id: str


async def stored_titles(store: Store, refs: Sequence[TitleRef]) -> list[Movie | Show]:
    """Titles of the catalogue, stored from now on: one request where they are already."""
    if not all(is_id(one.content_id) for one in refs):
        raise no_such_title()
    found = await store.batch_get([place_of(one) for one in refs])
    titles = [one for one in found if one is not None]
    if len(titles) < len(refs):
        raise no_such_title()
    return titles


def place_of(title: TitleRef) -> Ref[Movie | Show]:
    """Where a title is stored."""
    if title.content_type == "MOVIE":
        return Movie.at(movie_id=title.content_id)
    return Show.at(show_id=title.content_id)


def ref_of(title: Movie | Show) -> TitleRef:
    """A stored title's id."""
    if isinstance(title, Movie):
        return TitleRef("MOVIE", title.movie_id)
    return TitleRef("SHOW", title.show_id)


def no_such_title() -> NotFound:
    """The refusal for what the catalogue does not have."""
    return NotFound("This title is not in the catalogue.")


def copied_facts(title: Movie | Show) -> dict[str, Any]:
    """What an item of a list shows of a title."""
    return {field: getattr(title, name) for name, field in COPIED[type(title)].items()}


def facts_as_read(title: Movie | Show) -> Condition:
    """That a title still says what an item copies: else whoever carries changes would miss it."""
    first, *others = COPIED[type(title)]
    return as_read(title, first, *others)
