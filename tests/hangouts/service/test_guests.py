"""Whoever has the link answers with a name, and with their own private link changes it later."""

from __future__ import annotations

import os

import pytest
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden, InvalidField, NotFound, RateLimited
from commonroom.hangouts.rules.rsvps import MAX_GUEST_ANSWERS
from commonroom.hangouts.service.edits import change_hangout
from commonroom.hangouts.service.guests import (
    GuestLinks,
    GuestLinkVisitor,
    TypedGuestRsvp,
    answer_as_guest,
    change_as_guest,
    change_for,
    own_rsvp,
    rsvp_for,
    see_as_guest,
    set_guest_link,
)
from commonroom.hangouts.service.hangouts import cancel
from commonroom.hangouts.tables import FriendGroup, GuestRsvp, Hangout
from commonroom.store import Store, counting, update
from tests.accounts.people import Meanwhile, Watch
from tests.hangouts.friends import check_hangouts, everything_of, hangout_of, now_of

GOING = TypedGuestRsvp(name="Uncle Jo", status="GOING", plus_guests=1)


@pytest.fixture
def links() -> GuestLinks:
    return GuestLinks(os.urandom(32))


@pytest.fixture
async def party(store: Store, clock: Watch, ada: User, friends: FriendGroup) -> Hangout:
    """A hangout of Ada's that is open to guests."""
    made = await hangout_of(store, clock, ada, friends, is_on=True)
    return await set_guest_link(Context(store, ada, clock()), made.hangout_id, is_open=True)


@pytest.fixture
def guest(store: Store, clock: Watch, links: GuestLinks, party: Hangout) -> GuestLinkVisitor:
    """Somebody with the link."""
    return GuestLinkVisitor(store, links, clock(), links.token(party) or "", address="203.0.113.5")


class TestLinks:
    async def test_a_link_opens_its_hangout_with_one_request(
        self, guest: GuestLinkVisitor, party: Hangout
    ) -> None:
        with counting() as tally:
            seen = await see_as_guest(guest)
        assert tally.requests == 1
        assert seen.hangout == party

    @pytest.mark.parametrize("token", ["", "x", "A" * 60, "x" * 5000, "ünïcode"])
    async def test_what_is_no_link_opens_nothing(self, guest: GuestLinkVisitor, token: str) -> None:
        with pytest.raises(NotFound):
            await see_as_guest(replace(guest, token=token))

    async def test_a_link_that_was_closed_stays_closed_when_another_is_made(
        self, store: Store, clock: Watch, ada: User, guest: GuestLinkVisitor, party: Hangout
    ) -> None:
        ctx = Context(store, ada, clock())
        closed = await set_guest_link(ctx, party.hangout_id, is_open=False)
        assert guest.links.token(closed) is None
        with pytest.raises(NotFound):
            await see_as_guest(guest)
        again = await set_guest_link(ctx, party.hangout_id, is_open=True)
        with pytest.raises(NotFound):
            await answer_as_guest(guest, GOING)
        await see_as_guest(replace(guest, token=guest.links.token(again) or ""))
        await check_hangouts(store.engine)

    async def test_a_link_is_the_same_whenever_it_is_shown(
        self, store: Store, clock: Watch, ada: User, guest: GuestLinkVisitor, party: Hangout
    ) -> None:
        ctx = Context(store, ada, clock())
        quiet = await set_guest_link(ctx, party.hangout_id, is_open=True, shows_people=False)
        assert guest.links.token(quiet) == guest.token
        assert quiet.guest_link is not None
        assert not quiet.guest_link.shows_people

    async def test_only_whoever_manages_it_opens_it(
        self, store: Store, clock: Watch, ben: User, party: Hangout
    ) -> None:
        with pytest.raises(Forbidden):
            await set_guest_link(Context(store, ben, clock()), party.hangout_id, is_open=False)

    async def test_a_public_hangout_has_none(
        self, store: Store, clock: Watch, ada: User, guest: GuestLinkVisitor, party: Hangout
    ) -> None:
        ctx = Context(store, ada, clock())
        given = {"visibility": "PUBLIC"}
        await change_hangout(ctx, party.hangout_id, given, version=party.version)
        with pytest.raises(NotFound):
            await see_as_guest(guest)
        with pytest.raises(Conflict):
            await set_guest_link(ctx, party.hangout_id, is_open=True)


class TestAnswers:
    async def test_a_guest_is_counted_and_changes_it_with_the_code(
        self, store: Store, guest: GuestLinkVisitor, party: Hangout
    ) -> None:
        given = await answer_as_guest(guest, GOING)
        assert (given.hangout.going_count, given.hangout.guest_count) == (3, 1)
        code = given.change_code or ""
        assert (await own_rsvp(guest, code)).rsvp == given.rsvp
        changed = await change_as_guest(guest, code, replace(GOING, plus_guests=0))
        assert changed.hangout.going_count == 2
        await check_hangouts(store.engine)
        gone = await change_as_guest(guest, code, None)
        assert (gone.hangout.going_count, gone.hangout.guest_count) == (1, 0)
        await check_hangouts(store.engine)
        with pytest.raises(NotFound):
            await change_as_guest(guest, code, GOING)

    async def test_nothing_that_is_stored_changes_an_answer(
        self, store: Store, guest: GuestLinkVisitor
    ) -> None:
        given = await answer_as_guest(guest, GOING)
        (stored,) = await everything_of(store.engine, GuestRsvp)
        for code in ("", stored.guest_id, f"{stored.guest_id}.{stored.change_hash}", "a#b.c"):
            with pytest.raises(NotFound):
                await change_as_guest(guest, code, None)
        assert given.change_code is not None

    @pytest.mark.parametrize(
        "wrong", [{"name": " "}, {"name": "x" * 31}, {"plus_guests": 11}, {"note": "x" * 501}]
    )
    async def test_what_is_too_much_or_nothing_is_refused(
        self, guest: GuestLinkVisitor, wrong: dict[str, str]
    ) -> None:
        with pytest.raises(InvalidField):
            await answer_as_guest(guest, replace(GOING, **wrong))

    async def test_guests_wait_for_places_like_everybody(
        self, store: Store, clock: Watch, ada: User, guest: GuestLinkVisitor, party: Hangout
    ) -> None:
        ctx = Context(store, ada, clock())
        await change_hangout(ctx, party.hangout_id, {"place_limit": 2}, version=party.version)
        first = await answer_as_guest(guest, GOING)
        assert first.is_waiting
        moved = await change_as_guest(guest, first.change_code or "", replace(GOING, plus_guests=0))
        assert not moved.is_waiting
        await check_hangouts(store.engine)

    async def test_there_is_an_end_to_answers_from_one_address(
        self, guest: GuestLinkVisitor
    ) -> None:
        for number in range(60):
            await answer_as_guest(guest, replace(GOING, name=f"Bot {number}"))
        with pytest.raises(RateLimited):
            await answer_as_guest(guest, GOING)

    async def test_and_an_end_to_answers_on_one_hangout(
        self, store: Store, guest: GuestLinkVisitor, party: Hangout
    ) -> None:
        await store.write(update(party.ref, guest_count=MAX_GUEST_ANSWERS))
        with pytest.raises(Conflict, match=str(MAX_GUEST_ANSWERS)):
            await answer_as_guest(guest, GOING)

    async def test_a_cancelled_one_is_seen_and_takes_no_answers(
        self, store: Store, clock: Watch, ada: User, guest: GuestLinkVisitor, party: Hangout
    ) -> None:
        await cancel(Context(store, ada, clock()), party.hangout_id)
        assert (await see_as_guest(guest)).hangout.cancelled_at is not None
        with pytest.raises(Conflict):
            await answer_as_guest(guest, GOING)


class TestForSomebodyByName:
    async def test_the_maker_answers_for_somebody_changes_and_removes_it(
        self, store: Store, clock: Watch, ada: User, party: Hangout
    ) -> None:
        ctx = Context(store, ada, clock())
        given = await rsvp_for(ctx, party.hangout_id, GOING)
        assert (given.rsvp.entered_by, given.change_code) == (ada.user_id, None)
        guest_id = given.rsvp.guest_id
        await change_for(ctx, party.hangout_id, guest_id, replace(GOING, status="NOT_GOING"))
        now = await now_of(store, party)
        assert (now.going_count, now.not_going_count, now.guest_count) == (1, 1, 1)
        await check_hangouts(store.engine)
        await change_for(ctx, party.hangout_id, guest_id, None)
        assert (await now_of(store, party)).guest_count == 0
        await check_hangouts(store.engine)

    async def test_a_member_does_not(
        self, store: Store, clock: Watch, ben: User, party: Hangout
    ) -> None:
        ctx = Context(store, ben, clock())
        with pytest.raises(Forbidden):
            await rsvp_for(ctx, party.hangout_id, GOING)
        with pytest.raises(Forbidden):
            await change_for(ctx, party.hangout_id, "guest-x", None)


class TestRemovingAGuest:
    async def test_ends_the_link_that_they_came_in_by_in_the_same_write(
        self, store: Store, clock: Watch, ada: User, guest: GuestLinkVisitor, party: Hangout
    ) -> None:
        given = await answer_as_guest(guest, GOING)
        with counting() as tally:
            removed = await change_for(
                Context(store, ada, clock()), party.hangout_id, given.rsvp.guest_id, None
            )
        assert (removed.link_ended, tally.writes) == (True, 1)
        assert removed.hangout == await now_of(store, party)
        for coming_back in (answer_as_guest(guest, GOING), see_as_guest(guest)):
            with pytest.raises(NotFound):
                await coming_back
        await check_hangouts(store.engine)

    async def test_in_the_moment_of_another_answer_keeps_the_counts_right(
        self, store: Store, clock: Watch, ada: User, guest: GuestLinkVisitor, party: Hangout
    ) -> None:
        given = await answer_as_guest(guest, GOING)

        async def another_answers() -> None:
            await answer_as_guest(guest, replace(GOING, name="Aunt May"))

        meanwhile = Meanwhile(store, another_answers, before_writing=GuestRsvp)
        ctx = Context(meanwhile, ada, clock())
        await change_for(ctx, party.hangout_id, given.rsvp.guest_id, None)
        now = await now_of(store, party)
        assert (now.guest_count, now.guest_link and now.guest_link.is_open) == (1, False)
        await check_hangouts(store.engine)

    async def test_for_whom_somebody_answered_leaves_the_link_alone(
        self, store: Store, clock: Watch, ada: User, guest: GuestLinkVisitor, party: Hangout
    ) -> None:
        ctx = Context(store, ada, clock())
        by_name = await rsvp_for(ctx, party.hangout_id, GOING)
        removed = await change_for(ctx, party.hangout_id, by_name.rsvp.guest_id, None)
        assert not removed.link_ended
        await see_as_guest(guest)
