"""The library: a page of 50 on a shelf of a hundred items, and on one of a hundred thousand."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, ExitStack
from functools import partial
from itertools import islice
from pathlib import Path

from msgspec import Struct

from benchmarks import serving
from benchmarks.measuring import Round, in_turns, typical
from benchmarks.report import Comparison, cost
from benchmarks.shelves import LIBRARY_ID, OWNER, things
from benchmarks.visiting import Visitors, visitors
from commonroom.accounts.context import Context
from commonroom.accounts.service import sessions
from commonroom.accounts.tables import users
from commonroom.library.service.shelves import see_shelf
from commonroom.library.tables import media
from commonroom.model import MODEL
from commonroom.open_store import make_data_folder, open_store
from commonroom.settings import Settings
from commonroom.settings.secrets import secrets_of
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.embedded.streams import KEPT_SECONDS

FEW, MANY = 100, 100_000
PAGE = 50
ROUNDS, WARM_UP, CALLS, VISITS = 100, 10, 20, 64

SERVICE_SENTENCE = "A page from anywhere on a shelf, read by the room’s service in this process."
HTTP_SENTENCE = "A page from the middle of a shelf, read by its signed-in owner as JSON."


class Shelf(Struct, frozen=True):
    """A library of some size in a data folder of its own."""

    settings: Settings
    cookie: str
    cursors: list[str]
    """Where its full pages begin; the first one has none."""

    @property
    def address(self) -> str:
        """A page from the middle."""
        cursor = self.cursors[len(self.cursors) // 2]
        return f"/api/v1/libraries/{LIBRARY_ID}/items?limit={PAGE}&cursor={cursor}"


async def compare(
    folder: Path, *, few: int = FEW, many: int = MANY, rounds: int = ROUNDS
) -> list[Comparison]:
    """Through the service, pages from everywhere; over HTTP, one from the middle."""
    shelves = [await _furnished(folder / str(count), count) for count in (many, few)]
    name = f"a page of {PAGE} of {many:,} items"
    measured = [
        (f"library, {name}", SERVICE_SENTENCE, await _through_service(shelves, rounds)),
        (f"library over HTTP, {name}", HTTP_SENTENCE, await _over_http(shelves, rounds)),
    ]
    return [
        cost(
            what,
            *typical(*taken),
            rounds,
            against=f"{few:,} items",
            sentence=sentence,
            at_most=1.5,
        )
        for what, sentence, taken in measured
    ]


async def _through_service(shelves: Sequence[Shelf], rounds: int) -> list[list[float]]:
    async with AsyncExitStack() as stack:
        sides = [
            _asking(await stack.enter_async_context(_opened(one.settings)), one.cursors)
            for one in shelves
        ]
        return await in_turns(*sides, calls=CALLS, rounds=rounds, warm_up=WARM_UP)


def _asking(store: Store, cursors: list[str]) -> Round:
    chance = random.Random(0)
    wanted = iter(partial(chance.choice, cursors), None)

    async def ask() -> None:
        for cursor in islice(wanted, CALLS):
            await see_shelf(Context(store, OWNER), LIBRARY_ID, limit=PAGE, cursor=cursor)

    return ask


async def _over_http(shelves: Sequence[Shelf], rounds: int) -> list[list[float]]:
    with ExitStack() as stack:
        sides = [await _visiting(stack, one) for one in shelves]
        asked = [partial(side.ask, VISITS) for side in sides]
        return await in_turns(*asked, calls=VISITS, rounds=rounds, warm_up=WARM_UP)


async def _visiting(stack: ExitStack, shelf: Shelf) -> Visitors:
    ours = stack.enter_context(serving.ours(shelf.settings.data))
    await ours.first_answer(shelf.address, shelf.cookie)
    made = await visitors(ours.port, shelf.address, shelf.cookie, alike=False)
    stack.callback(made.close)
    return made


async def _furnished(folder: Path, count: int) -> Shelf:
    """A library as it is long after: nobody follows what happened when it was filled."""
    settings = Settings(data=folder)
    make_data_folder(settings)
    earlier = time.time() - KEPT_SECONDS - 3600
    engine = EmbeddedEngine(
        settings.data_file, MODEL.tables, durability="OFF", clock=lambda: earlier
    )
    await engine.load(users, [OWNER.to_item()])
    stored = things(count)
    while some := [one.to_item() for one in islice(stored, 1000)]:
        await engine.load(media, some)
    await engine.close()
    async with _opened(settings) as store:
        await store.engine.sweep(2 * count + 2)
        session = await sessions.open_session(store, time.time(), OWNER)
        return Shelf(settings, f"session={session}", await _cursors(store))


def _opened(settings: Settings) -> AbstractAsyncContextManager[Store]:
    """A store that takes the same cursors as a server."""
    return open_store(settings, cursor_key=secrets_of(settings).derived("cursors"))


async def _cursors(store: Store) -> list[str]:
    """Where pages begin that are full."""
    found: list[str] = []
    while True:
        cursor = found[-1] if found else None
        seen = await see_shelf(Context(store, OWNER), LIBRARY_ID, limit=PAGE, cursor=cursor)
        if seen.cursor is None:
            return found[:-1]
        found.append(seen.cursor)
