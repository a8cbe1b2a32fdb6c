"""Titles that only an import told of go when it is undone, unless somebody uses them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeAlias

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import NotFound
from commonroom.store import Store
from commonroom.timers.tables import Timer
from commonroom.titles.stored_titles import id_of, load_title, title_ref
from commonroom.titles.tables import Movie
from commonroom.titles.title_edits import change_title
from commonroom.titles.title_fields import TitleDraft
from commonroom.titles.titles import TitleId
from commonroom.watchlists.rules.imports import WatchlistImportChoices
from commonroom.watchlists.service.imports.lifecycle import WatchlistImports
from commonroom.watchlists.service.ratings import rate
from commonroom.watchlists.service.seen import mark_seen
from commonroom.watchlists.service.unused_titles import REMOVE, mark_unused, remove_unused
from commonroom.watchlists.tables import MadeTitle, OwnTitle
from tests.accounts.people import Watch
from tests.support.fixtures import either
from tests.watchlists.examples import TITLES, asks, everything_of, list_of, tidied
from tests.watchlists.import_files import (
    NOW,
    check_watchlists,
    finished,
    imported,
    lists_now,
    own_list,
    prepared,
    seen_now,
    undone,
)

store = either

FILE = b"Date,Name,Year,Letterboxd URI,Rating\n2024-01-01,Winterfall,1983,u,4\n"
Use: TypeAlias = Callable[[Store, Watch, User, TitleId], Awaitable[object]]


@pytest.fixture(autouse=True)
def _today(clock: Watch) -> None:
    clock.now = NOW


async def winterfall(store: Store) -> TitleId:
    """The title that the import has made."""
    (found,) = await made(store)
    return id_of(found)


async def made(store: Store) -> list[Movie]:
    """What imports have added to the catalogue."""
    found = await everything_of(store.engine, Movie)
    return [one for one in found if one.title in ("Winterfall", "Mia turns seven")]


async def later(store: Store, clock: Watch) -> None:
    """Everything is done that is due within minutes."""
    for _ in range(3):
        clock.now += 100
        await tidied(store, clock)


async def listed(store: Store, clock: Watch, person: User, title: TitleId) -> None:
    await list_of(store, clock, person, title)


async def rated(store: Store, clock: Watch, person: User, title: TitleId) -> None:
    await rate(asks(store, clock, person), TITLES, title, rating=7)


async def reviewed(store: Store, clock: Watch, person: User, title: TitleId) -> None:
    await rate(asks(store, clock, person), TITLES, title, review="Fine.")


async def seen(store: Store, clock: Watch, person: User, title: TitleId) -> None:
    await mark_seen(asks(store, clock, person), TITLES, title)


USES: list[Use] = [listed, rated, reviewed, seen]


async def test_nothing_is_left_in_the_catalogue(store: Store, clock: Watch, ada: User) -> None:
    rows = "list,Mine,,,,,,,no,,", "film,Mia turns seven,2024,,,,,,,,"
    await imported(store, clock, ada, FILE, "ratings.csv")
    await undone(store, clock, ada)
    await imported(store, clock, ada, own_list("More", *rows))
    await undone(store, clock, ada)
    await later(store, clock)
    assert await made(store) == []
    assert await everything_of(store.engine, MadeTitle, OwnTitle) == []
    await check_watchlists(store)


@pytest.mark.parametrize("use", USES)
async def test_what_somebody_else_uses_stays(
    store: Store, clock: Watch, ada: User, ben: User, use: Use
) -> None:
    await imported(store, clock, ada, FILE, "ratings.csv")
    title = await winterfall(store)
    await use(store, clock, ben, title)
    await undone(store, clock, ada)
    await later(store, clock)
    assert await load_title(store, title) is not None
    await check_watchlists(store)


async def test_what_an_administrator_corrected_stays(store: Store, clock: Watch, ada: User) -> None:
    await imported(store, clock, ada, FILE, "ratings.csv")
    title = await winterfall(store)
    await change_title(asks(store, clock, ada), title, TitleDraft(title="Winterfall", year=1984))
    await undone(store, clock, ada)
    await later(store, clock)
    assert await load_title(store, title) is not None


async def hidden(store: Store, clock: Watch, ada: User) -> tuple[TitleId, Timer]:
    """A title that nobody used when it was looked at, and what waits to look once more."""
    await imported(store, clock, ada, FILE, "ratings.csv")
    title = await winterfall(store)
    await undone(store, clock, ada)
    assert await load_title(store, title) is None
    (waiting,) = [one for one in await everything_of(store.engine, Timer) if one.kind == REMOVE]
    return title, waiting


@pytest.mark.parametrize("use", USES)
async def test_whoever_uses_it_before_it_goes_gets_it_back(
    store: Store, clock: Watch, ada: User, ben: User, use: Use
) -> None:
    title, _ = await hidden(store, clock, ada)
    await use(store, clock, ben, title)
    await later(store, clock)
    kept = await load_title(store, title)
    assert kept is not None
    assert not kept.is_unused
    await check_watchlists(store)


@pytest.mark.parametrize("use", USES)
async def test_use_and_removal_at_once_leave_no_use_without_its_title(
    store: Store, clock: Watch, ada: User, ben: User, use: Use
) -> None:
    title, waiting = await hidden(store, clock, ada)
    done = await asyncio.gather(
        use(store, clock, ben, title),
        remove_unused(store, waiting, clock()),
        mark_unused(store, waiting, clock()),
        return_exceptions=True,
    )
    assert [one for one in done if isinstance(one, Exception) and type(one) is not NotFound] == []
    await later(store, clock)
    assert (await store.get(title_ref(title)) is None) == isinstance(done[0], NotFound)
    await check_watchlists(store)


async def test_an_import_that_found_it_before_it_went_makes_it_again(
    store: Store, clock: Watch, ada: User, ben: User
) -> None:
    await imported(store, clock, ada, FILE, "ratings.csv")
    ready = await prepared(store, clock, ben, FILE, "ratings.csv")
    await undone(store, clock, ada)
    await later(store, clock)
    assert await made(store) == []
    await WatchlistImports(Context(store, ben, clock())).start(
        ready.import_id, WatchlistImportChoices()
    )
    over = await finished(store, clock, ben)
    assert (over.added, over.failed) == (1, 0)
    assert await seen_now(store, ben) == {"Winterfall": None}
    assert await lists_now(store) == {}
