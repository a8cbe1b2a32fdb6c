"""Followers of a curator are told of a new public list, once."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.notifications.tables import Notification
from commonroom.store import Store, update
from commonroom.timers import timer
from commonroom.watchlists.consumers import announcements
from commonroom.watchlists.service import curators
from commonroom.watchlists.service.follows import follow
from commonroom.watchlists.service.lists import ListChange, change_list
from tests.accounts.people import Watch
from tests.watchlists.examples import (
    ALIEN,
    MATRIX,
    add_item,
    asks,
    everything_of,
    list_of,
    now_of,
    somebody,
    tidied,
)

LATER = announcements.ANNOUNCE_AFTER + 1


async def told(store: Store) -> list[str]:
    """The lists that people were told of."""
    found = await everything_of(store.engine, Notification)
    return sorted(one.facts["list"] for one in found if one.kind == "watchlist_new_list")


@pytest.fixture
async def followed(store: Store, clock: Watch, ada: User, ben: User) -> User:
    """Ada, whom Ben follows."""
    await follow(asks(store, clock, ben), ada.user_id)
    return ada


async def test_after_a_while_and_once(store: Store, clock: Watch, followed: User) -> None:
    made = await list_of(store, clock, followed, MATRIX, title="Space")
    await tidied(store, clock)
    assert await told(store) == []
    clock.forward(LATER)
    await tidied(store, clock)
    assert await told(store) == ["Space"]
    ctx = asks(store, clock, followed)
    for is_public in (False, True):
        await change_list(ctx, made.watchlist_id, ListChange(is_public=is_public))
    await add_item(ctx, made.watchlist_id, "MOVIE", ALIEN.content_id)
    clock.forward(LATER)
    await tidied(store, clock)
    assert await told(store) == ["Space"]
    assert (await now_of(store, made)).announced_at is not None


async def test_not_of_private_or_empty_lists_until_they_are_neither(
    store: Store, clock: Watch, followed: User
) -> None:
    empty = await list_of(store, clock, followed, title="Empty")
    hidden = await list_of(store, clock, followed, MATRIX, title="Hidden", is_public=False)
    clock.forward(LATER)
    await tidied(store, clock)
    assert await told(store) == []
    ctx = asks(store, clock, followed)
    await add_item(ctx, empty.watchlist_id, "MOVIE", ALIEN.content_id)
    await change_list(ctx, hidden.watchlist_id, ListChange(is_public=True))
    await tidied(store, clock)
    clock.forward(LATER)
    await tidied(store, clock)
    assert await told(store) == ["Empty", "Hidden"]


async def test_not_where_the_list_turned_private_or_its_curator_was_suspended_meanwhile(
    store: Store, clock: Watch, followed: User, root: User
) -> None:
    made = await list_of(store, clock, followed, MATRIX, title="Hidden")
    await list_of(store, clock, followed, MATRIX, title="Spam")
    await tidied(store, clock)
    ctx = asks(store, clock, followed)
    await change_list(ctx, made.watchlist_id, ListChange(is_public=False))
    clock.forward(1)
    await curators.decide(asks(store, clock, root), followed.user_id, "suspend", "Spam.")
    clock.forward(LATER)
    await tidied(store, clock)
    assert await told(store) == []


async def test_many_followers_are_told_page_by_page_and_an_interruption_repeats_nothing(
    store: Store, clock: Watch, followed: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(announcements, "BATCH", 2)
    for number in range(4):
        person = await somebody(store, clock, f"Guest {number}")
        await follow(asks(store, clock, person), followed.user_id)
    made = await list_of(store, clock, followed, MATRIX, title="Space")
    await tidied(store, clock)
    for _ in range(6):
        clock.forward(LATER)
        await tidied(store, clock)
    assert await told(store) == ["Space"] * 5
    await store.write(update(made.ref, announced_at=None))
    waited = timer(announcements.ANNOUNCE, clock(), {"watchlist_id": made.watchlist_id})
    while await announcements.announce(store, waited, clock()) is not None:
        pass
    assert await told(store) == ["Space"] * 5
