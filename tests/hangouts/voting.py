"""A hangout whose people vote on it."""

from __future__ import annotations

from typing import Any

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.room import HANGOUTS
from commonroom.hangouts.rules.polls import TypedHangoutPollOption, tally_of
from commonroom.hangouts.service.ballots import vote
from commonroom.hangouts.service.poll_closing import close_poll
from commonroom.hangouts.service.polls import TypedHangoutPoll, create_poll
from commonroom.hangouts.tables import Hangout, HangoutPoll, Venue, Vote
from commonroom.store import Store
from commonroom.timers import Scheduler
from tests.accounts.people import Watch
from tests.hangouts.friends import DAY, check_hangouts, now_of, starts_in
from tests.hangouts.plan_checks import check_polls

SAID: dict[str, Vote] = {"y": "YES", "m": "MAYBE", "n": "NO"}


class Voting:
    """One hangout, its polls, and those who vote."""

    def __init__(self, store: Store, clock: Watch, hangout: Hangout) -> None:
        self.store, self.clock, self.hangout = store, clock, hangout

    def ctx(self, who: User) -> Context:
        """What somebody does now."""
        return Context(self.store, who, self.clock())

    async def days(self, who: User, number: int = 3, **given: Any) -> HangoutPoll:
        """A poll about the coming days."""
        times = [starts_in(self.clock, (day + 1) * DAY) for day in range(number)]
        options = [TypedHangoutPollOption(time=one) for one in times]
        return await self._create(who, TypedHangoutPoll(subject="TIME", options=options, **given))

    async def places(self, who: User, *names: str, **given: Any) -> HangoutPoll:
        """A poll about places."""
        options = [TypedHangoutPollOption(place=Venue(name=name)) for name in names]
        return await self._create(who, TypedHangoutPoll(subject="PLACE", options=options, **given))

    async def question(self, who: User, *labels: str, **given: Any) -> HangoutPoll:
        """A plain poll."""
        options = [TypedHangoutPollOption(label=one) for one in labels]
        typed = TypedHangoutPoll(subject="OTHER", title="What to play?", options=options, **given)
        return await self._create(who, typed)

    async def _create(self, who: User, typed: TypedHangoutPoll) -> HangoutPoll:
        return await create_poll(self.ctx(who), self.hangout.hangout_id, typed)

    async def vote(
        self, who: User, poll: HangoutPoll, said: str, *, child: User | None = None, **given: Any
    ) -> HangoutPoll:
        """Says yes, maybe, no or nothing to each option, such as `yn-`."""
        votes = {
            option.option_id: SAID[one]
            for option, one in zip(poll.options, said, strict=False)
            if one in SAID
        }
        return await vote(self.ctx(who), child or who, poll.ref, votes, **given)

    async def close(self, who: User, poll: HangoutPoll, **given: Any) -> HangoutPoll:
        """Closes a poll."""
        return await close_poll(self.ctx(who), poll.ref, **given)

    async def tallies(self, poll: HangoutPoll) -> list[tuple[int, int, int]]:
        """How the options stand: yes, maybe, no."""
        now = await now_of(self.store, poll)
        tallies = [tally_of(now, one.option_id) for one in now.options]
        return [(one.yes, one.maybe, one.no) for one in tallies]

    async def now(self) -> Hangout:
        """The hangout, after looking that everything is right."""
        await self.check()
        return await now_of(self.store, self.hangout)

    async def check(self) -> None:
        """Everything that is stored is right."""
        await check_hangouts(self.store.engine)
        await check_polls(self.store.engine)

    async def tick(self) -> int:
        """Lets timers go off that are due; how many did."""
        return await Scheduler(self.store, HANGOUTS.data.timer_handlers, clock=self.clock).once()
