"""A household in which everything is as it should be, and the means to break something of it."""

from __future__ import annotations

from typing import Any

from commonroom.accounts.tables import User
from commonroom.movienight.checks import checks
from commonroom.movienight.service.members import add_managed
from commonroom.movienight.service.rounds.votes import propose, rate, vote
from commonroom.movienight.tables import Household, HouseholdMembership, Pick, Round
from commonroom.movienight.tables import tables as movienight
from commonroom.store import Entity, Store
from commonroom.store.checking import KeyCheck, ReportedProblem, check_store
from commonroom.store.values import Item
from tests.accounts.people import Watch
from tests.movienight.evenings import TABLES, home_of, now_of, somebody
from tests.movienight.rounds_support import Evening, Shelf, film
from tests.support.context import at

WISHED, PROPOSED = 29, 30
MARKS = {"version", "updated_at"}
"""What a repair may leave otherwise than it was."""


class House:
    """Ada's household with Ben and his child Zoe; Eve has one of her own."""

    ada: User
    ben: User
    eve: User
    zoe: User
    home: Household
    hers: Household
    """Eve's."""
    watched: Round
    selected: Round
    voting: Round

    def __init__(self, store: Store, clock: Watch) -> None:
        self.store, self.clock = store, clock
        self.evening = Evening(store, clock, Shelf([film(number) for number in range(1, 31)]))

    @classmethod
    async def furnished(cls, store: Store, clock: Watch) -> House:
        """All of it, with a film that was watched, one that waits, and a vote."""
        house = cls(store, clock)
        evening = house.evening
        house.ada, house.ben, house.eve = [
            await somebody(store, clock, name) for name in ("Ada", "Ben", "Eve")
        ]
        home = await home_of(store, clock, house.ada, house.ben)
        house.hers = await home_of(store, clock, house.eve)
        bens = at(store, clock(), await evening.ctx(house.ben))
        house.zoe = await add_managed(bens, display_name="Zoe")
        for person in (house.ada, house.ben):
            await evening.likes(person)
        await evening.wish(house.ben, WISHED)
        house.watched = await evening.watched(house.ada)
        adas = at(store, evening.now(), await evening.ctx(house.ada))
        await rate(adas, house.watched.round_id, "loved")
        house.selected = await evening.selected(house.ada)
        house.voting = await evening.voting(house.ada)
        await propose(adas, evening.films, house.voting.round_id, PROPOSED)
        await vote(adas, house.voting.round_id, PROPOSED, "up")
        house.home = await now_of(store, home)
        return house

    async def now(self, thing: Any) -> Any:
        """The same thing as it is stored now."""
        return await now_of(self.store, thing)

    async def ctx(self, person: User) -> HouseholdMembership:
        """Somebody's membership."""
        group_id = self.hers.group_id if person is self.eve else self.home.group_id
        found = await self.store.get(
            HouseholdMembership.at(group_id=group_id, user_id=person.user_id)
        )
        assert found is not None
        return found

    async def pick(self, round_: Round) -> Pick:
        """The film of a round."""
        found = await self.evening.pick_of(round_)
        assert found is not None
        return found

    async def load(self, thing: Entity, **attributes: Any) -> None:
        """Puts something there as if it had always been so, with attributes that nobody checks."""
        item = (await self.now(thing)).to_item() | attributes
        left = {name: value for name, value in item.items() if value is not None}
        await self.store.engine.load(thing.schema.table, [left])

    async def everything(self) -> list[Item]:
        """All that is stored of the room, but for what any change raises."""
        kept: list[Item] = []
        for table in movienight:
            items = (await self.store.engine.scan(table, limit=1000)).items
            kept += [_without_marks(one) for one in items]
        return sorted(kept, key=lambda item: sorted(map(repr, item.items())))

    async def drift(self, *, repair: bool = False) -> list[ReportedProblem]:
        """What `commonroom check` finds wrong, and what it mends where it may."""
        reported: list[ReportedProblem] = []
        await check_store(
            self.store,
            TABLES,
            [KeyCheck(), *checks()],
            repair=repair,
            report=reported.append,
            progress=lambda *_: None,
        )
        return reported


def _without_marks(item: Item) -> Item:
    # What is empty may as well be absent.
    return {name: value for name, value in item.items() if name not in MARKS and value}
