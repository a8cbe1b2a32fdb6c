"""Things to bring are claimed in parts, and never more of them than are needed."""

from __future__ import annotations

from typing import Any

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden, InvalidField, NotFound
from commonroom.hangouts.rules.bring_list import MAX_ITEMS, TooMany
from commonroom.hangouts.service.bring_list import (
    TypedBringItem,
    add_item,
    change_item,
    claim,
    remove_item,
    unclaim,
)
from commonroom.hangouts.service.edits import invite
from commonroom.hangouts.service.hangouts import cancel
from commonroom.hangouts.service.rsvps import TypedRsvp, answer
from commonroom.hangouts.tables import BringClaim, BringItem, FriendGroup, Hangout
from commonroom.store import Store, counting, update
from tests.accounts.people import Watch
from tests.hangouts.friends import child_of, everything_of, hangout_of, now_of
from tests.hangouts.plan_checks import check_bring_lists


class Potluck:
    """A hangout to which people bring things."""

    def __init__(self, store: Store, clock: Watch, hangout: Hangout) -> None:
        self.store, self.clock, self.hangout = store, clock, hangout

    def ctx(self, who: User) -> Context:
        return Context(self.store, who, self.clock())

    async def add(self, who: User, name: str = "Bread", needed: int = 2) -> BringItem:
        typed = TypedBringItem(name=name, needed=needed)
        return await add_item(self.ctx(who), self.hangout.hangout_id, typed)

    async def claim(
        self, who: User, item: BringItem, number: int = 1, *, child: User | None = None
    ) -> BringItem:
        return await claim(self.ctx(who), child or who, item.ref, number)

    async def unclaim(self, who: User, item: BringItem) -> BringItem:
        return await unclaim(self.ctx(who), who, item.ref)

    async def claimed(self, item: BringItem) -> int:
        await check_bring_lists(self.store.engine)
        return (await now_of(self.store, item)).claimed


@pytest.fixture
async def potluck(store: Store, clock: Watch, ada: User, friends: FriendGroup) -> Potluck:
    """A hangout of Ada's."""
    return Potluck(store, clock, await hangout_of(store, clock, ada, friends))


async def test_a_thing_is_claimed_in_parts_and_given_back(
    potluck: Potluck, ada: User, ben: User
) -> None:
    bread = await potluck.add(ada, needed=3)
    assert (await potluck.claim(ben, bread)).claimed == 1
    await potluck.claim(ada, bread, 2)
    assert await potluck.claimed(bread) == 3
    await potluck.claim(ada, bread, 1)  # instead of the two, not in addition
    assert await potluck.claimed(bread) == 2
    await potluck.unclaim(ben, bread)
    assert await potluck.claimed(bread) == 1
    with pytest.raises(NotFound):
        await potluck.unclaim(ben, bread)
    (left,) = await everything_of(potluck.store.engine, BringClaim)
    assert (left.user_name, left.number) == ("Ada", 1)


async def test_a_claim_too_many_is_refused_and_says_how_many_are_left(
    potluck: Potluck, ada: User, ben: User
) -> None:
    bread = await potluck.add(ada, needed=3)
    await potluck.claim(ada, bread, 2)
    with pytest.raises(TooMany, match="Only 1 more") as refused:
        await potluck.claim(ben, bread, 2)
    assert refused.value.extensions == {"left": 1}
    await potluck.claim(ben, bread)
    with pytest.raises(TooMany, match="already bring all") as refused:
        await potluck.claim(ben, bread, 2)
    assert refused.value.extensions == {"left": 0}
    assert await potluck.claimed(bread) == 3


async def test_a_child_brings_something_too(potluck: Potluck, ben: User, clock: Watch) -> None:
    lea = await child_of(potluck.store, clock, ben, "Lea")
    bread = await potluck.add(ben)
    await potluck.claim(ben, bread, child=lea)
    await potluck.claim(ben, bread)
    assert await potluck.claimed(bread) == 2


async def test_what_is_needed_is_never_less_than_what_is_claimed(
    potluck: Potluck, ada: User, ben: User
) -> None:
    bread = await potluck.add(ada, needed=4)
    await potluck.claim(ben, bread, 3)
    with pytest.raises(Conflict, match="3 are claimed"):
        await change_item(potluck.ctx(ada), bread.ref, {"needed": 2})
    changed = await change_item(potluck.ctx(ben), bread.ref, {"needed": 3, "name": "Baguette"})
    assert (changed.name, changed.needed) == ("Baguette", 3)
    await change_item(potluck.ctx(ben), bread.ref, {"note": "Wholemeal"})
    assert (await now_of(potluck.store, bread)).note == "Wholemeal"
    with pytest.raises(TooMany):
        await potluck.claim(ada, bread)


async def test_one_that_is_removed_cannot_be_claimed(
    potluck: Potluck, ada: User, ben: User
) -> None:
    bread = await potluck.add(ben)
    await remove_item(potluck.ctx(ada), bread.ref)
    with pytest.raises(NotFound):
        await potluck.claim(ada, bread)
    assert (await now_of(potluck.store, potluck.hangout)).bring_count == 0


async def test_who_was_invited_adds_and_claims_and_changes_what_is_theirs(
    potluck: Potluck, ada: User, eve: User
) -> None:
    bread = await potluck.add(ada)
    with pytest.raises(NotFound):
        await potluck.claim(eve, bread)
    await invite(potluck.ctx(ada), bread.hangout_id, eve.email or "")
    await potluck.claim(eve, bread)
    with pytest.raises(Forbidden):
        await change_item(potluck.ctx(eve), bread.ref, {"needed": 9})
    with pytest.raises(Forbidden):
        await remove_item(potluck.ctx(eve), bread.ref)
    wine = await potluck.add(eve, "Wine")
    await remove_item(potluck.ctx(eve), wine.ref)


async def test_the_list_has_an_end(potluck: Potluck, ada: User) -> None:
    await potluck.store.write(update(potluck.hangout.ref, bring_count=MAX_ITEMS))
    with pytest.raises(Conflict, match="At most 50"):
        await potluck.add(ada)


async def test_a_cancelled_hangout_takes_no_claims_but_gives_them_back(
    potluck: Potluck, ada: User, ben: User
) -> None:
    bread = await potluck.add(ada)
    await potluck.claim(ben, bread)
    await cancel(potluck.ctx(ada), bread.hangout_id)
    with pytest.raises(Conflict, match="cancelled"):
        await potluck.claim(ada, bread)
    with pytest.raises(Conflict, match="cancelled"):
        await potluck.add(ada)
    await potluck.unclaim(ben, bread)


@pytest.mark.parametrize(
    "given, field",
    [
        ({"name": " "}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"name": "Bread", "needed": 0}, "needed"),
        ({"name": "Bread", "needed": 201}, "needed"),
        ({"name": "Bread", "note": "x" * 201}, "note"),
    ],
)
async def test_what_is_wrong_is_named(
    potluck: Potluck, ada: User, given: dict[str, Any], field: str
) -> None:
    with pytest.raises(InvalidField) as refused:
        await add_item(potluck.ctx(ada), potluck.hangout.hangout_id, TypedBringItem(**given))
    assert refused.value.field == field


@pytest.mark.parametrize("number", [0, -1, 201])
async def test_nobody_brings_less_than_one_nor_more_than_there_can_be(
    potluck: Potluck, ada: User, number: int
) -> None:
    bread = await potluck.add(ada)
    with pytest.raises(InvalidField):
        await potluck.claim(ada, bread, number)


async def test_claiming_costs_two_reads_and_a_write(potluck: Potluck, ada: User) -> None:
    bread = await potluck.add(ada)
    with counting() as counts:
        await potluck.claim(ada, bread)
    assert (counts.reads, counts.writes) == (2, 1)
    with counting() as counts:
        await potluck.claim(ada, bread)
    assert counts.writes == 0


async def test_whoever_cannot_come_brings_nothing(potluck: Potluck, ada: User, ben: User) -> None:
    bread = await potluck.add(ada)
    typed = TypedRsvp(status="NOT_GOING")
    await answer(potluck.ctx(ben), ben, bread.hangout_id, typed)
    with pytest.raises(Conflict, match="can’t go"):
        await potluck.claim(ben, bread)
