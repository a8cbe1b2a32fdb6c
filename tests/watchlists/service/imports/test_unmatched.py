"""Rows whose titles nobody knew wait for somebody to say which ones are meant."""

from __future__ import annotations

import asyncio

import pytest

from commonroom.accounts.tables import User
from commonroom.errors import CommonroomError, Conflict, NotFound
from commonroom.store import Store, counting
from commonroom.titles.titles import TitleId
from commonroom.watchlists.service.imports.lifecycle import WatchlistImports
from commonroom.watchlists.service.imports.unmatched import (
    OpenRow,
    dismiss,
    open_row,
    open_rows,
    settle,
)
from commonroom.watchlists.tables import UnmatchedRow
from tests.accounts.people import Watch
from tests.support.fixtures import either
from tests.watchlists.examples import DARK, MATRIX, TITLES, asks, everything_of, tidied
from tests.watchlists.import_files import (
    LETTERBOXD,
    NOW,
    check_watchlists,
    imported,
    lists_now,
    prepared,
    ratings_now,
    seen_now,
    undone,
)

store = either


@pytest.fixture
async def waiting(store: Store, clock: Watch, ben: User) -> str:
    """An import of Ben's of which three rows wait: Heat on two lists, and how he rates it."""
    clock.now = NOW
    seen = await imported(store, clock, ben, LETTERBOXD, "letterboxd.zip", unknown="leave")
    return seen.import_id


async def rows_of(store: Store, clock: Watch, person: User, import_id: str) -> list[OpenRow]:
    """The rows that wait."""
    return (await open_rows(asks(store, clock, person), import_id)).items


async def test_they_say_where_they_come_from(
    store: Store, clock: Watch, ben: User, waiting: str
) -> None:
    found = await rows_of(store, clock, ben, waiting)
    assert [(one.title, one.year, one.list_title, one.rating) for one in found] == [
        ("Heat", 1995, None, 1),
        ("Heat", 1995, "Letterboxd likes", None),
        ("Heat", 1995, "Autumn evenings", None),
    ]
    assert {one.file for one in found} == {"films.csv", "autumn-evenings.csv", "ratings.csv"}


async def test_a_page_of_them_takes_two_requests(
    store: Store, clock: Watch, ben: User, waiting: str
) -> None:
    with counting() as tally:
        page = await open_rows(asks(store, clock, ben), waiting, limit=2)
    assert (tally.requests, len(page.items)) == (2, 2)
    rest = await open_rows(asks(store, clock, ben), waiting, limit=2, cursor=page.cursor)
    assert len(rest.items) == 1


async def test_a_row_becomes_what_it_would_have_been(
    store: Store, clock: Watch, ben: User, waiting: str
) -> None:
    for row in await rows_of(store, clock, ben, waiting):
        await settle(asks(store, clock, ben), TITLES, waiting, row.row_id, DARK)
    assert (await lists_now(store))["Autumn evenings"] == [
        ("Alien", "Still holds up"),
        ("Dark", None),
    ]
    assert (await ratings_now(store))["Dark"] == (1, None)
    assert "Dark" in await seen_now(store)
    seen = await WatchlistImports(asks(store, clock, ben)).see()
    assert (seen.unmatched, seen.settled, seen.open_rows, seen.added) == (3, 3, 0, 8)
    await check_watchlists(store)


async def test_undoing_the_import_takes_these_back_too(
    store: Store, clock: Watch, ben: User, waiting: str
) -> None:
    first, *_ = await rows_of(store, clock, ben, waiting)
    await settle(asks(store, clock, ben), TITLES, waiting, first.row_id, DARK)
    seen = await undone(store, clock, ben)
    assert (seen.removed, seen.kept) == (6, 0)
    assert await lists_now(store) == {}
    assert await everything_of(store.engine, UnmatchedRow) == []


async def test_a_title_that_nobody_knows_is_refused(
    store: Store, clock: Watch, ben: User, waiting: str
) -> None:
    first, *_ = await rows_of(store, clock, ben, waiting)
    with pytest.raises(NotFound):
        await settle(
            asks(store, clock, ben), TITLES, waiting, first.row_id, TitleId("MOVIE", "999999999")
        )
    assert len(await rows_of(store, clock, ben, waiting)) == 3


async def test_a_title_that_is_there_already_settles_the_row(
    store: Store, clock: Watch, ben: User, waiting: str
) -> None:
    *_, third = await rows_of(store, clock, ben, waiting)
    alien = TitleId("MOVIE", "348")
    await settle(asks(store, clock, ben), TITLES, waiting, third.row_id, alien)
    seen = await WatchlistImports(asks(store, clock, ben)).see()
    assert (seen.settled, seen.added) == (1, 5)


async def test_a_row_can_be_let_go(store: Store, clock: Watch, ben: User, waiting: str) -> None:
    first, *_ = await rows_of(store, clock, ben, waiting)
    await dismiss(asks(store, clock, ben), waiting, first.row_id)
    assert (await WatchlistImports(asks(store, clock, ben)).see()).open_rows == 2
    for again in (dismiss(asks(store, clock, ben), waiting, first.row_id),):
        with pytest.raises(NotFound):
            await again


async def test_of_two_who_settle_a_row_one_does(
    store: Store, clock: Watch, ben: User, waiting: str
) -> None:
    _, second, _ = await rows_of(store, clock, ben, waiting)
    tried = await asyncio.gather(
        *(
            settle(asks(store, clock, ben), TITLES, waiting, second.row_id, title)
            for title in (DARK, MATRIX)
        ),
        return_exceptions=True,
    )
    assert sum(isinstance(one, OpenRow) for one in tried) == 1
    assert sum(isinstance(one, CommonroomError) for one in tried) == 1
    assert (await WatchlistImports(asks(store, clock, ben)).see()).settled == 1
    assert len((await lists_now(store))["Letterboxd likes"]) == 1


async def test_they_are_nobody_elses(
    store: Store, clock: Watch, ben: User, eve: User, waiting: str
) -> None:
    first, *_ = await rows_of(store, clock, ben, waiting)
    with pytest.raises(NotFound):
        await open_row(asks(store, clock, eve), waiting, first.row_id)
    await prepared(store, clock, eve, LETTERBOXD, "letterboxd.zip")
    with pytest.raises(Conflict):
        await settle(asks(store, clock, eve), TITLES, waiting, first.row_id, DARK)


@pytest.mark.parametrize("row_id", ["", "x", "1", "0-99999", "-", "0-0-0", "00000000-1", "٣-1"])
async def test_an_id_that_is_none_is_not_there(
    store: Store, clock: Watch, ben: User, waiting: str, row_id: str
) -> None:
    with pytest.raises(NotFound):
        await open_row(asks(store, clock, ben), waiting, row_id)


async def test_other_files_take_their_place(
    store: Store, clock: Watch, ben: User, waiting: str
) -> None:
    await prepared(store, clock, ben, LETTERBOXD, "letterboxd.zip")
    await tidied(store, clock)
    assert await everything_of(store.engine, UnmatchedRow) == []
    with pytest.raises(Conflict):
        await open_rows(asks(store, clock, ben), waiting)
