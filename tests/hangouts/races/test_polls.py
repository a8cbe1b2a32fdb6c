"""Votes, closing, deadlines and a time set by hand, all in the same moment."""

from __future__ import annotations

import asyncio
import tempfile
from contextlib import suppress
from copy import copy
from functools import partial
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Refusal
from commonroom.hangouts.rules.polls import TypedHangoutPollOption, leaders
from commonroom.hangouts.service.ballots import withdraw_vote
from commonroom.hangouts.service.edits import change_hangout
from commonroom.hangouts.service.fields import HangoutDraft
from commonroom.hangouts.service.hangouts import create_hangout
from commonroom.hangouts.service.poll_closing import close_at_deadline
from commonroom.hangouts.service.polls import add_option, change_poll, delete_poll, remove_option
from commonroom.hangouts.service.rsvps import TypedRsvp, answer
from commonroom.hangouts.tables import Hangout, HangoutPoll
from commonroom.moments import iso
from commonroom.store import Entity, Store
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.errors import Unavailable
from tests.accounts.people import Meanwhile, Watch, at_once
from tests.hangouts.friends import (
    DAY,
    HOUR,
    TABLES,
    crowd_of,
    everything_of,
    group_of,
    hangout_of,
    now_of,
    somebody,
    starts_in,
)
from tests.hangouts.races.living import HOSTILITY
from tests.hangouts.voting import Voting
from tests.support.budget import examples
from tests.support.hostile_engine import HostileEngine


class Plan(Voting):
    """A hangout without a time, and a crowd that wants one."""

    people: list[User]

    @classmethod
    async def of(cls, store: Store, clock: Watch, number: int) -> Plan:
        ada = await somebody(store, clock, "Ada")
        group = await group_of(store, clock, ada)
        people = await crowd_of(store, clock, group, number - 1)
        plan = cls(store, clock, await hangout_of(store, clock, ada, group))
        plan.people = [ada, *people]
        return plan

    async def another(self) -> Hangout:
        """Another hangout of the same people."""
        draft = HangoutDraft(title="Another", group_ids=self.hangout.group_ids)
        return await create_hangout(self.ctx(self.people[0]), draft)

    async def set_time(self, who: User, days: int = 9) -> None:
        """Sets the time by hand, of whatever there is now."""
        now = await now_of(self.store, self.hangout)
        time = starts_in(self.clock, days * DAY)
        changes = {"time": time}
        await change_hangout(self.ctx(who), now.hangout_id, changes, version=now.version)

    async def decided(self, poll: HangoutPoll) -> tuple[HangoutPoll, Hangout]:
        """The poll and the hangout, after looking that everything is right."""
        return await now_of(self.store, poll), await self.now()

    async def check(self) -> None:
        """Everything that is stored is right; whatever won has the most of all votes there are."""
        await super().check()
        for poll in await everything_of(self.store.engine, HangoutPoll):
            if poll.outcome == "DECIDED":
                front = [one.option_id for one in leaders(poll, self.clock())]
                assert poll.winner_option_id in front


async def test_fifty_vote_at_once_and_every_vote_counts(store: Store, clock: Watch) -> None:
    plan = await Plan.of(store, clock, 50)
    poll = await plan.days(plan.people[0])
    said = ["ymn", "nym", "mny", "y--", "yyy"]
    _, refused = await at_once(
        *(plan.vote(who, poll, said[place % 5]) for place, who in enumerate(plan.people))
    )
    assert refused == []
    assert await plan.tallies(poll) == [(30, 10, 10), (20, 10, 10), (20, 10, 10)]
    assert (await now_of(store, poll)).ballot_count == 50
    await plan.check()


async def test_whoever_votes_on_two_devices_has_one_ballot(store: Store, clock: Watch) -> None:
    plan = await Plan.of(store, clock, 2)
    poll = await plan.days(plan.people[0])
    said = ["ymn", "nym", "mny", "y--", "yyy", "nnn"]
    await at_once(*(plan.vote(plan.people[1], poll, one) for one in said))
    assert (await now_of(store, poll)).ballot_count == 1
    await plan.check()


async def test_closing_while_votes_arrive_and_somebody_sets_the_time_by_hand(
    store: Store, clock: Watch
) -> None:
    plan = await Plan.of(store, clock, 20)
    ada, *others = plan.people
    poll = await plan.days(ada)
    await plan.vote(ada, poll, "y")
    votes = [plan.vote(who, poll, "ny" if place % 2 else "-ny") for place, who in enumerate(others)]
    closing = [plan.close(ada, poll), plan.close(others[0], poll), plan.set_time(others[1])]
    _, refused = await at_once(*votes[:10], *closing, *votes[10:])
    assert all(isinstance(one, Conflict) for one in refused)
    now, hangout = await plan.decided(poll)
    if now.closed_at is None:
        # Both who closed found a tie, and who set the time was overtaken: nothing happened.
        assert hangout.time is None
    else:
        assert hangout.time is not None
        assert hangout.time_poll_id is None


async def test_of_a_deadline_two_who_close_and_a_time_by_hand_one_decides(
    store: Store, clock: Watch
) -> None:
    plan = await Plan.of(store, clock, 3)
    ada, ben, eve = plan.people
    for _ in range(4):
        poll = await plan.days(ada, deadline=iso(clock() + HOUR))
        await plan.vote(ben, poll, "-y")
        clock.forward(HOUR)
        ids = poll.hangout_id, poll.poll_id
        _, refused = await at_once(
            close_at_deadline(store, clock(), *ids),
            plan.close(ada, poll),
            plan.set_time(eve),
            close_at_deadline(store, clock(), *ids),
        )
        now, hangout = await plan.decided(poll)
        assert hangout.time is not None
        by_hand = hangout.start_timestamp == int(clock() + 9 * DAY)
        assert now.closed_at is not None
        assert by_hand or now.outcome == "DECIDED"
        assert all(isinstance(one, Conflict) for one in refused)
        assert len(refused) <= 2


async def test_of_two_polls_about_the_time_one_is_made(store: Store, clock: Watch) -> None:
    plan = await Plan.of(store, clock, 10)
    made, refused = await at_once(*map(plan.days, plan.people))
    assert (len(made), len(refused)) == (1, 9)
    await plan.check()


async def test_options_are_added_and_removed_while_people_vote(store: Store, clock: Watch) -> None:
    plan = await Plan.of(store, clock, 12)
    ada, *others = plan.people
    poll = await plan.question(ada, "Chess", "Cards", "Go")

    async def add(who: User, label: str) -> None:
        await add_option(plan.ctx(who), poll.ref, TypedHangoutPollOption(label=label))

    async def remove(number: int) -> None:
        await remove_option(plan.ctx(ada), poll.ref, poll.options[number].option_id)

    adding = [add(who, f"Game {place}") for place, who in enumerate(others[:5])]
    votes = [plan.vote(who, poll, "yyy") for who in others]
    _, refused = await at_once(*votes[:6], *adding, remove(0), *votes[6:], add(ada, "game 0"))
    now = await now_of(store, poll)
    assert len(now.options) == 7
    assert len({one.label for one in now.options}) == 7, "the same game is there once"
    assert refused
    await plan.check()


DEEDS = [
    "vote", "withdraw", "close", "undecided", "deadline", "time", "clear", "delete", "option",
    "forget", "answer",
]  # fmt: skip
ACTS = st.sampled_from([*DEEDS, "ask", "vote", "vote"])
MOMENTS = st.lists(
    st.lists(st.tuples(ACTS, st.integers(0, 3), st.integers(0, 26)), min_size=1, max_size=6),
    min_size=1,
    max_size=8,
)


class Busy:
    """People who do anything at all with one hangout's polls."""

    def __init__(self, plan: Plan, calm: Store) -> None:
        self.plan, self.calm = plan, calm

    async def live(self, moment: list[tuple[str, int, int]]) -> None:
        """Lets everything happen that happens in a moment."""
        self.plan.clock.forward(60)
        await asyncio.gather(*(self.do(*act) for act in moment))

    async def do(self, what: str, who: int, how: int) -> None:
        """Does it with the poll that was made last, if it can be done."""
        polls = await everything_of(self.calm.engine, HangoutPoll)
        mine = [one for one in polls if one.hangout_id == self.plan.hangout.hangout_id]
        person = self.plan.people[who]
        # Refused, or nobody knows: what is stored is right either way.
        with suppress(Refusal, Unavailable):
            if what == "ask" or not mine:
                await self._ask(person, how)
            elif what in ("vote", "withdraw", "answer"):
                await self._vote(what, person, how, mine[-1])
            elif what in ("close", "undecided", "deadline", "time"):
                await self._decide(what, person, how, mine[-1])
            else:
                await self._edit(what, person, how, mine[-1])

    async def _ask(self, who: User, how: int) -> None:
        deadline = iso(self.plan.clock() + 90) if how % 2 else None
        if how % 3:
            await self.plan.days(who, deadline=deadline)
        else:
            await self.plan.question(who, "Chess", "Cards", "Go", deadline=deadline)

    async def _vote(self, what: str, who: User, how: int, poll: HangoutPoll) -> None:
        plan, ctx = self.plan, self.plan.ctx(who)
        if what == "vote":
            said = "".join("ymn"[how // 3**place % 3] for place in range(3))
            await plan.vote(who, poll, said, whole=how % 2 == 0)
        elif what == "withdraw":
            await withdraw_vote(ctx, who, poll.ref)
        else:
            await answer(ctx, who, poll.hangout_id, TypedRsvp(status="GOING"))

    async def _decide(self, what: str, who: User, how: int, poll: HangoutPoll) -> None:
        plan = self.plan
        if what == "close":
            option = poll.options[how % len(poll.options)].option_id if how % 2 else None
            await plan.close(who, poll, option_id=option)
        elif what == "undecided":
            await plan.close(who, poll, undecided=True)
        elif what == "deadline":
            ids = poll.hangout_id, poll.poll_id
            await close_at_deadline(plan.store, plan.clock() + HOUR, *ids)
        else:
            await plan.set_time(who, how + 1)

    async def _edit(self, what: str, who: User, how: int, poll: HangoutPoll) -> None:
        ctx = self.plan.ctx(who)
        if what == "clear":
            await change_poll(ctx, poll.ref, {"deadline": None, "title": f"Title {how}"})
        elif what == "delete":
            await delete_poll(ctx, poll.ref)
        elif what == "option":
            time = starts_in(self.plan.clock, how * HOUR + DAY + 60)
            await add_option(ctx, poll.ref, TypedHangoutPollOption(time=time))
        else:
            await remove_option(ctx, poll.ref, poll.options[how % len(poll.options)].option_id)


@settings(max_examples=examples(40), deadline=None)
@given(MOMENTS, st.integers(0, 2**32))
def test_what_is_stored_is_always_right(
    moments: list[list[tuple[str, int, int]]], seed: int
) -> None:
    async def run(folder: Path) -> None:
        clock = Watch()
        calm = EmbeddedEngine(folder / "data.db", TABLES, durability="OFF", clock=clock)
        plan = await Plan.of(Store(calm), clock, 4)
        busy = Busy(plan, Store(calm))
        hostile = await HostileEngine.around(
            calm, TABLES, folder, seed=seed, clock=clock, hostility=HOSTILITY
        )
        for moment in moments:
            plan.store = Store(hostile)
            await busy.live(moment)
            plan.store = busy.calm
            await plan.check()
        await hostile.close()

    with tempfile.TemporaryDirectory() as name:
        asyncio.run(run(Path(name)))


@pytest.mark.parametrize("meanwhile", DEEDS)
async def test_whatever_happens_between_reading_and_writing_nothing_gets_wrong(
    embedded: Store, clock: Watch, meanwhile: str
) -> None:
    first = await Plan.of(embedded, clock, 4)
    kinds: tuple[type[Entity], ...] = (HangoutPoll, Hangout)
    for deed, kind in product(DEEDS, kinds):
        plan = Plan(embedded, clock, await first.another())
        plan.people = first.people
        poll = await plan.days(plan.people[0], deadline=iso(clock() + HOUR))
        for who, said in zip(plan.people, ("yn-", "yym", "nyy"), strict=False):
            await plan.vote(who, poll, said)
        happens = partial(Busy(copy(plan), embedded).do, meanwhile, 1, 8)
        plan.store = Meanwhile(embedded, happens, before_writing=kind)
        await Busy(plan, embedded).do(deed, 2, 7)
        plan.store = embedded
        await plan.check()
