"""A family answers in one go, people are counted exactly, and who waits moves up in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, InvalidField, NotFound
from commonroom.hangouts.rules.attendance import PlacesTaken
from commonroom.hangouts.service.edits import change_hangout
from commonroom.hangouts.service.invite_codes import create_code, join
from commonroom.hangouts.service.members import leave_group
from commonroom.hangouts.service.rsvps import (
    RsvpOutcome,
    TypedRsvp,
    answer,
    remove_rsvp,
    withdraw,
)
from commonroom.hangouts.tables import FriendGroup, Hangout, Rsvp, RsvpStatus
from commonroom.store import Store, Write, counting, update
from tests.accounts.people import Watch
from tests.hangouts.friends import (
    DAY,
    HOUR,
    PUB,
    check_hangouts,
    child_of,
    everything_of,
    group_of,
    hangout_of,
    now_of,
    somebody,
    starts_in,
    tidied,
)


class Answering:
    """People who answer one hangout."""

    def __init__(self, store: Store, clock: Watch, hangout: Hangout) -> None:
        self.store, self.clock, self.hangout = store, clock, hangout

    async def __call__(
        self, who: User, status: RsvpStatus = "GOING", *, child: User | None = None, **given: Any
    ) -> RsvpOutcome:
        ctx = Context(self.store, who, self.clock())
        typed = TypedRsvp(status=status, **given)
        return await answer(ctx, child or who, self.hangout.hangout_id, typed)

    async def counts(self) -> tuple[int, int, int, int]:
        """Going, interested, not going, waiting."""
        now = await now_of(self.store, self.hangout)
        await check_hangouts(self.store.engine)
        return now.going_count, now.interested_count, now.not_going_count, now.waiting_count


@pytest.fixture
async def answers(store: Store, clock: Watch, ada: User, friends: FriendGroup) -> Answering:
    """A hangout that is on, to which Ada goes."""
    return Answering(store, clock, await hangout_of(store, clock, ada, friends, is_on=True))


class TestCounting:
    async def test_an_answer_can_be_changed_and_is_counted_once(
        self, answers: Answering, ben: User
    ) -> None:
        for status, counts in (
            ("GOING", (2, 0, 0, 0)),
            ("INTERESTED", (1, 1, 0, 0)),
            ("NOT_GOING", (1, 0, 1, 0)),
            ("NOT_GOING", (1, 0, 1, 0)),
        ):
            await answers(ben, status)  # type: ignore[arg-type] # each is one
            assert await answers.counts() == counts

    async def test_guests_and_children_are_people(
        self, answers: Answering, store: Store, clock: Watch, ben: User
    ) -> None:
        lea, tom = [await child_of(store, clock, ben, name) for name in ("Lea", "Tom")]
        given = await answers(ben, plus_guests=2, companion_ids=[lea.user_id, tom.user_id])
        assert await answers.counts() == (6, 0, 0, 0)
        assert given.rsvp.companion_ids == [lea.user_id, tom.user_id]
        await answers(ben, plus_guests=0, companion_ids=[tom.user_id])
        assert await answers.counts() == (3, 0, 0, 0)
        await answers(ben, "NOT_GOING", plus_guests=3)
        assert await answers.counts() == (1, 0, 1, 0)

    async def test_an_answer_carries_its_note_and_the_name(
        self, answers: Answering, ben: User
    ) -> None:
        given = await answers(ben, note="  A bit late ")
        assert (given.rsvp.note, given.rsvp.user_name) == ("A bit late", "Ben")
        assert given.hangout.answered_at is not None

    async def test_it_is_two_reads_and_one_write(
        self, answers: Answering, store: Store, clock: Watch, ben: User
    ) -> None:
        lea = await child_of(store, clock, ben, "Lea")
        with counting() as tally:
            await answers(ben, companion_ids=[lea.user_id])
        assert (tally.reads, tally.writes) == (2, 1)

    async def test_one_taken_back_was_never_there(
        self, answers: Answering, store: Store, clock: Watch, ben: User
    ) -> None:
        lea = await child_of(store, clock, ben, "Lea")
        await answers(ben, companion_ids=[lea.user_id])
        ctx = Context(store, ben, clock())
        await withdraw(ctx, ben, answers.hangout.hangout_id)
        assert await answers.counts() == (1, 0, 0, 0)
        with pytest.raises(NotFound):
            await withdraw(ctx, ben, answers.hangout.hangout_id)

    @pytest.mark.parametrize(
        "given", [{"plus_guests": 11}, {"plus_guests": -1}, {"note": "x" * 501}]
    )
    async def test_what_is_too_much_is_refused(
        self, answers: Answering, ben: User, given: dict[str, Any]
    ) -> None:
        with pytest.raises(InvalidField):
            await answers(ben, **given)

    async def test_what_is_over_takes_no_answers(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        made = await hangout_of(store, clock, ada, friends, time=starts_in(clock, HOUR))
        clock.forward(3 * HOUR)
        with pytest.raises(Conflict, match="over"):
            await Answering(store, clock, made)(ben)

    async def test_a_stranger_cannot_answer(self, answers: Answering, eve: User) -> None:
        with pytest.raises(NotFound):
            await answers(eve)


class TestFamilies:
    async def test_somebody_elses_child_cannot_come_along(
        self, answers: Answering, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        lea = await child_of(store, clock, ada, "Lea")
        for wrong in (lea.user_id, ada.user_id, "nobody"):
            with pytest.raises(InvalidField):
                await answers(ben, companion_ids=[wrong])

    async def test_a_child_answers_alone(
        self, answers: Answering, store: Store, clock: Watch, ben: User
    ) -> None:
        lea = await child_of(store, clock, ben, "Lea")
        given = await answers(ben, child=lea)
        assert (given.rsvp.user_name, given.rsvp.with_user_id) == ("Lea", None)
        assert await answers.counts() == (2, 0, 0, 0)
        with pytest.raises(InvalidField):
            await answers(ben, child=lea, companion_ids=[lea.user_id])

    async def test_a_child_who_answers_alone_leaves_the_party(
        self, answers: Answering, store: Store, clock: Watch, ben: User
    ) -> None:
        lea = await child_of(store, clock, ben, "Lea")
        await answers(ben, companion_ids=[lea.user_id])
        await answers(ben, "INTERESTED", child=lea)
        assert await answers.counts() == (2, 1, 0, 0)
        await answers(ben, "NOT_GOING")
        assert await answers.counts() == (1, 1, 1, 0)

    async def test_a_parent_takes_a_child_along_who_had_answered_alone(
        self, answers: Answering, store: Store, clock: Watch, ben: User
    ) -> None:
        lea = await child_of(store, clock, ben, "Lea")
        await answers(ben, "NOT_GOING", child=lea)
        await answers(ben, companion_ids=[lea.user_id])
        assert await answers.counts() == (3, 0, 0, 0)

    async def test_a_childs_answer_taken_back_leaves_the_party_smaller(
        self, answers: Answering, store: Store, clock: Watch, ben: User
    ) -> None:
        lea = await child_of(store, clock, ben, "Lea")
        await answers(ben, companion_ids=[lea.user_id])
        await withdraw(Context(store, ben, clock()), lea, answers.hangout.hangout_id)
        assert await answers.counts() == (2, 0, 0, 0)


class TestWaiting:
    @pytest.fixture
    async def crowd(self, store: Store, clock: Watch) -> Sequence[User]:
        return [await somebody(store, clock, f"P{number}") for number in range(4)]

    @pytest.fixture
    async def small(
        self, store: Store, clock: Watch, ada: User, crowd: Sequence[User]
    ) -> Answering:
        """A hangout with three places, of which Ada has one."""
        group = await group_of(store, clock, ada, *crowd)
        made = await hangout_of(store, clock, ada, group, is_on=True, place_limit=3)
        return Answering(store, clock, made)

    async def test_whoever_finds_no_place_waits_and_moves_up(
        self, small: Answering, ada: User, crowd: Sequence[User]
    ) -> None:
        first, second, third, fourth = crowd
        assert not (await small(first)).is_waiting
        assert (await small(second, plus_guests=1)).is_waiting
        assert (await small(third)).is_waiting, "although there is one place"
        assert await small.counts() == (2, 0, 0, 3)
        await small(ada, "NOT_GOING")
        assert await small.counts() == (3, 0, 1, 1)
        await small(second, "INTERESTED")
        assert await small.counts() == (2, 1, 1, 0)
        assert not (await small(fourth)).is_waiting

    async def test_a_raised_limit_moves_everybody_up(
        self, small: Answering, store: Store, clock: Watch, ada: User, crowd: Sequence[User]
    ) -> None:
        for one in crowd:
            await small(one, plus_guests=1)
        assert await small.counts() == (3, 0, 0, 6)
        ctx = Context(store, ada, clock())
        changed = await change_hangout(ctx, small.hangout.hangout_id, {"place_limit": 7}, version=1)
        assert (changed.going_count, changed.waiting_count) == (7, 2)
        assert await small.counts() == (7, 0, 0, 2)
        await change_hangout(ctx, small.hangout.hangout_id, {"place_limit": None}, version=2)
        assert await small.counts() == (9, 0, 0, 0)

    async def test_more_than_there_are_places_is_refused_and_nothing_changes(
        self, small: Answering, crowd: Sequence[User]
    ) -> None:
        with pytest.raises(PlacesTaken) as refused:
            await small(crowd[0], plus_guests=3)
        assert refused.value.extensions == {"free": 2}
        assert await small.counts() == (1, 0, 0, 0)

    async def test_whoever_leaves_while_waiting_waits_no_more(
        self, small: Answering, store: Store, clock: Watch, ada: User, crowd: Sequence[User]
    ) -> None:
        for one in crowd:
            await small(one)
        await remove_rsvp(store, clock(), small.hangout.hangout_id, crowd[2].user_id)
        assert await small.counts() == (3, 0, 0, 1)
        await remove_rsvp(store, clock(), small.hangout.hangout_id, ada.user_id)
        assert await small.counts() == (3, 0, 0, 0)
        await remove_rsvp(store, clock(), small.hangout.hangout_id, ada.user_id)
        await remove_rsvp(store, clock(), "none", ada.user_id)
        assert await small.counts() == (3, 0, 0, 0)


class TestTheHousehold:
    async def test_its_other_parent_answers_for_its_children_who_are_in_one_party_at_a_time(
        self, answers: Answering, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        lea, tom = [await child_of(store, clock, ada, name) for name in ("Lea", "Tom")]
        with pytest.raises(InvalidField, match="household"):
            await answers(ben, companion_ids=[lea.user_id])
        for one in (ada, ben, lea):
            await store.write(update(one.ref, household_id="h"))
        both = [lea.user_id, tom.user_id]
        with pytest.raises(InvalidField, match="household"):
            await answers(ben, companion_ids=both)  # Tom lives elsewhere
        await answers(ada, companion_ids=both)
        await answers(ben, companion_ids=[lea.user_id])
        assert await answers.counts() == (4, 0, 0, 0), "Lea comes with Ben now, and counts once"
        adas = await store.get(Rsvp.at(hangout_id=answers.hangout.hangout_id, user_id=ada.user_id))
        assert adas is not None
        assert adas.companion_ids == [tom.user_id]
        await answers(ada, "INTERESTED", child=lea)
        assert await answers.counts() == (3, 1, 0, 0), "she is in no party any more"
        await answers(ben, companion_ids=[lea.user_id])
        await withdraw(Context(store, ada, clock()), lea, answers.hangout.hangout_id)
        assert await answers.counts() == (3, 0, 0, 0)

    async def test_whoever_moves_out_meanwhile_answers_for_its_children_no_more(
        self, answers: Answering, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        lea = await child_of(store, clock, ada, "Lea")
        for one in (ada, ben, lea):
            await store.write(update(one.ref, household_id="h"))

        class MovesOut(Store):
            """A store in which Ben has moved out when he comes to write."""

            async def write(self, *writes: Write) -> None:
                await store.write(update(ben.ref, household_id=None))
                await super().write(*writes)

        ctx, which = Context(MovesOut(store.engine), ben, clock()), answers.hangout.hangout_id
        typed = TypedRsvp(status="GOING", companion_ids=[lea.user_id])
        with pytest.raises(InvalidField, match="household"):
            await answer(ctx, ben, which, typed)
        assert await answers.counts() == (1, 0, 0, 0)

    async def test_a_child_stays_with_whom_it_comes_when_its_own_parent_goes(
        self, answers: Answering, store: Store, clock: Watch, ben: User, friends: FriendGroup
    ) -> None:
        eve = await somebody(store, clock, "Eve")
        code = await create_code(Context(store, ben, clock()), friends.group_id)
        await join(Context(store, eve, clock()), code.code)
        lea = await child_of(store, clock, eve, "Lea")
        for one in (eve, ben, lea):
            await store.write(update(one.ref, household_id="h"))
        await answers(ben, companion_ids=[lea.user_id])
        await leave_group(Context(store, eve, clock()), friends.group_id)
        await tidied(store, clock)
        assert await answers.counts() == (3, 0, 0, 0)
        await leave_group(Context(store, ben, clock()), friends.group_id)
        await tidied(store, clock)
        assert await answers.counts() == (1, 0, 0, 0)


class TestMomentum:
    async def test_a_child_of_its_maker_makes_no_idea_of_theirs_rise(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        made = await hangout_of(store, clock, ada, friends, place=PUB, time=starts_in(clock, DAY))
        answers, kid = Answering(store, clock, made), await child_of(store, clock, ada, "Kid")
        await answers(ada)
        after = (await answers(ada, child=kid)).hangout
        assert (after.going_count, after.momentum) == (2, "BUILDING")
        await check_hangouts(store.engine)

    async def test_it_rises_with_answers_on_canonical_and_pointers_and_never_falls(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        others = [await somebody(store, clock, f"P{number}") for number in range(9)]
        group = await group_of(store, clock, ada, *others)
        made = await hangout_of(store, clock, ada, group, place=PUB, time=starts_in(clock, 9 * DAY))
        answers = Answering(store, clock, made)
        assert made.momentum == "BUILDING", "nobody but its maker has said a word"
        assert (await answers(ada, "GOING", plus_guests=5)).hangout.momentum == "BUILDING"
        assert (await answers(ada, "INTERESTED")).hangout.momentum == "BUILDING"
        assert (await answers(others[0], plus_guests=5)).hangout.momentum == "GAINING"
        assert (await answers(others[1])).hangout.momentum == "CONFIRMED"
        for one in others[:2]:
            await answers(one, "NOT_GOING")
        assert (await now_of(store, made)).momentum == "CONFIRMED"
        await check_hangouts(store.engine)

    async def test_nobody_but_the_own_answers_are_left_of_a_person(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        made = await hangout_of(store, clock, ada, friends)
        await remove_rsvp(store, clock(), made.hangout_id, ada.user_id)
        assert await everything_of(store.engine, Rsvp) == []
