"""What people of the demonstration do on some day of their month, counted from today."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from commonroom.accounts.context import Context
from commonroom.accounts.demo import DemoPeople
from commonroom.accounts.tables import User
from commonroom.hangouts.rules.polls import TypedHangoutPollOption
from commonroom.hangouts.rules.times import PERIOD_STARTS
from commonroom.hangouts.service import bring_list, groups, hangouts, invite_codes, polls
from commonroom.hangouts.service.ballots import vote
from commonroom.hangouts.service.bring_list import TypedBringItem
from commonroom.hangouts.service.fields import HangoutDraft
from commonroom.hangouts.service.polls import TypedHangoutPoll
from commonroom.hangouts.service.rsvps import TypedRsvp, answer
from commonroom.hangouts.service.talk import say
from commonroom.hangouts.tables import (
    EnteredTime,
    FriendGroup,
    GroupMembership,
    Hangout,
    Period,
    PollSubject,
    RsvpStatus,
    Vote,
)
from commonroom.store import Store

ZONE = ZoneInfo("Europe/Paris")
DAY = 24 * 3600.0


class DemoMonth:
    """Everybody by name, and days counted from today."""

    def __init__(self, store: Store, now: float, people: DemoPeople) -> None:
        self._store, self._now = store, now
        ines, tom = people.friends
        self.people = {"Maya": people.maya, "Jonas": people.jonas, "Inès": ines, "Tom": tom}
        self.children = [one.user_id for one in people.children]

    async def group(self, by: str, name: str, colour: str, others: str) -> FriendGroup:
        """Makes a group that others join."""
        made = await groups.create_group(self.ctx(by, -60), name=name, colour=colour)
        code = await invite_codes.create_code(self.ctx(by, -60), made.group_id)
        for other in others.split():
            await invite_codes.join(self.ctx(other, -59), code.code)
        return made

    async def plan(
        self, by: str, day: int, group: FriendGroup | GroupMembership, title: str, **more: Any
    ) -> Hangout:
        """Floats something in a group, or locks it in."""
        draft = HangoutDraft(title=title, group_ids=[group.group_id], **more)
        return await hangouts.create_hangout(self.ctx(by, day), draft)

    async def answer(self, hangout: Hangout, day: int, name: str, typed: TypedRsvp) -> None:
        """Answers."""
        await answer(self.ctx(name, day), self.people[name], hangout.hangout_id, typed)

    async def answers(self, hangout: Hangout, day: int, given: Mapping[str, RsvpStatus]) -> None:
        """Lets several answer."""
        for name, status in given.items():
            await self.answer(hangout, day, name, TypedRsvp(status=status))

    async def bring(
        self, hangout: Hangout, wanted: Mapping[str, tuple[int, Mapping[str, int]]]
    ) -> None:
        """Writes down what is wanted, and who brings how many of it."""
        for name, (needed, claims) in wanted.items():
            typed = TypedBringItem(name=name, needed=needed)
            item = await bring_list.add_item(self.ctx("Maya", -4), hangout.hangout_id, typed)
            for who, number in claims.items():
                ctx, person = self.ctx(who, -3), self.people[who]
                await bring_list.claim(ctx, person, item.ref, number)

    async def poll(
        self,
        hangout: Hangout,
        subject: PollSubject,
        options: Sequence[TypedHangoutPollOption],
        ballots: Mapping[str, Sequence[Vote]],
    ) -> None:
        """Asks, and lets some vote on each of the options."""
        maker = next(name for name, one in self.people.items() if one.user_id == hangout.created_by)
        typed = TypedHangoutPoll(subject=subject, options=options)
        made = await polls.create_poll(self.ctx(maker, -2), hangout.hangout_id, typed)
        for name, given in ballots.items():
            said = {one.option_id: own for one, own in zip(made.options, given, strict=True)}
            ctx = self.ctx(name, -1)
            await vote(ctx, self.people[name], made.ref, said)

    async def talk(self, hangout: Hangout, day: int, said: Sequence[tuple[str, str]]) -> None:
        """Says something, a minute after each other."""
        for minute, (name, text) in enumerate(said):
            ctx = self.ctx(name, day + minute / 1440)
            await say(ctx, self.people[name], hangout.hangout_id, text)

    def ctx(self, name: str, day: float) -> Context:
        """Returns a person who does something on that day."""
        person: User = self.people[name]
        return Context(self._store, person, self._now + day * DAY)

    def next(self, weekday: int) -> int:
        """In how many days the next such weekday is, tomorrow at the earliest."""
        return 1 + (weekday - self.day(1).weekday()) % 7

    def day(self, number: int) -> datetime:
        """Returns the midnight with which a day begins, by the clocks there."""
        today = datetime.fromtimestamp(self._now, ZONE).replace(tzinfo=None)
        return today.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=number)

    def moment(self, day: int, clock: str) -> str:
        """Returns a time of a day, with its offset."""
        hour, minute = map(int, clock.split(":"))
        return self.day(day).replace(hour=hour, minute=minute, tzinfo=ZONE).isoformat()

    def at(self, day: int, start: str, end: str | None = None) -> EnteredTime:
        """Returns an exact time."""
        return EnteredTime(
            start_time=self.moment(day, start),
            end_time=None if end is None else self.moment(day, end),
            time_zone=str(ZONE),
        )

    def part_of_day(self, day: int, period: Period) -> EnteredTime:
        """Returns a time that is not quite exact."""
        hour = PERIOD_STARTS[period]
        start = self.moment(day, f"{hour}:00")
        return EnteredTime(period=period, period_start=start, time_zone=str(ZONE))
