"""Followers of a list are told what was added to it, once a day at most."""

from __future__ import annotations

import pytest

from commonroom.accounts.service.blocks import block
from commonroom.accounts.tables import User
from commonroom.moments import iso
from commonroom.notifications.imported import quiet_after_import
from commonroom.store import Store, put, update
from commonroom.store.streams.tables import LastImport
from commonroom.timers import Scheduler, timer
from commonroom.watchlists import notifications
from commonroom.watchlists.consumers import list_updates
from commonroom.watchlists.room import WATCHLISTS
from commonroom.watchlists.service import collaborators, curators
from commonroom.watchlists.service.items import NewWatchlistItem, add_items
from commonroom.watchlists.service.lists import ListChange, change_list, delete_list
from commonroom.watchlists.service.saves import follow_list, visit_now
from commonroom.watchlists.tables import ListUpdate
from tests.accounts.people import DAY, Watch
from tests.watchlists.examples import (
    ALIEN,
    HEAT,
    MATRIX,
    TITLES,
    add_item,
    asks,
    everything_of,
    list_of,
    now_of,
    somebody,
    stock,
    stocked,
    tidied,
)
from tests.watchlists.followed import Followed, followed

__all__ = ["followed"]


async def test_many_titles_are_counted_and_some_named(followed: Followed) -> None:
    await stock(followed.store, 30)
    wanted = [NewWatchlistItem("MOVIE", stocked(number).content_id) for number in range(30)]
    followed.clock.forward(1)
    ctx = asks(followed.store, followed.clock, followed.ada)
    await add_items(ctx, TITLES, followed.id, wanted)
    await followed.pass_time()
    (told,) = await followed.notifications()
    words = notifications.UPDATED.words(told.facts)
    assert words.title == "30 new titles on “Rain”"
    assert words.text.endswith("and 27 more")


async def test_whoever_has_seen_it_meanwhile_is_not_told(followed: Followed, ben: User) -> None:
    await followed.add(ALIEN)
    followed.clock.forward(1)
    await visit_now(asks(followed.store, followed.clock, ben), followed.id)
    await followed.pass_time()
    assert await followed.told() == []


async def _join(followed: Followed, person: User) -> None:
    ctx = asks(followed.store, followed.clock, followed.ada)
    link = await collaborators.create_link(ctx, followed.id, "join")
    await collaborators.join(asks(followed.store, followed.clock, person), followed.id, link)
    await tidied(followed.store, followed.clock)


async def test_whoever_added_it_is_not_told(followed: Followed, ben: User, eve: User) -> None:
    await follow_list(asks(followed.store, followed.clock, eve), followed.id)
    await _join(followed, ben)
    await followed.add(ALIEN, by=ben)
    await followed.pass_time()
    assert [one.user_id for one in await followed.notifications()] == [eve.user_id]


@pytest.mark.parametrize("is_owner", [True, False])
async def test_nobody_is_told_of_whom_they_blocked_nor_who_blocked_them(
    followed: Followed, ben: User, eve: User, *, is_owner: bool
) -> None:
    cal = await somebody(followed.store, followed.clock, "Cal")
    await _join(followed, cal)
    by = followed.ada if is_owner else cal
    await follow_list(asks(followed.store, followed.clock, eve), followed.id)
    await block(asks(followed.store, followed.clock, ben), by.user_id, "Name")
    await block(asks(followed.store, followed.clock, by), eve.user_id, "Name")
    await followed.add(ALIEN, by=await now_of(followed.store, by))
    await followed.pass_time()
    assert await followed.told() == []


async def test_not_of_lists_that_turned_private_or_whose_curator_was_suspended(
    followed: Followed, root: User
) -> None:
    ctx = asks(followed.store, followed.clock, followed.ada)
    await followed.add(ALIEN)
    await change_list(ctx, followed.id, ListChange(is_public=False))
    await followed.pass_time()
    await change_list(ctx, followed.id, ListChange(is_public=True))
    await followed.add(HEAT)
    await curators.decide(
        asks(followed.store, followed.clock, root), followed.ada.user_id, "suspend", "No."
    )
    await followed.pass_time()
    assert await followed.told() == []


async def test_turning_private_settles_what_was_told(followed: Followed) -> None:
    await followed.add(ALIEN)
    await followed.pass_time()
    assert len(await followed.told()) == 1
    ctx = asks(followed.store, followed.clock, followed.ada)
    await change_list(ctx, followed.id, ListChange(is_public=False))
    await followed.pass_time(2 * list_updates.REVISE_SECONDS)
    assert await followed.told() == []


async def test_what_was_removed_before_anybody_was_told_uses_up_no_day(followed: Followed) -> None:
    await followed.add(ALIEN)
    await followed.remove(ALIEN)
    await followed.pass_time()
    assert await followed.told() == []
    await followed.add(HEAT)
    await followed.pass_time()
    assert await followed.told() == ["1 new title on “Rain”"]


async def test_whoever_turned_it_off_hears_nothing(followed: Followed, ben: User) -> None:
    off = {notifications.UPDATED.preference.name: False}  # type: ignore[union-attr] # it has one
    await followed.store.write(update(ben.ref, notification_prefs=off))
    await followed.add(ALIEN)
    await followed.pass_time()
    assert await followed.told() == []


async def test_it_goes_to_list_and_push_unless_somebody_chooses_otherwise() -> None:
    preference = notifications.UPDATED.preference
    assert preference is not None
    assert preference.channels == {"list", "push"}


async def test_nothing_that_an_import_brings_is_told(followed: Followed) -> None:
    await followed.add(ALIEN)
    followed.clock.forward(60)
    # The records of the list as it came, and a timer that was due when it came.
    await followed.store.write(put(LastImport(imported_at=followed.clock())))
    await followed.pass_time()
    assert await followed.told() == []
    due = timer(list_updates.TELL, followed.clock() - 10, {"watchlist_id": followed.id})
    waiting = ListUpdate(watchlist_id=followed.id, since=iso(0), due_at=due.due_at)
    await followed.store.write(
        put(waiting), put(LastImport(imported_at=followed.clock())), put(due)
    )
    quiet = {kind: quiet_after_import(one) for kind, one in WATCHLISTS.data.timer_handlers.items()}
    scheduler = Scheduler(followed.store, quiet, clock=followed.clock)
    while await scheduler.once():
        followed.clock.forward(1)
    assert await followed.told() == []
    await followed.add(HEAT)
    await followed.pass_time()
    assert len(await followed.told()) == 1


async def test_a_round_whose_timer_was_given_up_is_opened_anew(followed: Followed) -> None:
    long_ago = iso(followed.clock() - 2 * DAY)
    lost = ListUpdate(watchlist_id=followed.id, since=long_ago, due_at=long_ago)
    await followed.store.write(put(lost))
    await followed.add(ALIEN)
    await followed.pass_time()
    assert await followed.told() == ["1 new title on “Rain”"]


async def test_nothing_is_left_of_a_list_that_is_deleted(followed: Followed) -> None:
    await followed.add(ALIEN)
    await followed.pass_time()
    await delete_list(asks(followed.store, followed.clock, followed.ada), followed.id)
    await followed.pass_time()
    assert await everything_of(followed.store.engine, ListUpdate) == []
    assert await followed.told() == []


async def test_a_list_that_nobody_follows_costs_nothing(
    store: Store, clock: Watch, ada: User
) -> None:
    made = await list_of(store, clock, ada, MATRIX, title="Alone")
    clock.forward(1)
    await add_item(asks(store, clock, ada), made.watchlist_id, "MOVIE", ALIEN.content_id)
    await tidied(store, clock)
    assert await everything_of(store.engine, ListUpdate) == []
