"""Searching by many people at once, each in a library of their own, all of them active."""

from __future__ import annotations

import asyncio
import gc
import random
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from msgspec.structs import replace

from benchmarks.measuring import in_turns, typical
from benchmarks.report import Comparison, limited, speed
from benchmarks.search import AT, shelf_of
from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.library.service.search import search
from commonroom.library.service.search_cache import SearchCache
from commonroom.library.tables import Item, Library, media, owner_id_of, tables
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine

CROWDS = ((200, 1_000), (20, 10_000))
"""How many people there are, and how many items each has."""
ROUNDS, CALLS = 20, 20
TICK_SECONDS = 0.001
MAX_MILLISECONDS = 50


async def compare(folder: Path, crowds: Sequence[tuple[int, int]] = CROWDS) -> list[Comparison]:
    """Searches of everybody in turn, against one person's who has as many items and is alone."""
    return [row for people, items in crowds for row in await _crowd(folder, people, items)]


async def _crowd(folder: Path, people: int, items: int) -> list[Comparison]:
    store = Store(EmbeddedEngine(folder / f"{people}.db", tables, durability="OFF"))
    chance, shelf = random.Random(2), list(shelf_of(items))
    words = [max(one.title.split(), key=len) for one in chance.sample(shelf, min(items, 500))]
    everybody, cache = [_person(number) for number in range(people)], SearchCache()
    try:
        for one in everybody:
            await store.engine.load(media, [thing.to_item() for thing in _owned(one, shelf)])
        del shelf
        async with _longest_wait() as waits:
            for one in everybody:
                await search(Context(store, one), cache, words[0])
        asked = iter(chance.choices(words, k=2 * CALLS * (ROUNDS + 1)))
        askers = iter(chance.choices(everybody, k=CALLS * (ROUNDS + 1)))

        async def crowd() -> None:
            for _ in range(CALLS):
                await search(Context(store, next(askers)), cache, next(asked))

        async def alone() -> None:
            for _ in range(CALLS):
                await search(Context(store, everybody[0]), cache, next(asked))

        taken = await in_turns(crowd, alone, calls=CALLS, rounds=ROUNDS)
    finally:
        await store.close()
    what = f"{people} people with {items:,} items each"
    return [
        speed(
            f"search by {what}",
            *typical(*taken),
            ROUNDS,
            against="the same by one of them alone",
            sentence="Many people search in turn, each in a library of their own.",
            at_least=0.5,
        ),
        limited(
            f"longest wait of others beside the first searches of {what}",
            "ms",
            max(waits) * 1000,
            MAX_MILLISECONDS,
            people,
            sentence="How long anything else waits in the worst case while titles are read.",
        ),
    ]


def _person(number: int) -> User:
    return User(user_id=f"11111111-2222-4333-8444-{number:012d}", display_name="Ada", created_at=AT)


def _owned(person: User, shelf: Sequence[Item]) -> Iterator[Library | Item]:
    """A library of somebody's own, with everything of a shelf in it."""
    owner_id = owner_id_of(person.user_id)
    yield Library(
        owner_id=owner_id,
        library_id="HOME",
        library_name="Home",
        account_id=person.user_id,
        updated_at=AT,
    )
    for one in shelf:
        yield replace(one, owner_id=owner_id, account_id=person.user_id)


@asynccontextmanager
async def _longest_wait() -> AsyncIterator[list[float]]:
    """By how much each tick of a clock in the same event loop is late, meanwhile."""
    late = [0.0]

    async def tick() -> None:
        while True:
            due = time.perf_counter() + TICK_SECONDS
            await asyncio.sleep(TICK_SECONDS)
            late.append(time.perf_counter() - due)

    # As a server does once it has started: what was loaded before is never looked at again.
    gc.collect()
    gc.freeze()
    ticking = asyncio.create_task(tick())
    try:
        yield late
    finally:
        ticking.cancel()
        gc.unfreeze()
