"""The library: a page of 50 on a shelf of a hundred items, and on one of a hundred thousand."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, ExitStack
from functools import partial
from itertools import islice
from pathlib import Path

from msgspec import Struct

from benchmarks import serving
from benchmarks.library import book
from benchmarks.measuring import Round, in_turns, typical
from benchmarks.report import Comparison, cost
from benchmarks.visiting import Visitors, visitors
from commonroom.accounts.context import Context
from commonroom.accounts.service import sessions
from commonroom.accounts.tables import User, users
from commonroom.library.service.shelves import see_shelf
from commonroom.library.tables import Book, Collection, Library, media, owner_id_of
from commonroom.model import MODEL
from commonroom.open_store import make_data_folder, open_store
from commonroom.settings import Settings
from commonroom.settings.secrets import secrets_of
from commonroom.store import Entity, Store
from commonroom.store.embedded import EmbeddedEngine

FEW, MANY = 100, 100_000
PAGE = 50
TOGETHER = 20
"""So many items in a row: half of them a collection, half each by itself."""
ROUNDS, WARM_UP, CALLS, VISITS = 100, 10, 20, 64

SERVICE_SENTENCE = "A page from anywhere on a shelf, read by the room’s service in this process."
HTTP_SENTENCE = "A page from the middle of a shelf, read by its signed-in owner as JSON."

AT = "2026-05-31T18:00:00.000Z"
OWNER = User(
    user_id="11111111-2222-4333-8444-555555555555",
    display_name="Ada",
    email="ada@example.org",
    created_at=AT,
)
OWNER_ID = owner_id_of(OWNER.user_id)
LIBRARY_ID = "F" * 32


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
    """A library as it is the day after: what followed from filling it has been done."""
    settings = Settings(data=folder)
    make_data_folder(settings)
    earlier = time.time() - 48 * 3600
    engine = EmbeddedEngine(
        settings.data_file, MODEL.tables, durability="OFF", clock=lambda: earlier
    )
    await engine.load(users, [OWNER.to_item()])
    things = _things(count)
    while some := [one.to_item() for one in islice(things, 1000)]:
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


def _things(count: int) -> Iterator[Entity]:
    """A library with its items; half of them in collections of ten."""
    yield Library(
        owner_id=OWNER_ID,
        library_id=LIBRARY_ID,
        library_name="Home",
        total_items=count,
        account_id=OWNER.user_id,
        owner_name=OWNER.display_name,
        updated_at=AT,
    )
    for number in range(count):
        name = book(number - number % TOGETHER, count).title
        if number % TOGETHER == 0:
            yield _collection(name, number)
        yield _book(number, count, name)


def _collection(name: str, number: int) -> Collection:
    return Collection(
        owner_id=OWNER_ID,
        library_id=LIBRARY_ID,
        collection_id=f"{number // TOGETHER:032X}",
        name=name,
        item_count=TOGETHER // 2,
        last_order=TOGETHER // 2,
    )


def _book(number: int, count: int, collection: str) -> Book:
    like, order = book(number, count), number % TOGETHER + 1
    inside = order <= TOGETHER // 2
    return Book(
        owner_id=OWNER_ID,
        library_id=LIBRARY_ID,
        item_id=f"{number:032X}",
        account_id=OWNER.user_id,
        title=like.title,
        authors=like.authors,
        summary=like.summary,
        isbn=like.isbn,
        picture_url=like.picture_url,
        collection_id=f"{number // TOGETHER:032X}" if inside else None,
        collection_name=collection if inside else None,
        order=order if inside else None,
        library_name="Home",
        owner_name=OWNER.display_name,
    )
