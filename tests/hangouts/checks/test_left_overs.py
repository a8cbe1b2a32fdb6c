"""What nobody cleared up, what only people can decide, and people who are at work meanwhile."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from commonroom.hangouts.checks.hangouts import HANGOUTS
from commonroom.hangouts.service.polls import DEADLINE
from commonroom.hangouts.service.rsvps import TypedRsvp, answer
from commonroom.hangouts.tables import OF_A_PERSON, GroupMembership, Hangout, Ride
from commonroom.store import ConditionFailed, Store, delete
from commonroom.store.checking import Problem
from commonroom.store.store import counting
from commonroom.timers.tables import timers
from tests.accounts.people import Watch
from tests.hangouts.checks.example import House, drift
from tests.hangouts.friends import crowd_of, everything_of, hangout_of, somebody

LONG_AGO = "2020-01-01T00:00:00Z"
RUNS = 4
"""As often as somebody runs it at most: what is mended may leave something else behind."""


@pytest.fixture
async def house(store: Store, clock: Watch) -> House:
    """A room in which everything is as it should be."""
    return await House.furnished(store, clock)


async def mend(store: Store) -> None:
    """Runs the check until nothing is wrong any more, without anybody who follows changes."""
    for _ in range(RUNS):
        if not await drift(store, repair=True):
            return
    assert await drift(store) == []


async def examine(store: Store, hangout: Hangout) -> list[Problem]:
    """What is wrong on one hangout."""
    return await HANGOUTS.find(store, hangout)


async def test_all_that_was_on_a_deleted_hangout_goes(house: House) -> None:
    await house.store.write(delete(house.pub))
    await mend(house.store)
    left = await house.things()
    assert "Poll" not in left
    assert {"BringItem", "BringClaim", "Car", "Ride", "Offer", "Spot"}.isdisjoint(left)
    assert left["Hangout"] == left["SeriesPointer"] == 3
    await house.is_sound()


async def test_all_that_was_in_a_deleted_group_goes(house: House) -> None:
    await house.store.write(delete(house.group))
    await mend(house.store)
    left = await house.things()
    assert {"Membership", "HangoutPointer", "InviteCode", "Series"}.isdisjoint(left)
    assert left["Hangout"] == 1, "Eve is still invited to the pub"
    await house.is_sound()


async def test_all_that_somebody_had_goes_with_their_account(house: House) -> None:
    await house.store.write(delete(house.ben))
    await mend(house.store)
    assert house.ben.user_id not in await people_on(house)
    ref = Ride.at(hangout_id=house.pub.hangout_id, user_id=house.cleo.user_id)
    cleos = await house.store.get(ref)
    assert cleos is not None
    assert cleos.car_id is None, "whoever rode along needs a ride again"
    await house.is_sound()


async def test_children_go_with_their_parent_and_a_group_gets_another_admin(house: House) -> None:
    await house.store.write(delete(house.ada))
    await mend(house.store)
    assert {house.ada.user_id, house.kim.user_id}.isdisjoint(await people_on(house))
    group = await house.store.get(house.group.ref)
    assert group is not None
    assert (group.member_count, group.admin_count) == (2, 1)
    await house.is_sound()


async def people_on(house: House) -> set[str]:
    """Everybody who has something on a hangout."""
    things = await everything_of(house.store.engine, *OF_A_PERSON)
    return {getattr(one, "user_id", "") for one in things}


async def test_everybody_goes_at_once_whose_group_was_taken_away(
    house: House, clock: Watch
) -> None:
    people = await crowd_of(house.store, clock, house.group, 12)
    for who in people:
        typed = TypedRsvp(status="GOING", plus_guests=1)
        await answer(house.ctx(who), who, house.pub.hangout_id, typed)
    for who in people:
        membership = await house.store.get(
            GroupMembership.at(group_id=house.group.group_id, user_id=who.user_id)
        )
        assert membership is not None
        await house.store.write(delete(membership))
    mended = await drift(house.store, repair=True)
    assert all(one.repaired for one in mended), mended
    assert [one.check for one in mended].count("access") == len(people)
    assert await drift(house.store) == []
    await house.is_sound()


async def test_whoever_waits_although_there_is_a_place_gets_it(house: House) -> None:
    ben = await house.answer_of(house.ben)
    await house.store.write(delete(ben))
    mended = await drift(house.store, repair=True)
    assert "going_count is 3, not 4" in mended[0].detail, "two of the guest, two of Ada"
    now = await house.store.get(house.pub.ref)
    assert now is not None
    assert now.waiting == []
    await house.is_sound()


async def test_more_than_there_is_room_for_is_left_to_people(house: House) -> None:
    await house.load(replace(house.car, seats=2))
    await house.load(replace(house.offer, capacity=1))
    await house.load(replace(house.bread, needed=1))
    found = await drift(house.store, repair=True)
    assert [(one.check, one.repaired) for one in found] == [("overbooked", False)] * 3


async def test_more_people_than_places_are_no_fault(house: House) -> None:
    """A limit that is lowered takes nobody's place."""
    await house.load(replace(house.pub, place_limit=2))
    found = await drift(house.store)
    assert {one.check for one in found} == {"copies"}, "the pointers still say the other limit"


async def test_two_open_polls_about_the_same_are_left_to_people(house: House) -> None:
    await house.load(replace(house.days, poll_id="zzz", tallies={}, ballot_count=0))
    found = await drift(house.store, repair=True)
    told = [(one.check, one.repaired) for one in found if one.check != "agendas"]
    assert told == [("counts", True), ("polls", False), ("polls", True)]


async def test_a_poll_that_nobody_closed_at_its_deadline_is_closed(house: House) -> None:
    await house.load(replace(house.games, deadline=LONG_AGO))
    found = await drift(house.store, repair=True)
    assert [(one.check, one.repaired) for one in found] == [("polls", True)]
    rows = await house.store.engine.scan(timers, limit=100)
    about = [one["about"] for one in rows.items if one["kind"] == DEADLINE]
    assert about == [{"hangout_id": house.pub.hangout_id, "poll_id": house.games.poll_id}]


async def test_a_repair_is_refused_where_somebody_did_something_meanwhile(house: House) -> None:
    await house.load(house.pub, goingCount=7)
    await house.load(house.bread, claimed=0)
    problems = await examine(house.store, house.pub)
    counts = [one for one in problems if one.check == "counts"]
    assert len(counts) == 2
    await answer(
        house.ctx(house.cleo), house.cleo, house.pub.hangout_id, TypedRsvp(status="NOT_GOING")
    )
    with pytest.raises(ConditionFailed):
        await house.store.write(*counts[0].repair)


async def test_a_hangout_is_read_with_the_same_requests_however_many_answered(
    house: House, clock: Watch
) -> None:
    crowd = await crowd_of(house.store, clock, house.group, 40)
    for who in crowd:
        await answer(house.ctx(who), who, house.pub.hangout_id, TypedRsvp(status="INTERESTED"))
    maker = await somebody(house.store, clock, "Mo")
    small = await hangout_of(house.store, clock, maker)
    requests = []
    for one in (small, house.pub):
        with counting() as count:
            assert await examine(house.store, one) == []
        requests.append(count.reads)
    assert requests == [2, 3], "everything on it, and everybody; memberships where it has groups"
