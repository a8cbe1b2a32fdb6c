"""An agenda shows what waits for somebody and what comes up, and nothing that they may not see."""

from __future__ import annotations

from typing import Any

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.service.agenda import (
    MAX_NEEDS,
    OLD_IDEA_DAYS,
    Agenda,
    AgendaHangout,
    see_agenda,
)
from commonroom.hangouts.service.edits import change_hangout, uninvite
from commonroom.hangouts.service.hangouts import cancel, delete_hangout
from commonroom.hangouts.service.members import leave_group
from commonroom.hangouts.service.poll_closing import close_poll
from commonroom.hangouts.service.rsvps import TypedRsvp, answer
from commonroom.hangouts.tables import AgendaEntry, FriendGroup, Hangout, Repetition, RsvpStatus
from commonroom.store import Store, create
from commonroom.store.store import counting
from tests.accounts.people import Watch
from tests.hangouts.friends import DAY, HOUR, child_of, group_of, hangout_of, starts_in, tidied
from tests.hangouts.voting import Voting


class Desk:
    """Ada plans, and Ben looks at his agenda."""

    def __init__(
        self, store: Store, clock: Watch, ada: User, ben: User, group: FriendGroup
    ) -> None:
        self.store, self.clock = store, clock
        self.ada, self.ben, self.group = ada, ben, group

    async def plan(self, title: str, days: float | None = None, **given: Any) -> Hangout:
        """A hangout of Ada's, in so many days."""
        time = None if days is None else starts_in(self.clock, days * DAY)
        group = self.group
        return await hangout_of(
            self.store, self.clock, self.ada, group, title=title, time=time, **given
        )

    def ctx(self, who: User) -> Context:
        return Context(self.store, who, self.clock())

    async def says(self, made: Hangout, status: RsvpStatus, *, who: User | None = None) -> None:
        typed = TypedRsvp(status=status)
        await answer(self.ctx(self.ben), who or self.ben, made.hangout_id, typed)

    async def look(self, *, child: User | None = None) -> Agenda:
        """Ben's agenda, or his child's, once everything has been followed."""
        await tidied(self.store, self.clock)
        return await self.look_at_once(child=child)

    async def look_at_once(self, *, child: User | None = None) -> Agenda:
        return await see_agenda(self.ctx(self.ben), child or self.ben)


@pytest.fixture
def desk(store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup) -> Desk:
    """Ada and Ben are friends."""
    return Desk(store, clock, ada, ben, friends)


def titles(plans: list[AgendaHangout]) -> list[str]:
    return [one.hangout.title for one in plans]


def is_empty(found: Agenda) -> bool:
    return not (found.needs or found.coming)


class TestNeeds:
    async def test_days_come_first_and_then_the_newest_ideas(self, desk: Desk) -> None:
        await desk.plan("Old idea")
        desk.clock.forward(60)
        for title, days in (("New idea", None), ("In a year", 300), ("Tomorrow", 1)):
            await desk.plan(title, days)
        found = await desk.look()
        assert titles(found.needs) == ["Tomorrow", "In a year", "New idea", "Old idea"]
        assert found.coming == []

    async def test_what_is_answered_waits_no_more(self, desk: Desk) -> None:
        made = [await desk.plan(title, days) for title, days in zip("ABC", (1, 2, 3), strict=True)]
        statuses: list[RsvpStatus] = ["GOING", "INTERESTED", "NOT_GOING"]
        for one, status in zip(made, statuses, strict=True):
            await desk.says(one, status)
        assert (await desk.look_at_once()).needs == [], "also before anybody has followed that"
        found = await desk.look()
        assert (found.needs, titles(found.coming)) == ([], ["A", "B"])

    async def test_polls_wait_until_one_has_voted_or_they_are_closed(self, desk: Desk) -> None:
        made = await desk.plan("Picnic")
        await desk.says(made, "INTERESTED")
        voting = Voting(desk.store, desk.clock, made)
        days, drinks = await voting.days(desk.ada), await voting.question(desk.ada, "Tea", "Milk")
        (plan,) = (await desk.look()).needs
        assert {one.poll_id for one in plan.polls} == {days.poll_id, drinks.poll_id}
        await voting.vote(desk.ben, days, "yny")
        await close_poll(desk.ctx(desk.ada), drinks.ref, undecided=True)
        assert (await desk.look_at_once()).needs == [], "also before anybody has followed that"
        assert (await desk.look()).needs == []

    async def test_a_place_from_the_waiting_list_waits_for_a_word(self, desk: Desk) -> None:
        made = await desk.plan("Dinner", 2, place_limit=1, is_on=True)
        await desk.says(made, "GOING")
        (waiting,) = (await desk.look()).coming
        assert waiting.is_waiting
        await answer(desk.ctx(desk.ada), desk.ada, made.hangout_id, TypedRsvp(status="NOT_GOING"))
        (plan,) = (await desk.look()).needs
        assert plan.has_new_place
        desk.clock.forward(1)
        await desk.says(made, "GOING")
        found = await desk.look()
        assert (found.needs, titles(found.coming)) == ([], ["Dinner"])

    async def test_of_a_series_only_the_next_date_waits(self, desk: Desk) -> None:
        daily = Repetition(frequency="DAILY", times=15)
        await desk.plan("Run", 1, repetition=daily)
        await desk.plan("Concert", 20)
        assert titles((await desk.look()).needs) == ["Run", "Concert"]

    async def test_ideas_that_went_quiet_wait_for_nobody(self, desk: Desk) -> None:
        await desk.plan("Karaoke")
        desk.clock.forward((OLD_IDEA_DAYS + 1) * DAY)
        assert (await desk.look()).needs == []

    async def test_a_hundred_invitations_are_not_too_many(self, desk: Desk) -> None:
        for number in range(30):
            await desk.plan(f"Day {number}", 10 + number)
            await desk.plan(f"Idea {number}")
            desk.clock.forward(1)
        found = await desk.look()
        assert len(found.needs) == MAX_NEEDS
        assert "Day 0" in titles(found.needs)
        assert "Idea 29" in titles(found.needs)


class TestComing:
    async def test_what_one_is_part_of_is_shown_until_it_is_over(self, desk: Desk) -> None:
        for title, days in (("Now", 0.01), ("Soon", 6.9), ("Later", 7.1)):
            await desk.says(await desk.plan(title, days), "GOING")
        desk.clock.forward(HOUR)
        assert titles((await desk.look()).coming) == ["Now", "Soon"]
        desk.clock.forward(2 * HOUR)
        assert titles((await desk.look_at_once()).coming) == ["Soon", "Later"]

    async def test_a_child_has_answers_of_its_own(self, desk: Desk) -> None:
        kim = await child_of(desk.store, desk.clock, desk.ben, "Kim")
        made = await desk.plan("Zoo", 1)
        await desk.says(made, "GOING")
        found = await desk.look(child=kim)
        assert (titles(found.needs), found.coming) == (["Zoo"], [])
        await desk.says(made, "INTERESTED", who=kim)
        found = await desk.look(child=kim)
        assert (found.needs, [one.rsvp and one.rsvp.status for one in found.coming]) == (
            [],
            ["INTERESTED"],
        )


class TestPrivacy:
    """Nothing here is followed: entries are old, and show nothing all the same."""

    async def test_whoever_left_the_group_sees_nothing(self, desk: Desk) -> None:
        made = await desk.plan("Secret", 1)
        await desk.says(made, "GOING")
        assert titles((await desk.look()).coming) == ["Secret"]
        await leave_group(desk.ctx(desk.ben), desk.group.group_id)
        assert is_empty(await desk.look_at_once())

    async def test_whoever_is_no_longer_invited_sees_nothing(self, desk: Desk) -> None:
        made = await hangout_of(
            desk.store, desk.clock, desk.ada, title="Secret", invited_user_ids=[desk.ben.user_id]
        )
        assert titles((await desk.look()).needs) == ["Secret"]
        await uninvite(desk.ctx(desk.ada), made.hangout_id, desk.ben.user_id)
        assert is_empty(await desk.look_at_once())

    async def test_what_left_the_group_is_cancelled_or_deleted_shows_nothing(
        self, desk: Desk
    ) -> None:
        made = [await desk.plan(title, 1) for title in "ABC"]
        assert len((await desk.look()).needs) == 3
        ctx = desk.ctx(desk.ada)
        other = await group_of(desk.store, desk.clock, desk.ada, name="Others")
        elsewhere = {"group_ids": [other.group_id]}
        await change_hangout(ctx, made[0].hangout_id, elsewhere, version=1)
        await cancel(ctx, made[1].hangout_id)
        await delete_hangout(ctx, made[2].hangout_id)
        assert is_empty(await desk.look_at_once())

    async def test_an_entry_by_itself_gives_nothing_away(
        self, desk: Desk, store: Store, eve: User
    ) -> None:
        made = await desk.plan("Secret", 1)
        at = made.start_timestamp or 0
        entry = AgendaEntry(user_id=eve.user_id, hangout_id=made.hangout_id, start_timestamp=at)
        await store.write(create(entry))
        assert is_empty(await see_agenda(desk.ctx(eve), eve))


@pytest.mark.parametrize("groups, number", [(1, 1), (10, 1), (1, 50), (10, 50)])
async def test_it_takes_three_requests_whatever_there_is(
    desk: Desk, groups: int, number: int
) -> None:
    store, clock, ada, ben = desk.store, desk.clock, desk.ada, desk.ben
    made = [await group_of(store, clock, ada, ben, name=f"G{one}") for one in range(groups)]
    for one in range(number):
        day = None if one % 2 else starts_in(clock, DAY + one * HOUR)
        hangout = await hangout_of(store, clock, ada, made[one % groups], time=day)
        await Voting(store, clock, hangout).question(ada, "A", "B")
    await tidied(store, clock)
    with counting() as tally:
        found = await see_agenda(Context(store, ben, clock()), ben)
    assert tally.requests == 3
    assert len(found.needs) >= min(number, 16)
