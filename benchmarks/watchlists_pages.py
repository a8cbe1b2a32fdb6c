"""Watchlists: pages for strangers against the library's shelf, and lists among a million others."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from functools import partial
from itertools import islice
from pathlib import Path

from msgspec.structs import replace

from benchmarks import serving
from benchmarks.measuring import Round, in_turns, typical, undisturbed
from benchmarks.report import Comparison, cost, speed
from benchmarks.rooms import library as library_views
from benchmarks.rooms.declare import Address, House
from benchmarks.rooms.watchlists import LISTS, PAGE, TITLES, furnish, list_id, things
from benchmarks.shelves import LIBRARY_ID
from benchmarks.visiting import visitors
from commonroom.library.pages.addresses import library
from commonroom.model import MODEL
from commonroom.open_store import make_data_folder, open_store
from commonroom.settings import Settings
from commonroom.store import Entity, Store
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.embedded.streams import KEPT_SECONDS
from commonroom.titles.tables import worth_watch
from commonroom.watchlists.service.access import ListVisitor
from commonroom.watchlists.service.discovery import newest
from commonroom.watchlists.service.list_views import see_list

FEW, MANY = 1_000, 1_000_000
ROUNDS, WARM_UP, CALLS, VISITS = 60, 5, 20, 24
BATCH = 5_000
READ = 50
"""Which list is read: a page or two back, as somebody would find it."""
AS_HTML = (
    "How many of these pages a second of processor time of the server makes for a stranger, "
    "against the owner’s page of a library of 1,000 books, which shows 50 of them."
)
AT_LEAST_LIST = 0.75
"""It shows twice as many titles as the shelf shows books, and notes."""
AMONG_MANY = "Read by the room’s service in this process."


async def compare(
    folder: Path, *, few: int = FEW, many: int = MANY, rounds: int = ROUNDS
) -> list[Comparison]:
    """Both pages as HTML, then discovery and a list by how many there are."""
    return [
        *await _as_html(folder / "pages", rounds),
        *await _among_many(folder, few, many, rounds),
    ]


async def _as_html(folder: Path, rounds: int) -> list[Comparison]:
    settings = Settings(data=folder)
    async with open_store(replace(settings, durability="NORMAL"), create=True) as store:
        house = House(store, time.time())
        await furnish(house)
        owner = (await library_views.furnish(house))["shelf"].cookie
    pages = {
        f"the {PAGE} newest of {LISTS} public lists as HTML": Address("/watchlists"),
        f"a list of {TITLES} titles as HTML": Address(f"/lists/{list_id(LISTS // 2)}"),
    }
    bounds = (1.0, AT_LEAST_LIST)
    shelf = Address(library(LIBRARY_ID), owner)
    with serving.ours(folder) as server:
        await server.first_answer("/health/live")
        await server.idle()
        asked = [
            await visitors(server.port, one.path, one.cookie, alike=False, most=1)
            for one in (*pages.values(), shelf)
        ]
        try:
            *ours, theirs = await in_turns(
                *(partial(one.ask, VISITS) for one in asked),
                calls=VISITS,
                rounds=rounds,
                warm_up=WARM_UP,
                clock=server.cpu_seconds,
            )
        finally:
            for one in asked:
                one.close()
    return [
        speed(
            name,
            undisturbed(taken),
            undisturbed(theirs),
            rounds,
            against="the library’s shelf",
            sentence=AS_HTML,
            at_least=bound,
        )
        for name, taken, bound in zip(pages, ours, bounds, strict=True)
    ]


async def _among_many(folder: Path, few: int, many: int, rounds: int) -> list[Comparison]:
    async with AsyncExitStack() as stack:
        stores = [
            await stack.enter_async_context(
                open_store(await _furnished(folder / f"{count}", count), create=False)
            )
            for count in (many, few)
        ]
        measured = {
            f"discovery among {many:,} public lists": [_discovering(one) for one in stores],
            f"a list of {TITLES} titles among {many:,}": [_reading(one) for one in stores],
        }
        return [
            cost(
                name,
                *typical(*await in_turns(*sides, calls=CALLS, rounds=rounds, warm_up=WARM_UP)),
                rounds,
                against=f"among {few:,}",
                sentence=AMONG_MANY,
                at_most=1.5,
            )
            for name, sides in measured.items()
        ]


def _discovering(store: Store) -> Round:
    """The first pages of discovery, one after the other."""

    async def ask() -> None:
        cursor = None
        for _ in range(CALLS):
            found = await newest(store, limit=PAGE, cursor=cursor)
            assert len(found.items) == PAGE
            cursor = found.cursor

    return ask


def _reading(store: Store) -> Round:
    visitor = ListVisitor(store, time.time(), None, is_admin=False)

    async def ask() -> None:
        for _ in range(CALLS):
            view = await see_list(visitor, list_id(READ))
            assert len(view.items) == TITLES

    return ask


async def _furnished(folder: Path, count: int) -> Settings:
    """Lists as they are long after: nobody follows what happened when they were made."""
    settings = Settings(data=folder)
    make_data_folder(settings)
    earlier = time.time() - KEPT_SECONDS - 3600
    engine = EmbeddedEngine(
        settings.data_file, MODEL.tables, durability="OFF", clock=lambda: earlier
    )
    stored = _things(count, earlier)
    while some := [one.to_item() for one in islice(stored, BATCH)]:
        await engine.load(worth_watch, some)
    await engine.close()
    async with open_store(settings) as store:
        await store.engine.sweep(2 * count)
    return settings


def _things(count: int, now: float) -> Iterator[Entity]:
    return things(now, lists=count, with_items=READ)
