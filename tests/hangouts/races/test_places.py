"""The last place and the waiting list, with fifty people at once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.service.edits import change_hangout
from commonroom.hangouts.service.rsvps import TypedRsvp, answer, remove_rsvp
from commonroom.hangouts.tables import Hangout, RsvpStatus
from commonroom.store import Store, Write
from tests.accounts.people import Watch, at_once
from tests.hangouts.friends import (
    DAY,
    PUB,
    check_hangouts,
    crowd_of,
    group_of,
    hangout_of,
    now_of,
    somebody,
    starts_in,
    tidied,
)

PEOPLE = 50


class Hall:
    """A hangout with few places and many who want one."""

    def __init__(
        self, store: Store, clock: Watch, hangout: Hangout, people: Sequence[User]
    ) -> None:
        self.store, self.clock, self.hangout, self.people = store, clock, hangout, people

    async def answer(self, who: User, status: RsvpStatus = "GOING", plus_guests: int = 0) -> bool:
        """Answers; whether they wait then."""
        ctx = Context(self.store, who, self.clock())
        typed = TypedRsvp(status=status, plus_guests=plus_guests)
        given = await answer(ctx, who, self.hangout.hangout_id, typed)
        return given.is_waiting

    async def now(self) -> Hangout:
        """The hangout, all of whose counts are right."""
        await check_hangouts(self.store.engine)
        return await now_of(self.store, self.hangout)


async def hall_of(store: Store, clock: Watch, places: int, **given: object) -> Hall:
    """A hall with so many places, its maker already in."""
    ada = await somebody(store, clock, "Ada")
    group = await group_of(store, clock, ada)
    people = await crowd_of(store, clock, group, PEOPLE)
    made = await hangout_of(
        store, clock, ada, group, **{"is_on": True, "place_limit": places, **given}
    )
    return Hall(store, clock, made, [ada, *people])


async def test_of_fifty_who_come_at_once_as_many_as_fit_get_in_and_the_others_wait(
    store: Store, clock: Watch
) -> None:
    hall = await hall_of(store, clock, 10)
    waiting, refused = await at_once(*map(hall.answer, hall.people[1:]))
    assert refused == []
    assert waiting.count(False) == 9
    now = await hall.now()
    assert (now.going_count, now.waiting_count) == (10, 41)


async def test_the_last_place_goes_to_one_of_fifty(store: Store, clock: Watch) -> None:
    hall = await hall_of(store, clock, 2)
    waiting, _ = await at_once(*map(hall.answer, hall.people[1:]))
    assert waiting.count(False) == 1
    assert (await hall.now()).going_count == 2


async def test_leaving_while_being_promoted_loses_nobody_and_no_place(
    store: Store, clock: Watch
) -> None:
    hall = await hall_of(store, clock, 10)
    await at_once(*map(hall.answer, hall.people[1:]))
    first = [one.answer_id for one in (await hall.now()).waiting[:10]]
    going = [one for one in hall.people if one.user_id not in first][:10]
    # Those who have places go away while those who are next in line do, too.
    remove = partial(remove_rsvp, store, clock(), hall.hangout.hangout_id)
    _, refused = await at_once(
        *(hall.answer(one, "NOT_GOING") for one in going), *map(remove, first)
    )
    assert refused == []
    now = await hall.now()
    assert now.going_count == 10
    everybody = now.going_count + now.waiting_count + now.not_going_count
    assert everybody == PEOPLE + 1 - len(first)


async def test_a_limit_that_is_raised_while_people_come_leaves_no_place_empty(
    store: Store, clock: Watch
) -> None:
    hall = await hall_of(store, clock, 5)
    ada, *others = hall.people
    ctx = Context(store, ada, clock())

    async def raise_limit() -> None:
        await asyncio.sleep(0)
        await change_hangout(ctx, hall.hangout.hangout_id, {"place_limit": 20}, version=1)

    _, refused = await at_once(*(hall.answer(one, plus_guests=1) for one in others), raise_limit())
    assert refused == []
    now = await hall.now()
    # Parties of two, in a line: one place may stay free, never two.
    assert now.going_count in (19, 20)
    assert now.going_count + now.waiting_count == 1 + 2 * PEOPLE


async def test_an_idea_that_all_answer_at_once_is_confirmed_and_counted(
    store: Store, clock: Watch
) -> None:
    hall = await hall_of(
        store,
        clock,
        500,
        is_on=False,
        place=PUB,
        time=starts_in(clock, 9 * DAY),
        place_limit=None,
    )
    _, refused = await at_once(*map(hall.answer, hall.people[:20]))
    assert refused == []
    await tidied(store, clock)
    now = await hall.now()
    assert (now.momentum, now.going_count, now.interested_count) == ("CONFIRMED", 20, 0)


class AllHaveRead(Store):
    """A store that lets nobody write before so many have come to it; it counts what is tried."""

    def __init__(self, store: Store, people: int) -> None:
        super().__init__(store.engine)
        self._people, self._ready, self.tries = people, asyncio.Event(), 0

    async def write(self, *writes: Write) -> None:
        """One transaction."""
        self.tries += 1
        if self.tries == self._people:
            self._ready.set()
        await self._ready.wait()
        await super().write(*writes)


async def test_people_who_answer_at_once_without_a_limit_do_not_make_each_other_try_again(
    store: Store, clock: Watch
) -> None:
    given = {"is_on": False, "place": PUB, "place_limit": None}
    hall = await hall_of(store, clock, 1, **given, time=starts_in(clock, 9 * DAY))
    crowd = AllHaveRead(store, 12)
    together = Hall(crowd, clock, hall.hangout, hall.people)
    _, refused = await at_once(*map(together.answer, hall.people[1:13]))
    assert (refused, crowd.tries) == ([], 12)
    assert (await hall.now()).momentum == "BUILDING", "each knew of themselves alone"
    await tidied(store, clock)
    assert (await hall.now()).momentum == "CONFIRMED"
    last = await now_of(store, hall.hangout)
    assert last.version == hall.hangout.version
