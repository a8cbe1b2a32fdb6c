"""A group finds a time and a place: options, exact votes, and what closing makes of them."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden, InvalidField, NotFound
from commonroom.hangouts.rules.polls import MAX_POLLS, TypedHangoutPollOption
from commonroom.hangouts.service.ballots import withdraw_vote
from commonroom.hangouts.service.edits import StaleVersion, change_hangout, invite
from commonroom.hangouts.service.hangouts import bring_back, cancel
from commonroom.hangouts.service.pointers import edit_writes
from commonroom.hangouts.service.poll_closing import TiedPoll
from commonroom.hangouts.service.polls import (
    TypedHangoutPoll,
    add_option,
    change_poll,
    create_poll,
    delete_poll,
    remove_option,
)
from commonroom.hangouts.service.rsvps import TypedRsvp, answer
from commonroom.hangouts.tables import (
    Ballot,
    EnteredTime,
    FriendGroup,
    Hangout,
    HangoutPointer,
    HangoutPoll,
    Venue,
)
from commonroom.moments import iso
from commonroom.store import Store, counting
from tests.accounts.people import Watch
from tests.hangouts.friends import (
    DAY,
    HOUR,
    PUB,
    child_of,
    everything_of,
    group_of,
    hangout_of,
    now_of,
    starts_in,
)
from tests.hangouts.voting import Voting


@pytest.fixture
async def idea(store: Store, clock: Watch, ada: User, friends: FriendGroup) -> Voting:
    """An idea of Ada's that has neither a time nor a place."""
    return Voting(store, clock, await hangout_of(store, clock, ada, friends))


class TestMaking:
    async def test_a_poll_about_the_time_stands_on_the_hangout_and_its_pointers(
        self, idea: Voting, ada: User, ben: User
    ) -> None:
        poll = await idea.days(ben)
        assert (await idea.now()).time_poll_id == poll.poll_id
        pointers = await everything_of(idea.store.engine, HangoutPointer)
        assert [one.time_poll_id for one in pointers] == [poll.poll_id]
        assert (await idea.now()).version == idea.hangout.version, "it makes no edit stale"

    async def test_there_is_one_about_the_time_at_a_time_and_any_number_of_others(
        self, idea: Voting, ada: User, ben: User
    ) -> None:
        first = await idea.days(ada)
        with pytest.raises(Conflict, match="already a poll") as refused:
            await idea.days(ben)
        assert refused.value.extensions == {"poll_id": first.poll_id}
        await idea.places(ada, "The pub", "The park")
        for _ in range(MAX_POLLS - 2):
            idea.clock.forward(1)
            await idea.question(ben, "Chess", "Cards")
        with pytest.raises(Conflict, match="at most"):
            await idea.question(ben, "Chess", "Cards")
        await idea.check()

    async def test_it_is_for_members(self, idea: Voting, eve: User, ada: User) -> None:
        with pytest.raises(NotFound):
            await idea.days(eve)
        await invite(idea.ctx(ada), idea.hangout.hangout_id, eve.email or "")
        with pytest.raises(Forbidden):
            await idea.days(eve)

    @pytest.mark.parametrize(
        "given, field",
        [
            ({"subject": "OTHER", "options": [TypedHangoutPollOption(label="A")]}, "title"),
            ({"subject": "TIME"}, "options"),
            (
                {
                    "subject": "PLACE",
                    "others_add_options": False,
                    "options": [TypedHangoutPollOption(place=PUB)],
                },
                "options",
            ),
            ({"subject": "PLACE", "options": [TypedHangoutPollOption(label="A")]}, "place"),
            ({"subject": "TIME", "deadline": "2020-01-01T00:00:00Z"}, "deadline"),
        ],
    )
    async def test_what_is_wrong_is_named(
        self, idea: Voting, ada: User, given: dict[str, Any], field: str
    ) -> None:
        with pytest.raises(InvalidField) as refused:
            await create_poll(idea.ctx(ada), idea.hangout.hangout_id, TypedHangoutPoll(**given))
        assert refused.value.field == field

    async def test_it_costs_two_reads_and_a_write(self, idea: Voting, ada: User) -> None:
        with counting() as counts:
            await idea.days(ada)
        assert (counts.reads, counts.writes) == (2, 1)


class TestOptions:
    async def test_anyone_adds_them_where_they_may(
        self, idea: Voting, ada: User, ben: User, eve: User
    ) -> None:
        poll = await idea.places(ada, "The pub", others_add_options=True)
        await invite(idea.ctx(ada), idea.hangout.hangout_id, eve.email or "")
        for who, name in ((ben, "The park"), (eve, "The lake")):
            typed = TypedHangoutPollOption(place=Venue(name=name))
            poll = await add_option(idea.ctx(who), poll.ref, typed)
        names = [one.place.name for one in poll.options if one.place]
        assert names == ["The pub", "The park", "The lake"]
        await change_poll(idea.ctx(ada), poll.ref, {"others_add_options": False})
        typed = TypedHangoutPollOption(place=Venue(name="The moon"))
        with pytest.raises(Forbidden):
            await add_option(idea.ctx(ben), poll.ref, typed)
        await add_option(idea.ctx(ada), poll.ref, typed)

    async def test_one_that_is_removed_takes_its_votes_along(
        self, idea: Voting, ada: User, ben: User
    ) -> None:
        poll = await idea.question(ada, "Chess", "Cards", "Go")
        await idea.vote(ben, poll, "yyn")
        first, second, _ = poll.options
        with pytest.raises(Forbidden):
            await remove_option(idea.ctx(ben), poll.ref, first.option_id)
        left = await remove_option(idea.ctx(ada), poll.ref, first.option_id)
        assert [one.label for one in left.options] == ["Cards", "Go"]
        assert await idea.tallies(poll) == [(1, 0, 0), (0, 0, 1)]
        with pytest.raises(NotFound):
            await remove_option(idea.ctx(ada), poll.ref, first.option_id)
        await idea.vote(ben, left, "-y", whole=False)
        assert await idea.tallies(poll) == [(1, 0, 0), (1, 0, 0)]
        await remove_option(idea.ctx(ada), poll.ref, second.option_id)
        with pytest.raises(Conflict, match="at least one"):
            await remove_option(idea.ctx(ada), poll.ref, left.options[1].option_id)
        await idea.check()

    async def test_whoever_added_one_may_remove_it(
        self, idea: Voting, ada: User, ben: User
    ) -> None:
        poll = await idea.question(ada, "Chess")
        poll = await add_option(idea.ctx(ben), poll.ref, TypedHangoutPollOption(label="Cards"))
        await remove_option(idea.ctx(ben), poll.ref, poll.options[1].option_id)


class TestVoting:
    async def test_votes_are_counted_exactly(
        self, idea: Voting, ada: User, ben: User, clock: Watch
    ) -> None:
        lea = await child_of(idea.store, clock, ben, "Lea")
        poll = await idea.days(ada)
        await idea.vote(ada, poll, "ymn")
        await idea.vote(ben, poll, "yn-")
        after = await idea.vote(ben, poll, "y--", child=lea)
        assert (after.ballot_count, await idea.tallies(poll)) == (
            3,
            [(3, 0, 0), (0, 1, 1), (0, 0, 1)],
        )
        await idea.vote(ben, poll, "n--")
        assert await idea.tallies(poll) == [(2, 0, 1), (0, 1, 0), (0, 0, 1)]
        await withdraw_vote(idea.ctx(ada), ada, poll.ref)
        assert await idea.tallies(poll) == [(1, 0, 1), (0, 0, 0), (0, 0, 0)]
        with pytest.raises(NotFound):
            await withdraw_vote(idea.ctx(ada), ada, poll.ref)
        await idea.check()

    async def test_one_tap_leaves_what_was_said_of_the_others(
        self, idea: Voting, ada: User
    ) -> None:
        poll = await idea.days(ada)
        await idea.vote(ada, poll, "yn-")
        await idea.vote(ada, poll, "--m", whole=False)
        assert await idea.tallies(poll) == [(1, 0, 0), (0, 0, 1), (0, 1, 0)]
        (ballot,) = await everything_of(idea.store.engine, Ballot)
        assert (ballot.user_name, len(ballot.votes)) == ("Ada", 3)

    async def test_the_same_again_writes_nothing(self, idea: Voting, ada: User) -> None:
        poll = await idea.days(ada)
        with counting() as counts:
            await idea.vote(ada, poll, "yyy")
        assert (counts.reads, counts.writes) == (2, 1)
        with counting() as counts:
            await idea.vote(ada, poll, "yyy")
        assert (counts.reads, counts.writes) == (2, 0)

    async def test_options_that_there_are_not_are_refused(self, idea: Voting, ada: User) -> None:
        poll = await idea.days(ada)
        other = await idea.question(ada, "Chess", "Cards")
        with pytest.raises(InvalidField):
            await idea.vote(ada, poll, "")
        with pytest.raises(InvalidField):
            await idea.vote(ada, replace(poll, options=other.options), "y")
        with pytest.raises(NotFound):
            await idea.vote(ada, replace(poll, poll_id="none"), "y")

    async def test_who_was_invited_votes_and_strangers_do_not(
        self, idea: Voting, ada: User, eve: User
    ) -> None:
        poll = await idea.days(ada)
        with pytest.raises(NotFound):
            await idea.vote(eve, poll, "y")
        await invite(idea.ctx(ada), idea.hangout.hangout_id, eve.email or "")
        await idea.vote(eve, poll, "y")

    async def test_a_cancelled_hangout_takes_no_votes(self, idea: Voting, ada: User) -> None:
        poll = await idea.days(ada)
        await cancel(idea.ctx(ada), idea.hangout.hangout_id)
        with pytest.raises(Conflict, match="cancelled"):
            await idea.vote(ada, poll, "y")
        await bring_back(idea.ctx(ada), idea.hangout.hangout_id)
        await idea.vote(ada, poll, "y")


class TestClosing:
    async def test_the_winner_becomes_the_time_on_all_pointers_and_the_poll_stays_readable(
        self, idea: Voting, ada: User, ben: User
    ) -> None:
        poll = await idea.days(ada)
        await idea.vote(ada, poll, "ny-")
        await idea.vote(ben, poll, "yym")
        closed = await idea.close(ben, poll)
        now = await idea.now()
        winner = poll.options[1]
        assert closed.winner_option_id == winner.option_id
        assert (now.time, now.start_timestamp) == (winner.time, winner.start_timestamp)
        assert (now.time_poll_id, now.version) == (None, idea.hangout.version + 1)
        assert await now_of(idea.store, poll) == closed
        assert await idea.tallies(poll) == [(1, 0, 1), (2, 0, 0), (0, 1, 0)]
        with pytest.raises(Conflict, match="closed"):
            await idea.vote(ada, poll, "y")
        with pytest.raises(Conflict, match="closed"):
            await idea.close(ada, poll)
        with pytest.raises(Conflict, match="closed"):
            await change_poll(idea.ctx(ada), poll.ref, {"title": "?"})
        await idea.days(ada)  # another one can be asked now

    async def test_the_winner_becomes_the_place(self, idea: Voting, ada: User, ben: User) -> None:
        poll = await idea.places(ada, "The pub", "The park")
        await idea.vote(ben, poll, "-y")
        await idea.close(ada, poll)
        now = await idea.now()
        assert now.place == Venue(name="The park")
        assert now.place_poll_id is None

    async def test_a_plain_poll_changes_nothing_of_the_hangout(
        self, idea: Voting, ada: User
    ) -> None:
        poll = await idea.question(ada, "Chess", "Cards")
        await idea.vote(ada, poll, "y")
        assert (await idea.close(ada, poll)).outcome == "DECIDED"
        assert (await idea.now()).version == idea.hangout.version

    async def test_a_tie_asks_whoever_closes(self, idea: Voting, ada: User, ben: User) -> None:
        poll = await idea.days(ada)
        await idea.vote(ada, poll, "yyn")
        with pytest.raises(TiedPoll) as tied:
            await idea.close(ben, poll)
        first, second, third = (one.option_id for one in poll.options)
        assert tied.value.extensions == {"tied_option_ids": [first, second]}
        with pytest.raises(Conflict, match="not in front"):
            await idea.close(ben, poll, option_id=third)
        closed = await idea.close(ben, poll, option_id=second)
        assert closed.winner_option_id == second
        assert (await idea.now()).start_timestamp == poll.options[1].start_timestamp

    async def test_it_can_be_closed_without_a_decision(self, idea: Voting, ada: User) -> None:
        poll = await idea.days(ada)
        await idea.vote(ada, poll, "y")
        closed = await idea.close(ada, poll, undecided=True)
        assert (closed.outcome, closed.winner_option_id) == ("UNDECIDED", None)
        now = await idea.now()
        assert (now.time, now.time_poll_id) == (None, None)
        assert now.version == idea.hangout.version, "nothing of the plan has changed"

    async def test_a_time_and_a_place_can_make_it_a_plan(
        self, idea: Voting, ada: User, ben: User
    ) -> None:
        for who in (ada, ben):
            going = TypedRsvp(status="GOING")
            await answer(idea.ctx(who), who, idea.hangout.hangout_id, going)
        for poll in (await idea.places(ada, "The pub"), await idea.days(ada, 1)):
            assert (await idea.now()).momentum != "CONFIRMED"
            await idea.close(ada, poll)
        assert (await idea.now()).momentum == "CONFIRMED"

    async def test_only_members_close(self, idea: Voting, ada: User, eve: User) -> None:
        poll = await idea.days(ada)
        await invite(idea.ctx(ada), idea.hangout.hangout_id, eve.email or "")
        with pytest.raises(Forbidden):
            await idea.close(eve, poll, undecided=True)

    async def test_it_costs_two_reads_and_a_write(self, idea: Voting, ada: User) -> None:
        poll = await idea.days(ada)
        await idea.vote(ada, poll, "y")
        with counting() as counts:
            await idea.close(ada, poll)
        assert (counts.reads, counts.writes) == (2, 1)

    async def test_it_fits_one_write_with_all_groups_and_invitations_there_can_be(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        groups = [await group_of(store, clock, ada, name=f"G{number}") for number in range(10)]
        made = await hangout_of(store, clock, ada, *groups)
        invited = [ada.user_id, *(f"user-{number}" for number in range(60))]
        await _invite_all(store, made, invited)
        full = Voting(store, clock, made)
        deadline = iso(clock() + HOUR)
        poll = await full.days(ada, deadline=deadline)
        await full.vote(ada, poll, "y")
        await full.close(ada, poll)
        assert (await full.now()).start_timestamp == poll.options[0].start_timestamp


async def _invite_all(store: Store, made: Hangout, invited: list[str]) -> None:
    """People who need no account for their pointers to be written."""
    after = replace(made, invited_user_ids=invited)
    await store.write(*edit_writes(made, after)[1])


class TestByHand:
    async def test_a_time_that_is_set_closes_the_poll_in_the_same_write(
        self, idea: Voting, ada: User, ben: User, clock: Watch
    ) -> None:
        poll = await idea.days(ada)
        places = await idea.places(ada, "The pub")
        await idea.vote(ben, poll, "y")
        time = starts_in(clock, 9 * DAY)
        version = (await idea.now()).version
        with counting() as counts:
            await change_hangout(
                idea.ctx(ben), idea.hangout.hangout_id, {"time": time}, version=version
            )
        assert (counts.reads, counts.writes) == (2, 1)
        now = await idea.now()
        assert (now.time, now.time_poll_id, now.place_poll_id) == (time, None, places.poll_id)
        closed = await now_of(idea.store, poll)
        assert (closed.outcome, closed.winner_option_id) == ("OVERRULED", None)

    async def test_a_place_that_is_set_closes_the_poll_about_it(
        self, idea: Voting, ada: User
    ) -> None:
        poll = await idea.places(ada, "The pub")
        await change_hangout(idea.ctx(ada), idea.hangout.hangout_id, {"place": PUB}, version=1)
        assert (await now_of(idea.store, poll)).outcome == "OVERRULED"
        await idea.check()

    async def test_other_edits_and_clearing_the_time_leave_it_open(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        time = starts_in(clock, 9 * DAY)
        made = await hangout_of(store, clock, ada, friends, time=time)
        plan = Voting(store, clock, made)
        poll = await plan.days(ada)
        ctx = plan.ctx(ada)
        await change_hangout(ctx, made.hangout_id, {"title": "X", "time": time}, version=1)
        await change_hangout(ctx, made.hangout_id, {"time": None}, version=2)
        assert (await plan.now()).time_poll_id == poll.poll_id

    async def test_an_edit_that_was_begun_before_the_poll_was_closed_is_stale(
        self, idea: Voting, ada: User, clock: Watch
    ) -> None:
        poll = await idea.days(ada, 1)
        await idea.close(ada, poll)
        time = starts_in(clock, 9 * DAY)
        with pytest.raises(StaleVersion):
            await change_hangout(idea.ctx(ada), idea.hangout.hangout_id, {"time": time}, version=1)


class TestDeadlines:
    async def test_it_closes_by_itself(
        self, idea: Voting, ada: User, ben: User, clock: Watch
    ) -> None:
        poll = await idea.days(ada, deadline=iso(clock() + HOUR))
        await idea.vote(ben, poll, "-y")
        assert await idea.tick() == 0
        clock.forward(HOUR)
        with pytest.raises(Conflict, match="closed"):
            await idea.vote(ada, poll, "y")
        assert await idea.tick() == 1
        assert (await idea.now()).start_timestamp == poll.options[1].start_timestamp
        assert (await now_of(idea.store, poll)).outcome == "DECIDED"
        assert await idea.tick() == 0

    async def test_with_a_tie_it_stays_open_and_says_so(
        self, idea: Voting, ada: User, ben: User, clock: Watch
    ) -> None:
        poll = await idea.days(ada, deadline=iso(clock() + HOUR))
        await idea.vote(ben, poll, "yy")
        clock.forward(HOUR)
        await idea.tick()
        now = await now_of(idea.store, poll)
        assert (now.closed_at, now.deadline, now.overdue_at) == (None, None, iso(clock()))
        assert (await idea.now()).time_poll_id == poll.poll_id
        await idea.vote(ada, poll, "y")  # which breaks the tie
        closed = await idea.close(ada, poll)
        assert (closed.winner_option_id, closed.overdue_at) == (poll.options[0].option_id, None)

    async def test_one_that_was_moved_counts_and_the_earlier_one_does_not(
        self, idea: Voting, ada: User, clock: Watch
    ) -> None:
        poll = await idea.days(ada, deadline=iso(clock() + HOUR))
        await idea.vote(ada, poll, "y")
        later = {"deadline": iso(clock() + 2 * HOUR)}
        await change_poll(idea.ctx(ada), poll.ref, later)
        clock.forward(HOUR)
        assert await idea.tick() == 0
        clock.forward(HOUR)
        assert await idea.tick() == 1
        assert (await now_of(idea.store, poll)).closed_at is not None

    @pytest.mark.parametrize("how", ["close", "delete", "clear"])
    async def test_nothing_waits_for_what_is_over(
        self, idea: Voting, ada: User, clock: Watch, how: str
    ) -> None:
        poll = await idea.days(ada, deadline=iso(clock() + HOUR))
        if how == "close":
            await idea.close(ada, poll, undecided=True)
        elif how == "delete":
            await delete_poll(idea.ctx(ada), poll.ref)
        else:
            await change_poll(idea.ctx(ada), poll.ref, {"deadline": None})
        clock.forward(HOUR)
        assert await idea.tick() == 0

    async def test_a_time_set_by_hand_before_it_stays(
        self, idea: Voting, ada: User, clock: Watch
    ) -> None:
        poll = await idea.days(ada, deadline=iso(clock() + HOUR))
        await idea.vote(ada, poll, "y")
        time = starts_in(clock, 9 * DAY)
        await change_hangout(idea.ctx(ada), poll.hangout_id, {"time": time}, version=1)
        clock.forward(HOUR)
        await idea.tick()
        assert (await idea.now()).time == time

    async def test_a_cancelled_hangout_is_left_alone(
        self, idea: Voting, ada: User, clock: Watch
    ) -> None:
        poll = await idea.days(ada, deadline=iso(clock() + HOUR))
        await idea.vote(ada, poll, "y")
        await cancel(idea.ctx(ada), poll.hangout_id)
        clock.forward(HOUR)
        await idea.tick()
        assert (await idea.now()).time is None
        assert (await now_of(idea.store, poll)).closed_at is None


class TestDeleting:
    async def test_whose_poll_it_is_deletes_it(self, idea: Voting, ada: User, ben: User) -> None:
        poll, other = await idea.days(ben), await idea.question(ada, "Chess", "Cards")
        with pytest.raises(Forbidden):
            await delete_poll(idea.ctx(ben), other.ref)
        await delete_poll(idea.ctx(ben), poll.ref)
        assert (await idea.now()).time_poll_id is None
        with pytest.raises(NotFound):
            await idea.vote(ben, poll, "y")
        assert [one.poll_id for one in await everything_of(idea.store.engine, HangoutPoll)] == [
            other.poll_id
        ]


async def test_a_part_of_a_day_can_win(
    store: Store, clock: Watch, ada: User, friends: FriendGroup
) -> None:
    made = await hangout_of(store, clock, ada, friends)
    evening = EnteredTime(
        period="evening", period_start="2290-05-01T18:00:00+02:00", time_zone="Europe/Paris"
    )
    typed = TypedHangoutPoll(subject="TIME", options=[TypedHangoutPollOption(time=evening)])
    ctx = Context(store, ada, clock())
    poll = await create_poll(ctx, made.hangout_id, typed)
    await Voting(store, clock, made).close(ada, poll)
    now = await now_of(store, made)
    assert now.time == evening
    assert (now.end_timestamp or 0) - (now.start_timestamp or 0) == 4 * HOUR
