"""A list that somebody follows, for the tests of what followers are told."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.notifications.tables import Notification
from commonroom.store import Store
from commonroom.titles.titles import TitleId
from commonroom.watchlists import notifications
from commonroom.watchlists.consumers import list_updates
from commonroom.watchlists.service.items import remove_item
from commonroom.watchlists.service.saves import follow_list
from commonroom.watchlists.tables import Watchlist
from tests.accounts.people import Watch
from tests.watchlists.examples import MATRIX, add_item, asks, everything_of, list_of, tidied

SOON = list_updates.SETTLED_SECONDS + 1


class Followed:
    """A list of Ada's that Ben follows, with one title that he knows."""

    def __init__(self, store: Store, clock: Watch, ada: User, watchlist: Watchlist) -> None:
        self.store, self.clock, self.ada, self.watchlist = store, clock, ada, watchlist
        self.id = watchlist.watchlist_id

    async def add(self, *titles: TitleId, by: User | None = None) -> None:
        """Adds titles, one after the other."""
        for one in titles:
            self.clock.forward(1)
            ctx = asks(self.store, self.clock, by or self.ada)
            await add_item(ctx, self.id, one.content_type, one.content_id)

    async def remove(self, *titles: TitleId) -> None:
        for one in titles:
            await remove_item(asks(self.store, self.clock, self.ada), self.id, one)

    async def pass_time(self, seconds: float = SOON) -> None:
        """Lets consumers follow, time pass, and what is due then be done."""
        await tidied(self.store, self.clock)
        self.clock.forward(seconds)
        await tidied(self.store, self.clock)
        for _ in range(8):  # each step of a round asks to be called a second later
            self.clock.forward(1)
            await tidied(self.store, self.clock)

    async def notifications(self) -> list[Notification]:
        found = await everything_of(self.store.engine, Notification)
        updates = [one for one in found if one.kind == notifications.UPDATED.name]
        return sorted(updates, key=lambda one: one.made_at)

    async def told(self) -> list[str]:
        """What people were told, as they read it; what is settled is shown no more."""
        shown = [one for one in await self.notifications() if one.settled_at is None]
        return [notifications.UPDATED.words(one.facts).title for one in shown]


@pytest.fixture
async def followed(store: Store, clock: Watch, ada: User, ben: User) -> Followed:
    made = await list_of(store, clock, ada, MATRIX, title="Rain")
    clock.forward(1)
    await follow_list(asks(store, clock, ben), made.watchlist_id)
    await tidied(store, clock)
    return Followed(store, clock, ada, made)
