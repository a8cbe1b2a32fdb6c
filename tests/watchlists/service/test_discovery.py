"""Discovery of public lists, newest first."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.store import Store, counting
from commonroom.watchlists.service import discovery
from commonroom.watchlists.service.lists import ListChange, change_list
from commonroom.watchlists.tables import lists as tables
from tests.accounts.people import Watch
from tests.watchlists.examples import MATRIX, asks, list_of


async def found(store: Store, limit: int = 2) -> list[str]:
    """All public lists, page by page."""
    titles, cursor = [], None
    while True:
        page = await discovery.newest(store, limit=limit, cursor=cursor)
        titles += [one.title for one in page.items]
        if page.cursor is None:
            return titles
        cursor = page.cursor


async def test_public_lists_are_newest_first_without_private_and_empty_ones(
    store: Store, clock: Watch, ada: User
) -> None:
    for name in ("One", "Two", "Three"):
        clock.forward(1)
        await list_of(store, clock, ada, MATRIX, title=name)
    await list_of(store, clock, ada, MATRIX, title="Private", is_public=False)
    await list_of(store, clock, ada, title="Empty")
    assert await found(store) == ["Three", "Two", "One"]
    with counting() as count:
        await discovery.newest(store)
    assert count.requests == 1


async def test_what_is_published_later_is_the_newest(store: Store, clock: Watch, ada: User) -> None:
    draft = await list_of(store, clock, ada, MATRIX, title="Draft", is_public=False)
    clock.forward(10)
    await list_of(store, clock, ada, MATRIX, title="Other")
    clock.forward(10)
    await change_list(asks(store, clock, ada), draft.watchlist_id, ListChange(is_public=True))
    assert await found(store) == ["Draft", "Other"]


async def test_shards_can_grow_while_lists_are_there(
    store: Store, clock: Watch, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = []
    for number in range(12):
        if number == 4:
            monkeypatch.setattr(tables, "PUBLIC_SHARDS", 4)
        clock.forward(1)
        expected.append((await list_of(store, clock, ada, MATRIX, title=str(number))).title)
    assert await found(store, limit=5) == expected[::-1]
    with counting() as count:
        await discovery.newest(store)
    assert count.requests == 5
    old = (await discovery.newest(store, limit=12)).items[-1]
    for is_public in (False, True):
        await change_list(
            asks(store, clock, ada), old.watchlist_id, ListChange(is_public=is_public)
        )
        assert (old.title in await found(store)) is is_public


@pytest.mark.parametrize("value", ["", "a#b", "x" * 200])
async def test_what_nothing_can_be_under_finds_nothing(store: Store, value: str) -> None:
    assert (await discovery.browse(store, "tag", value)).items == []
