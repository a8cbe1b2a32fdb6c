"""Titles that only an import told of, and that nobody uses once it is undone: they go.

Such a title is hidden first, and nobody can begin to use it without giving it back (the catalogue's
`load_or_revive`). A minute later, when every index knows what was written before, it is looked at
once more: what was put on a list, rated or seen in between stays, as it was.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from commonroom.accounts.context import Context
from commonroom.moments import iso
from commonroom.store import Ref, Store, Write, delete, equal, put, update
from commonroom.timers import Timer, timer
from commonroom.titles.builtin import known_title
from commonroom.titles.stored_titles import Stored, id_of, title_ref
from commonroom.titles.title_matching import squashed
from commonroom.titles.titles import TitleId
from commonroom.watchlists.service.access import retry
from commonroom.watchlists.service.titles import claim_deletes
from commonroom.watchlists.tables import (
    MadeTitle,
    OwnTitle,
    lists_with_title,
    ratings_of_title,
    seen_of_title,
)

LOOK = "watchlists.look-for-unused-titles"
REMOVE = "watchlists.remove-unused-title"
SECOND_LOOK_AFTER = 60.0
"""Seconds: far longer than an index takes to know what was written."""

_titles = msgspec.json.Decoder(list[TitleId])


def look_for_unused(ctx: Context, titles: Iterable[TitleId]) -> list[Write]:
    """Returns the write that has titles looked at once what used them is gone: written with it."""
    some = list(dict.fromkeys(titles))
    about = {"titles": msgspec.json.encode(some).decode(), "user_id": ctx.person.user_id}
    return [put(timer(LOOK, ctx.now, about))] if some else []


async def mark_unused(store: Store, waited: Timer, now: float) -> None:
    """Hides those of some titles that imports have made and nobody uses."""
    for of in _titles.decode(waited.about["titles"]):
        await _mark(store, of, waited.about["user_id"], now)


@retry
async def remove_unused(store: Store, waited: Timer, _now: float) -> None:
    """Removes a title that nobody uses; one in use is there again."""
    (of,) = _titles.decode(waited.about["titles"])

    title: Stored | None = await store.get(title_ref(of))
    if title is None or not title.is_unused:
        return
    if await _is_used(store, of):
        await store.write(update(title, removed_at=None, is_unused=False))
        return
    ways = _ways(title, waited.about["user_id"])
    still = equal(removed_at=title.removed_at, is_unused=True)
    await store.write(delete(title, if_=still), *map(delete, ways), *claim_deletes(title))


@retry
async def _mark(store: Store, of: TitleId, user_id: str, now: float) -> None:
    title: Stored | None = await store.get(title_ref(of))
    if title is None or title.removed_at is not None:
        return
    if not await _is_made(store, title, user_id) or await _is_used(store, of):
        return
    about = {"titles": msgspec.json.encode([of]).decode(), "user_id": user_id}
    await store.write(
        update(title, removed_at=iso(now), is_unused=True),
        put(timer(REMOVE, now + SECOND_LOOK_AFTER, about)),
    )


async def _is_made(store: Store, title: Stored, user_id: str) -> bool:
    """Whether files alone tell of a title: no source, no administrator, nobody who typed it."""
    if title.made_by is not None or title.told_at is not None or known_title(id_of(title)):
        return False
    return any(await store.batch_get(_ways(title, user_id)))


async def _is_used(store: Store, of: TitleId) -> bool:
    """Whether anybody has it on a list, rated, reviewed or saw it: three requests at most."""
    for ask in (lists_with_title, ratings_of_title, seen_of_title):
        if (await store.page(ask(**of.key), limit=1)).items:
            return True
    return False


def _ways(title: Stored, user_id: str) -> list[Ref[Any]]:
    """Returns the ways that an import makes to a title."""
    key = id_of(title).key
    names = [squashed(title.title), *([] if title.imdb_id is None else [title.imdb_id])]
    ways: list[Ref[Any]] = [MadeTitle.at(name=name, **key) for name in names]
    return [*ways, OwnTitle.at(user_id=user_id, **key)]
