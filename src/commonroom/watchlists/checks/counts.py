"""Counts and positions: lists and profiles count what they have; no two items share a place."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any, TypeVar

from commonroom.store import BoundPattern, Entity, Ref, Store, as_read, update
from commonroom.store.checking import Problem, StoredEntity
from commonroom.store.checking.each import find_each
from commonroom.store.limits import BATCH
from commonroom.watchlists.rules.lists import in_order
from commonroom.watchlists.rules.positions import first_double, spread_behind
from commonroom.watchlists.service.moves import spread_writes
from commonroom.watchlists.tables import (
    Following,
    Profile,
    SavedWatchlist,
    Watchlist,
    comments,
    followers,
    items_of_watchlist,
    owned_lists,
    savers,
)

E = TypeVar("E", bound=Entity)
T = TypeVar("T", Watchlist, Profile)

LOOKS = 5
"""How often something that keeps changing is looked at; where people are at work, counts count."""


class WatchlistCountCheck:
    """Counts what lists and profiles have."""

    async def examine(self, store: Store, things: Sequence[StoredEntity]) -> AsyncIterator[Problem]:
        """Which counts are wrong, and whose positions."""
        found = [it.entity for it in things if isinstance(it.entity, Watchlist | Profile)]
        async for problem in find_each(store, _find, found):
            yield problem


async def _find(store: Store, one: Watchlist | Profile) -> list[Problem]:
    if isinstance(one, Profile):
        return await _miscounted(store, one, _counts_of_profile)
    return [*await _miscounted(store, one, _counts_of_list), *await _misplaced(store, one)]


async def _miscounted(
    store: Store, thing: T, count: Callable[[Store, T], Awaitable[dict[str, int]]]
) -> list[Problem]:
    """What counts wrong, where two looks see it alike.

    What changes a count also changes what is counted, in one write; so what is held while it is
    repaired has not changed since the looks, or the repair is refused.
    """
    before = await count(store, thing)
    for _ in range(LOOKS):
        if _says(thing, before) == before:
            return []
        now = await store.get(thing.ref)
        if now is None:
            return []
        after = await count(store, now)
        if now == thing and before == after:
            return [_wrong(now, after)]
        thing, before = now, after
    return []


def _says(thing: Entity, counted: dict[str, int]) -> dict[str, int]:
    return {name: getattr(thing, name) for name in counted}


def _wrong(thing: Entity, counted: dict[str, int]) -> Problem:
    wrong = {name: it for name, it in counted.items() if getattr(thing, name) != it}
    told = ", ".join(f"{name} is {getattr(thing, name)}, not {it}" for name, it in wrong.items())
    held = as_read(thing, *counted)
    changes: dict[str, Any] = dict(wrong)
    repair = update(thing.ref, if_=held, **changes)
    return Problem("counts", thing.schema.table.name, thing.ref.key, f"Its {told}.", (repair,))


async def _counts_of_list(store: Store, one: Watchlist) -> dict[str, int]:
    at = {"watchlist_id": one.watchlist_id}
    items = await _number(store, items_of_watchlist(**at))
    return {
        "item_count": items,
        "added_count": max(one.added_count, items),
        "comment_count": await _number(store, comments(**at)),
        "save_count": len([it async for it in followers_of(store, one)]),
    }


async def _counts_of_profile(store: Store, one: Profile) -> dict[str, int]:
    mine = [
        found
        async for found in _led_to(
            store,
            owned_lists(user_id=one.user_id),
            lambda it: Watchlist.at(watchlist_id=it.watchlist_id),
        )
        if found.curator_id == one.user_id
    ]
    return {
        "list_count": len(mine),
        "public_list_count": sum(found.is_public for found in mine),
        "follower_count": await _known(
            store,
            followers(curator_id=one.user_id),
            lambda it: Following.at(user_id=it.user_id, curator_id=it.curator_id),
        ),
    }


def followers_of(store: Store, one: Watchlist) -> AsyncIterator[SavedWatchlist]:
    """Those who follow a list, and know that they do."""
    return _led_to(
        store,
        savers(watchlist_id=one.watchlist_id),
        lambda it: SavedWatchlist.at(user_id=it.user_id, watchlist_id=it.watchlist_id),
    )


async def _number(store: Store, asked: BoundPattern[Entity]) -> int:
    return len([one async for one in store.all(asked)])


async def _known(store: Store, asked: BoundPattern[Any], other: Callable[[Any], Ref[E]]) -> int:
    """How many of a pair's one side have the other."""
    return len([one async for one in _led_to(store, asked, other)])


async def _led_to(
    store: Store, asked: BoundPattern[Any], other: Callable[[Any], Ref[E]]
) -> AsyncIterator[E]:
    waiting: list[Ref[E]] = []
    async for one in store.all(asked):
        waiting.append(other(one))
        if len(waiting) == BATCH:
            for found in await store.batch_get(waiting):
                if found is not None:
                    yield found
            waiting.clear()
    for found in await store.batch_get(waiting):
        if found is not None:
            yield found


async def _misplaced(store: Store, one: Watchlist) -> list[Problem]:
    """Items that stand at the place of another, and a list that does not know its last one."""
    items = in_order(
        [it async for it in store.all(items_of_watchlist(watchlist_id=one.watchlist_id))]
    )
    now = await store.get(one.ref)
    if not items or now is None or now.revision != one.revision:
        return []
    first = first_double([one.position for one in items])
    if first is not None:
        spread = spread_behind(len(items), first, items[-1].position)
        detail = f"“{items[first].title}” stands at the same place as another."
        return [
            _position_problem(now, detail, *writes)
            for _, writes in spread_writes(now, items, spread)
        ]
    if now.last_position >= items[-1].position:
        return []
    last = items[-1].position
    held = as_read(now, "revision", "last_position")
    repair = update(now.ref, last_position=last, if_=held)
    return [_position_problem(now, "It does not know its last place.", repair)]


def _position_problem(one: Watchlist, detail: str, *writes: Any) -> Problem:
    return Problem("positions", one.schema.table.name, one.ref.key, detail, writes)
