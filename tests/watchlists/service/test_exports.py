"""A list goes out as a file for whoever may read it, and comes back as it was."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeAlias

import msgspec
import pytest

from commonroom.accounts.tables import User
from commonroom.errors import NotFound
from commonroom.store import Store, counting
from commonroom.watchlists.service import exports
from commonroom.watchlists.service.access import ListVisitor, get_contents
from commonroom.watchlists.service.items import change_note
from commonroom.watchlists.service.lists import ListChange, change_list
from commonroom.watchlists.service.ratings import rate
from commonroom.watchlists.service.seen import mark_seen
from commonroom.watchlists.tables import Watchlist
from tests.accounts.people import Watch
from tests.support.fixtures import either
from tests.watchlists.examples import (
    ALIEN,
    DARK,
    HEAT,
    MATRIX,
    TITLES,
    asks,
    everything_of,
    list_of,
    looks,
    stock,
    stocked,
)
from tests.watchlists.import_files import NOW, imported, lists_now, ratings_now, seen_now

store = either
Export: TypeAlias = Callable[[ListVisitor, str], Awaitable[exports.WatchlistExport]]


@pytest.fixture(autouse=True)
def today(clock: Watch) -> None:
    """A day after all that is told."""
    clock.now = NOW


async def whole(pieces: AsyncIterator[bytes]) -> bytes:
    """A file."""
    return b"".join([piece async for piece in pieces])


@pytest.fixture
async def evenings(store: Store, clock: Watch, ada: User) -> Watchlist:
    """A list with everything that a list can have."""
    made = await list_of(
        store,
        clock,
        ada,
        *(HEAT, DARK, ALIEN, MATRIX),
        title="=Évenings; with, “tea”",
        description="Two lines,\n+ a formula.",
        tags=["rain", "tea; or coffee"],
        is_numbered=True,
    )
    ctx = asks(store, clock, ada)
    await change_note(ctx, made.watchlist_id, DARK, "'=1+1\nTwice")
    picture = "https://pictures.example/evenings.jpg?wide=1"
    change = ListChange(cover=ALIEN, cover_image_url=picture)
    return await change_list(ctx, made.watchlist_id, change)


async def told_of(store: Store, found: Watchlist) -> dict[str, object]:
    """All that a list has of its own."""
    told = (
        *("title", "description", "tags", "is_numbered", "cover_title", "cover_image_url"),
        "item_count",
    )
    items = (await get_contents(store, found.watchlist_id)).items
    return {name: getattr(found, name) for name in told} | {
        "items": [
            (one.content_type, one.content_id, one.curator_note, one.added_at) for one in items
        ]
    }


@pytest.mark.parametrize("export", [exports.export_csv, exports.export_json], ids=["csv", "json"])
async def test_a_list_comes_back_as_it_was(
    store: Store, clock: Watch, ben: User, evenings: Watchlist, export: Export
) -> None:
    name, pieces = await export(looks(store, clock), evenings.watchlist_id)
    assert name == evenings.title
    clock.now += 100
    seen = await imported(store, clock, ben, await whole(pieces), name)
    assert (seen.failed, seen.unmatched, seen.added) == (0, 0, 4)
    first, second = await everything_of(store.engine, Watchlist)
    assert first.curator_id != second.curator_id
    assert await told_of(store, first) == await told_of(store, second)


async def test_whoever_may_read_a_list_may_take_it_along(
    store: Store, clock: Watch, ada: User, ben: User, evenings: Watchlist
) -> None:
    for visitor in (looks(store, clock), looks(store, clock, ben)):
        assert b"Heat" in await whole(
            (await exports.export_csv(visitor, evenings.watchlist_id)).pieces
        )
    hidden = await list_of(store, clock, ben, MATRIX, title="Mine")
    for visitor in (looks(store, clock), looks(store, clock, ada)):
        with pytest.raises(NotFound):
            await exports.export_json(visitor, hidden.watchlist_id)


async def test_a_long_list_takes_a_request_for_every_hundred(
    store: Store, clock: Watch, ada: User
) -> None:
    await stock(store, 150)
    made = await list_of(store, clock, ada, *map(stocked, range(150)))
    with counting() as tally:
        file = await exports.export_csv(looks(store, clock, ada), made.watchlist_id)
        lines = (await whole(file.pieces)).decode().splitlines()
    assert (len(lines), tally.requests) == (152, 3)


async def test_everything_comes_back(
    store: Store, clock: Watch, ada: User, ben: User, evenings: Watchlist
) -> None:
    ctx = asks(store, clock, ada)
    await rate(ctx, TITLES, MATRIX, rating=9, review="Whoa. <b>")
    await mark_seen(ctx, TITLES, DARK, "2020-02-03")
    await list_of(store, clock, ada, title="Empty")
    file = await whole(exports.export_everything(ctx).pieces)
    told = msgspec.json.decode(file)
    assert (len(told["lists"]), len(told["titles"])) == (2, 2)

    seen = await imported(store, clock, ben, file, "everything.json")
    assert (seen.failed, seen.unmatched) == (0, 0)
    assert set(await lists_now(store)) == {evenings.title, "Empty"}
    assert await ratings_now(store) == {"The Matrix": (9, "Whoa. <b>")}
    assert await seen_now(store, ben) == {"The Matrix": None, "Dark": "2020-02-03"}
    assert await whole(exports.export_everything(asks(store, clock, ben)).pieces)


async def test_nothing_is_a_whole_file_too(store: Store, clock: Watch, ben: User) -> None:
    file = await whole(exports.export_everything(asks(store, clock, ben)).pieces)
    assert msgspec.json.decode(file) == {
        "format": "commonroom-watchlists",
        "version": 1,
        "lists": [],
        "titles": [],
    }


async def test_a_list_that_nobody_made_is_not_there(store: Store, clock: Watch) -> None:
    with pytest.raises(NotFound):
        await exports.export_csv(ListVisitor(store, clock()), "nobody-made-this")
