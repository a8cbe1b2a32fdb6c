"""Whatever happens while agendas are gone through, they are right in the end."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Refusal
from commonroom.hangouts.consumers.agenda import (
    PEOPLE,
    PERSON,
    go_through_agenda,
    go_through_people,
)
from commonroom.hangouts.consumers.recipients import FIRST, group_list
from commonroom.hangouts.service.agenda_entries import AgendaKey, refresh_entries
from commonroom.hangouts.service.edits import change_hangout
from commonroom.hangouts.service.hangouts import bring_back, cancel, delete_hangout
from commonroom.hangouts.service.invite_codes import create_code, join
from commonroom.hangouts.service.members import leave_group
from commonroom.hangouts.service.rsvps import TypedRsvp, answer, withdraw
from commonroom.hangouts.tables import AgendaEntry, FriendGroup, Hangout, agenda
from commonroom.store import Store
from commonroom.store.errors import Unavailable
from commonroom.timers import timer
from tests.accounts.people import Meanwhile, Watch, at_once
from tests.hangouts.agendas import agenda_of, check_agendas, expected_agendas, facts_of, settle
from tests.hangouts.friends import DAY, group_of, hangout_of, now_of, somebody, starts_in, tidied
from tests.hangouts.races.living import live_through
from tests.hangouts.voting import Voting
from tests.support.budget import examples

HOW_OFTEN = 3


@pytest.fixture
def store(either: Store, clock: Watch) -> Store:
    clock.now = time.time()
    return either


async def go_through(store: Store, clock: Watch, made: Hangout) -> None:
    """What a timer does after a change of a hangout."""
    for group_id in made.group_ids:
        people = {"hangout_id": made.hangout_id, "people": group_list(group_id), "from": FIRST}
        await go_through_people(store, timer(PEOPLE, clock(), people), clock())


async def test_it_is_moved_and_answered_while_everybody_is_gone_through(
    store: Store, clock: Watch, ada: User, ben: User
) -> None:
    group = await group_of(store, clock, ada, ben)
    for turn in range(HOW_OFTEN):
        made = await hangout_of(store, clock, ada, group, time=starts_in(clock, DAY))
        later = {"time": starts_in(clock, (2 + turn) * DAY)}
        _, refused = await at_once(
            go_through(store, clock, made),
            change_hangout(Context(store, ada, clock()), made.hangout_id, later, version=1),
            answer(Context(store, ben, clock()), ben, made.hangout_id, TypedRsvp(status="GOING")),
            go_through(store, clock, made),
        )
        assert refused == []
        await settle(store, clock)


async def test_somebody_leaves_while_everybody_is_gone_through(
    store: Store, clock: Watch, ada: User
) -> None:
    for turn in range(HOW_OFTEN):
        eve = await somebody(store, clock, f"Eve{turn}")
        group = await group_of(store, clock, ada, eve)
        made = await hangout_of(store, clock, ada, group, time=starts_in(clock, DAY))
        left = timer(PERSON, clock(), {"user_id": eve.user_id, "from": FIRST})
        await at_once(
            go_through(store, clock, made),
            leave_group(Context(store, eve, clock()), group.group_id),
            go_through_agenda(store, left, clock()),
            go_through(store, clock, made),
        )
        await settle(store, clock)
        assert await agenda_of(store, eve) == []


async def test_it_is_deleted_while_everybody_is_gone_through(
    store: Store, clock: Watch, ada: User, ben: User
) -> None:
    group = await group_of(store, clock, ada, ben)
    for _ in range(HOW_OFTEN):
        made = await hangout_of(store, clock, ada, group)
        await at_once(
            go_through(store, clock, made),
            delete_hangout(Context(store, ada, clock()), made.hangout_id),
            go_through(store, clock, made),
        )
        await settle(store, clock)
    assert await agenda_of(store, ben) == []


async def test_what_is_read_and_then_changed_is_read_again(
    store: Store, clock: Watch, ada: User, ben: User
) -> None:
    group = await group_of(store, clock, ada, ben)
    made = await hangout_of(store, clock, ada, group, time=starts_in(clock, DAY))
    later = {"time": starts_in(clock, 2 * DAY)}
    adas, bens = Context(store, ada, clock()), Context(store, ben, clock())
    happenings: list[Callable[[], Awaitable[object]]] = [
        lambda: change_hangout(adas, made.hangout_id, later, version=1),
        lambda: answer(bens, ben, made.hangout_id, TypedRsvp(status="GOING")),
        lambda: withdraw(bens, ben, made.hangout_id),
        lambda: leave_group(bens, group.group_id),
        lambda: delete_hangout(adas, made.hangout_id),
    ]
    for happens in happenings:
        await store.delete_all(agenda(user_id=ben.user_id))
        between = Meanwhile(store, happens, before_writing=AgendaEntry)
        await refresh_entries(between, clock(), [AgendaKey(ben.user_id, made.hangout_id)])
        right = [one for one in await expected_agendas(store.engine, clock()) if ben.user_id in one]
        assert [facts_of(one) for one in await agenda_of(store, ben)] == right


class Act(NamedTuple):
    """Something that somebody does."""

    who: int
    what: str


class Planning:
    """Three friends who plan, answer, vote, come and go, all in the same moment."""

    people: list[User]
    group: FriendGroup
    made: Hangout

    def __init__(self, calm: Store, clock: Watch) -> None:
        self.calm, self.store, self.clock = calm, calm, clock

    async def begin(self) -> None:
        """A group and its first idea."""
        self.people = [await somebody(self.calm, self.clock, name) for name in "ABC"]
        self.group = await group_of(self.calm, self.clock, *self.people)
        self.made = await hangout_of(self.calm, self.clock, self.people[0], self.group)
        await tidied(self.calm, self.clock)

    async def live(self, moment: list[Act]) -> None:
        """Everything of a moment at once, while agendas are gone through; then they are right."""
        self.clock.forward(60)
        await asyncio.gather(*map(self._do, moment), self._go_through(), self._go_through())
        await tidied(self.calm, self.clock)
        await check_agendas(self.calm.engine, self.clock())

    async def _go_through(self) -> None:
        with suppress(Unavailable, Conflict):  # a timer is tried again
            await go_through(self.store, self.clock, self.made)

    async def _do(self, act: Act) -> None:
        # Refused, or nobody knows: agendas are right either way.
        with suppress(Refusal, Unavailable):
            await self._deed(act)

    async def _deed(self, act: Act) -> None:
        who, at = self.people[act.who], self.made.hangout_id
        ctx = Context(self.store, who, self.clock())
        match act.what:
            case "move" | "float":
                day = starts_in(self.clock, DAY) if act.what == "move" else None
                now = await now_of(self.calm, self.made)
                await change_hangout(ctx, at, {"time": day}, version=now.version)
            case "answer":
                await answer(ctx, who, at, TypedRsvp(status="GOING"))
            case "withdraw":
                await withdraw(ctx, who, at)
            case "ask":
                await Voting(self.store, self.clock, self.made).question(who, "A", "B")
            case "cancel":
                await cancel(ctx, at)
            case "bring back":
                await bring_back(ctx, at)
            case "leave" if act.who:
                await leave_group(ctx, self.group.group_id)
            case "come":
                inside = Context(self.store, self.people[0], self.clock())
                code = await create_code(inside, self.group.group_id)
                await join(ctx, code.code)


DEEDS = ["move", "float", "answer", "withdraw", "ask", "cancel", "bring back", "leave", "come"]
ACTS = st.builds(Act, st.integers(0, 2), st.sampled_from(DEEDS))
MOMENTS = st.lists(st.lists(ACTS, min_size=1, max_size=5), min_size=1, max_size=6)


@settings(max_examples=examples(15), deadline=None)
@given(MOMENTS, st.integers(0, 2**32))
def test_agendas_are_right_whatever_happens_on_a_hostile_engine(
    moments: list[list[Act]], seed: int
) -> None:
    live_through(moments, seed, Planning)
