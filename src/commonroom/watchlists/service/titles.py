"""Titles as lists hold them: the one place where lists ask the catalogue for one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from commonroom.errors import NotFound
from commonroom.store import Store, Write, as_read, check, delete, equal, new
from commonroom.titles.service import Titles
from commonroom.titles.stored_titles import Stored, id_of, title_ref
from commonroom.titles.tables import Movie, Show, TmdbClaim
from commonroom.titles.titles import NamesTitle, TitleId
from commonroom.watchlists.rules.lists import is_id

COPIED: dict[type[Stored], dict[str, str]] = {
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


async def stored_titles(
    store: Store, titles: Titles, wanted: Sequence[TitleId], now: float
) -> list[Stored]:
    """Titles of the catalogue, stored from now on: one request where all are already.

    The source is asked again for those of which it told long ago.
    """
    if not all(is_id(one.content_id) for one in wanted):
        raise no_such_title()
    found = await load_titles(store, wanted)
    return [
        await titles.ensure_stored(store, one, now)
        if there is None or there.removed_at is not None or titles.may_know_better(there, now)
        else there
        for one, there in zip(wanted, found, strict=True)
    ]


async def load_titles(store: Store, things: Iterable[NamesTitle]) -> list[Stored | None]:
    """Returns the titles that things name, as they are stored, if they are: one request."""
    refs = [title_ref(TitleId.of(one)) for one in things]
    found: list[Stored | None] = await store.batch_get(refs)
    return found


def copied_facts(title: Stored) -> dict[str, Any]:
    """Returns what an item of a list shows of a title."""
    return {field: getattr(title, name) for name, field in COPIED[type(title)].items()}


def same_title(title: Stored) -> Write:
    """Returns the check that a title says what an item copies: a change would be missed else."""
    return check(title, if_=as_read(title, "version"))


def claim_deletes(title: Stored) -> list[Write]:
    """Returns what takes a title's claim to its TMDB id away, unless it is another's by now."""
    if title.tmdb_id is None:
        return []
    of = id_of(title)
    claim = TmdbClaim.at(content_type=of.content_type, tmdb_id=title.tmdb_id)
    return [delete(claim, if_=new | equal(content_id=of.content_id))]


def no_such_title() -> NotFound:
    """Returns the refusal for what the catalogue does not have."""
    return NotFound("This title does not exist.")
