"""Followers of a list are told what was added to it, once a day at most, whoever is stopped."""

from __future__ import annotations

import pytest

from commonroom.moments import seconds
from commonroom.store import Store, put
from commonroom.store.streams import Change, Consumer, Worker
from commonroom.timers import Scheduler, timer
from commonroom.watchlists import notifications
from commonroom.watchlists.consumers import list_updates
from commonroom.watchlists.service.saves import follow_list
from commonroom.watchlists.tables import ListUpdate, Watchlist
from tests.accounts.people import DAY
from tests.watchlists.examples import ALIEN, DARK, HANDLERS, HEAT, asks, somebody, tidied
from tests.watchlists.followed import SOON, Followed, followed

__all__ = ["followed"]


async def test_titles_in_a_row_are_one_notification_that_says_what(followed: Followed) -> None:
    await followed.add(ALIEN, HEAT)
    await followed.pass_time(60)
    assert await followed.told() == []
    await followed.add(DARK)
    await followed.pass_time()
    (told,) = await followed.notifications()
    words = notifications.UPDATED.words(told.facts)
    assert words.title == "3 new titles on “Rain”"
    assert words.text == "Dark, Heat and Alien"
    assert told.link == f"/lists/{followed.id}"


async def test_once_a_day_and_then_of_all_that_is_new_since_the_last_visit(
    followed: Followed,
) -> None:
    await followed.add(ALIEN)
    await followed.pass_time()
    await followed.add(HEAT)
    await followed.pass_time(DAY - 2 * SOON)
    assert await followed.told() == ["1 new title on “Rain”"]
    await followed.pass_time(2 * SOON)
    assert await followed.told() == ["1 new title on “Rain”", "2 new titles on “Rain”"]
    first, second = await followed.notifications()
    assert seconds(second.made_at) - seconds(first.made_at) >= DAY


async def test_what_is_added_while_followers_are_told_is_told_the_next_day(
    followed: Followed,
) -> None:
    await followed.add(ALIEN)
    await tidied(followed.store, followed.clock)
    followed.clock.forward(SOON)
    scheduler = Scheduler(followed.store, HANDLERS, clock=followed.clock)
    await scheduler.once()  # it begins
    await followed.add(HEAT)
    await followed.pass_time()
    assert len(await followed.told()) == 1
    await followed.pass_time(DAY)
    assert len(await followed.told()) == 2


async def test_removing_all_that_was_added_settles_it_and_some_of_it_corrects_it(
    followed: Followed,
) -> None:
    await followed.add(ALIEN, HEAT)
    await followed.pass_time()
    await followed.remove(ALIEN)
    await followed.pass_time(2 * list_updates.REVISE_SECONDS)
    assert await followed.told() == ["1 new title on “Rain”"]
    await followed.remove(HEAT)
    await followed.pass_time(2 * list_updates.REVISE_SECONDS)
    assert await followed.told() == []
    (settled,) = await followed.notifications()
    assert settled.read_at is not None


async def test_many_are_told_page_by_page_and_whoever_is_stopped_goes_on(
    followed: Followed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(list_updates, "BATCH", 2)
    for number in range(4):
        person = await somebody(followed.store, followed.clock, f"Guest {number}")
        await follow_list(asks(followed.store, followed.clock, person), followed.id)
    await followed.add(ALIEN)
    await tidied(followed.store, followed.clock)
    followed.clock.forward(SOON)
    waited = timer(list_updates.TELL, followed.clock(), {"watchlist_id": followed.id})

    async def step() -> float | None:
        return await list_updates.tell_followers(followed.store, waited, followed.clock())

    assert await step() is not None  # it begins
    before = await followed.store.get(ListUpdate.at(watchlist_id=followed.id))
    assert before is not None
    assert await step() is not None
    assert len(await followed.told()) == 2
    # Stopped after telling, and before that was noted: the same two are not told again.
    await followed.store.write(put(before))
    assert await step() is not None
    assert len(await followed.told()) == 2
    while await step() is not None:
        pass
    assert len(await followed.told()) == 5
    assert len({one.user_id for one in await followed.notifications()}) == 5


async def test_records_that_come_again_open_no_other_round(followed: Followed) -> None:
    changes: list[Change] = []

    async def remember(_store: Store, change: Change) -> None:
        changes.append(change)

    spy = Consumer("spy", (Watchlist,), remember)
    await Worker(followed.store, [spy], clock=followed.clock).drain()
    await followed.add(ALIEN)
    await Worker(followed.store, [spy], clock=followed.clock).drain()
    await followed.pass_time()
    followed.clock.forward(2 * DAY)
    for change in changes:
        await list_updates.follow_list(followed.store, change)
    await followed.pass_time()
    assert len(await followed.told()) == 1
    assert any(change.new.added_count == 2 for change in changes)
