"""Things of other rooms are attached once, at most ten of them, and taken off by who may."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden, NotFound
from commonroom.hangouts.service.attachments import (
    attach,
    attachments_on,
    detach,
    find_attachment,
    forget_thing,
)
from commonroom.hangouts.service.edits import invite
from commonroom.hangouts.service.hangouts import delete_hangout
from commonroom.hangouts.tables import Attachment, FriendGroup, Hangout
from commonroom.joins.attachments import Claim
from commonroom.store import Store, check, counting, stored
from tests.accounts.people import Watch
from tests.hangouts.friends import (
    everything_of,
    group_of,
    hangout_of,
    now_of,
    somebody,
    tidied,
)
from tests.hangouts.plan_checks import check_attachments


def named(thing_id: str) -> Callable[[], Awaitable[Claim]]:
    """A thing that can be attached by whoever names it."""

    async def claim() -> Claim:
        return Claim(thing_id, [])

    return claim


class Plan:
    """A hangout that carries things."""

    def __init__(self, store: Store, clock: Watch, hangout: Hangout) -> None:
        self.store, self.clock, self.hangout = store, clock, hangout

    def ctx(self, who: User) -> Context:
        return Context(self.store, who, self.clock())

    async def attach(self, who: User, thing_id: str) -> Attachment:
        claim = named(thing_id)
        return await attach(self.ctx(who), self.hangout.hangout_id, "film", claim)

    async def detach(self, who: User, thing_id: str) -> None:
        await detach(self.ctx(who), self.hangout.hangout_id, "film", thing_id)

    async def things(self, who: User) -> list[str]:
        await check_attachments(self.store.engine)
        _, found = await attachments_on(self.ctx(who), self.hangout.hangout_id)
        return [one.thing_id for one in found]


@pytest.fixture
async def plan(store: Store, clock: Watch, ada: User, friends: FriendGroup) -> Plan:
    """A hangout of Ada's."""
    return Plan(store, clock, await hangout_of(store, clock, ada, friends))


async def test_a_thing_is_attached_once_and_taken_off(plan: Plan, ada: User, ben: User) -> None:
    with counting() as counted:
        first = await plan.attach(ben, "603")
    assert counted.requests == 3
    assert await plan.attach(ada, "603") == first, "it stays as it was attached"
    assert (first.user_name, await plan.things(ada)) == ("Ben", ["603"])
    version = (await now_of(plan.store, plan.hangout)).version
    assert version == plan.hangout.version, "it makes nobody's edit stale"
    await plan.detach(ada, "603")
    assert await plan.things(ben) == []
    with pytest.raises(NotFound):
        await plan.detach(ada, "603")


async def test_people_who_are_invited_take_off_what_they_attached_and_nothing_else(
    plan: Plan, ada: User, eve: User
) -> None:
    with pytest.raises(NotFound):
        await plan.attach(eve, "603")
    await invite(plan.ctx(ada), plan.hangout.hangout_id, eve.email or "")
    await plan.attach(eve, "603")
    await plan.attach(ada, "604")
    with pytest.raises(Forbidden):
        await plan.detach(eve, "604")
    await plan.detach(eve, "603")
    assert await plan.things(ada) == ["604"]


async def test_ten_things_at_the_most_also_when_many_attach_at_once(
    plan: Plan, ada: User, ben: User
) -> None:
    people = (ada, ben)
    results = await asyncio.gather(
        *(plan.attach(people[number % 2], str(number)) for number in range(14)),
        return_exceptions=True,
    )
    refused = [one for one in results if isinstance(one, Exception)]
    assert [type(one) for one in refused] == [Conflict] * 4
    assert len(await plan.things(ada)) == 10


async def test_what_must_hold_of_a_thing_is_asked_again_until_it_does_not(
    plan: Plan, ada: User, ben: User
) -> None:
    asked = 0

    async def claim() -> Claim:
        nonlocal asked
        asked += 1
        if asked > 1:
            raise NotFound("It is gone.")
        return Claim("603", [check(User.at(user_id="gone"), if_=stored)])

    with pytest.raises(NotFound, match="It is gone"):
        await attach(plan.ctx(ada), plan.hangout.hangout_id, "film", claim)
    assert await plan.things(ben) == []


async def test_a_thing_that_is_gone_is_taken_off_everywhere_and_twice_does_no_harm(
    plan: Plan, ada: User, friends: FriendGroup
) -> None:
    other = Plan(plan.store, plan.clock, await hangout_of(plan.store, plan.clock, ada, friends))
    for one in (plan, other):
        await one.attach(ada, "603")
        await one.attach(ada, "604")
    for _ in range(2):
        await forget_thing(plan.store, "film", "603")
    assert (await plan.things(ada), await other.things(ada)) == (["604"], ["604"])


async def test_all_that_it_carries_goes_with_a_hangout(plan: Plan, ada: User) -> None:
    await plan.attach(ada, "603")
    await delete_hangout(plan.ctx(ada), plan.hangout.hangout_id)
    await tidied(plan.store, plan.clock)
    assert await everything_of(plan.store.engine, Attachment) == []
    await check_attachments(plan.store.engine)


@pytest.mark.parametrize("thing_id", ["", "a#b", "x" * 101, "\n"])
async def test_odd_ids_are_of_nothing_that_is_attached(
    plan: Plan, ada: User, thing_id: str
) -> None:
    for kind, named in (("film", thing_id), (thing_id, "603")):
        with pytest.raises(NotFound):
            await find_attachment(plan.ctx(ada), plan.hangout.hangout_id, kind, named)


async def test_things_are_attached_forgotten_and_counted_in_dynamodb_as_well(
    dynamodb: Store, clock: Watch
) -> None:
    ada = await somebody(dynamodb, clock, "Ada")
    made = await hangout_of(dynamodb, clock, ada, await group_of(dynamodb, clock, ada))
    plan = Plan(dynamodb, clock, made)
    for thing_id in ("603", "604", "605"):
        await plan.attach(ada, thing_id)
    await plan.detach(ada, "604")
    await forget_thing(dynamodb, "film", "603")
    assert await plan.things(ada) == ["605"]
