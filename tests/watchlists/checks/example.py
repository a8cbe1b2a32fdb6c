"""A room in which everything is as it should be, and the means to break something of it."""

from __future__ import annotations

from typing import Any

from commonroom.accounts.tables import User
from commonroom.store import Entity, Store
from commonroom.store.checking import CopyCheck, KeyCheck, ReportedProblem, check_store
from commonroom.titles.tables import worth_watch
from commonroom.watchlists.checks import checks
from commonroom.watchlists.service import collaborators, follows, saves
from commonroom.watchlists.service.comments import add_comment
from commonroom.watchlists.service.profiles import ensure_profile
from commonroom.watchlists.tables import (
    Comment,
    ListFacets,
    Profile,
    Watchlist,
    WatchlistItem,
)
from tests.accounts.people import Watch
from tests.watchlists.examples import (
    ALIEN,
    COPIES,
    HEAT,
    MATRIX,
    asks,
    curator,
    list_of,
    now_of,
    somebody,
    stock,
    tidied,
)

WATCHED = [one for one in COPIES if one.on[0].schema.table is worth_watch]


class House:
    """Ada's public list with three films, on which Ben collaborates, and which he follows."""

    ada: User
    ben: User
    profile: Profile
    hers: Watchlist
    matrix: WatchlistItem
    alien: WatchlistItem
    heat: WatchlistItem
    comment: Comment

    def __init__(self, store: Store, clock: Watch) -> None:
        self.store, self.clock = store, clock

    @classmethod
    async def furnished(cls, store: Store, clock: Watch) -> House:
        """All of it, with everything that follows."""
        house = cls(store, clock)
        await stock(store)
        house.ada, house.ben = (
            await curator(store, clock, "Ada"),
            await somebody(store, clock, "Ben"),
        )
        made = await list_of(store, clock, house.ada, MATRIX, ALIEN, HEAT, tags=["Noir"])
        at, bens = made.watchlist_id, asks(store, clock, house.ben)
        key = await collaborators.create_link(asks(store, clock, house.ada), at, "join")
        await collaborators.join(bens, at, key)
        await saves.follow_list(bens, at)
        await follows.follow(bens, house.ada.user_id)
        house.comment = (await add_comment(bens, at, "Fine.")).comment
        await tidied(store, clock)
        house.hers = await now_of(store, made)
        house.profile = await ensure_profile(asks(store, clock, house.ada))
        house.matrix, house.alien, house.heat = [
            await house.item(one.content_id) for one in (MATRIX, ALIEN, HEAT)
        ]
        return house

    async def item(self, content_id: str) -> WatchlistItem:
        """A film on the list."""
        key = {"watchlist_id": self.hers.watchlist_id, "content_type": "MOVIE"}
        found = await self.store.get(WatchlistItem.at(**key, content_id=content_id))
        assert found is not None
        return found

    async def facets(self) -> ListFacets:
        """What the list is found under."""
        found = await self.store.get(ListFacets.at(watchlist_id=self.hers.watchlist_id))
        assert found is not None
        return found

    async def load(self, thing: Entity, **attributes: Any) -> None:
        """Puts something there as if it had always been so, with attributes that nobody checks."""
        item = thing.to_item() | attributes
        left = {name: value for name, value in item.items() if value is not None}
        await self.store.engine.load(thing.schema.table, [left])

    async def drift(self, *, repair: bool = False) -> list[ReportedProblem]:
        """What `commonroom check` finds wrong, and what it mends where it may."""
        reported: list[ReportedProblem] = []
        await check_store(
            self.store,
            [worth_watch],
            [KeyCheck(), CopyCheck(WATCHED), *checks()],
            repair=repair,
            report=reported.append,
            progress=lambda *_: None,
        )
        return reported
