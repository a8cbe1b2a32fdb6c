"""An import is taken back as a whole, but for what somebody changed since."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.errors import Conflict
from commonroom.store import Store
from commonroom.watchlists.rules.imports import WatchlistImportChoices
from commonroom.watchlists.service import lists
from commonroom.watchlists.service.imports.lifecycle import WatchlistImports
from commonroom.watchlists.service.items import change_note
from commonroom.watchlists.service.ratings import rate
from commonroom.watchlists.service.seen import mark_seen
from commonroom.watchlists.tables import ImportStep, UnmatchedRow, Watchlist
from tests.accounts.people import Watch
from tests.support.fixtures import either
from tests.watchlists.examples import (
    ALIEN,
    MATRIX,
    TITLES,
    add_item,
    asks,
    everything_of,
    list_of,
)
from tests.watchlists.import_files import (
    LETTERBOXD,
    NOW,
    check_watchlists,
    finished,
    imported,
    lists_now,
    own_list,
    prepared,
    ratings_now,
    seen_now,
    undone,
)

store = either


@pytest.fixture(autouse=True)
def today(clock: Watch) -> None:
    """When the files were exported."""
    clock.now = NOW


async def made_list(store: Store, title: str) -> Watchlist:
    """A list that came by the import."""
    (found,) = [one for one in await everything_of(store.engine, Watchlist) if one.title == title]
    return found


async def test_nothing_is_left_of_it(store: Store, clock: Watch, ben: User) -> None:
    await imported(store, clock, ben, LETTERBOXD, "letterboxd.zip", unknown="leave")
    clock.now += 10
    seen = await undone(store, clock, ben)
    assert (seen.state, seen.removed, seen.kept) == ("undone", 5, 0)
    left = await lists_now(store), await ratings_now(store), await seen_now(store)
    assert left == ({}, {}, {})
    assert await everything_of(store.engine, ImportStep, UnmatchedRow) == []
    await check_watchlists(store)


async def test_what_was_there_before_stays(store: Store, clock: Watch, ada: User) -> None:
    await list_of(store, clock, ada, ALIEN, title="Autumn evenings")
    await rate(asks(store, clock, ada), TITLES, MATRIX, rating=2, review="Hm.")
    await imported(store, clock, ada, LETTERBOXD, "letterboxd.zip", rated="replace")
    assert (await ratings_now(store))["The Matrix"] == (9, "Still good,\n& green.")
    seen = await undone(store, clock, ada)
    assert (seen.removed, seen.kept) == (seen.added, 0)
    assert await lists_now(store) == {"Autumn evenings": [("Alien", None)]}
    assert await ratings_now(store) == {"The Matrix": (2, "Hm.")}
    assert await seen_now(store) == {"The Matrix": None}
    await check_watchlists(store)


async def test_what_was_changed_since_stays_and_is_named(
    store: Store, clock: Watch, ben: User
) -> None:
    done = await imported(store, clock, ben, LETTERBOXD, "letterboxd.zip")
    autumn = await made_list(store, "Autumn evenings")
    clock.now += 10
    await rate(asks(store, clock, ben), TITLES, MATRIX, rating=4)
    await mark_seen(asks(store, clock, ben), TITLES, ALIEN, "2021-01-01")
    await change_note(asks(store, clock, ben), autumn.watchlist_id, ALIEN, "Mine now")
    seen = await undone(store, clock, ben)
    assert (seen.removed, seen.kept) == (done.added - 3, 3)
    assert sorted(one.title or "" for one in seen.kept_notes) == ["Alien", "Alien", "The Matrix"]
    assert await lists_now(store) == {"Autumn evenings": [("Alien", "Mine now")]}
    assert await ratings_now(store) == {"The Matrix": (4, "Still good,\n& green.")}
    assert await seen_now(store) == {"The Matrix": "2023-05-05", "Alien": "2021-01-01"}
    await check_watchlists(store)


async def test_a_list_to_which_something_was_added_stays_with_it(
    store: Store, clock: Watch, ben: User
) -> None:
    await imported(store, clock, ben, LETTERBOXD, "letterboxd.zip")
    likes = await made_list(store, "Letterboxd likes")
    await add_item(asks(store, clock, ben), likes.watchlist_id, "MOVIE", "603")
    await undone(store, clock, ben)
    assert await lists_now(store) == {"Letterboxd likes": [("The Matrix", None)]}


async def test_a_list_with_another_name_stays(store: Store, clock: Watch, ben: User) -> None:
    await imported(store, clock, ben, LETTERBOXD, "letterboxd.zip")
    likes = await made_list(store, "Letterboxd likes")
    change = lists.ListChange(title="Love")
    await lists.change_list(asks(store, clock, ben), likes.watchlist_id, change)
    await undone(store, clock, ben)
    assert await lists_now(store) == {"Love": []}


async def test_what_its_owner_took_away_already_is_no_trouble(
    store: Store, clock: Watch, ben: User
) -> None:
    done = await imported(store, clock, ben, LETTERBOXD, "letterboxd.zip")
    autumn = await made_list(store, "Autumn evenings")
    await lists.delete_list(asks(store, clock, ben), autumn.watchlist_id)
    seen = await undone(store, clock, ben)
    assert (seen.removed, seen.kept) == (done.added - 2, 0)
    assert await lists_now(store) == {}


async def test_one_that_was_stopped_can_be_undone(store: Store, clock: Watch, ben: User) -> None:
    ready = await prepared(store, clock, ben, LETTERBOXD, "letterboxd.zip")
    await WatchlistImports(asks(store, clock, ben)).start(ready.import_id, WatchlistImportChoices())
    await WatchlistImports(asks(store, clock, ben)).cancel()
    stopped = await finished(store, clock, ben)
    assert stopped.state == "cancelled"
    with pytest.raises(Conflict):
        await WatchlistImports(asks(store, clock, ben)).start(
            ready.import_id, WatchlistImportChoices()
        )
    seen = await undone(store, clock, ben)
    assert seen.state == "undone"
    with pytest.raises(Conflict):
        await WatchlistImports(asks(store, clock, ben)).undo(ready.import_id)


async def test_a_long_list_is_undone_in_steps(store: Store, clock: Watch, ben: User) -> None:
    rows = [f"film,T{n:03d},1990,,,,note {n},,,{'yes' if n == 40 else ''}," for n in range(110)]
    done = await imported(store, clock, ben, own_list("Long", *rows))
    assert done.added == 110
    seen = await undone(store, clock, ben)
    assert (seen.removed, seen.kept) == (110, 0)
    assert await lists_now(store) == {}
    await check_watchlists(store)
