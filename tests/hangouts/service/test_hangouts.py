"""Hangouts are floated or locked in, change with all their pointers, and can be brought back."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import (
    Conflict,
    Forbidden,
    InvalidField,
    InvalidFields,
    NotFound,
    RateLimited,
)
from commonroom.hangouts.service.access import open_hangout
from commonroom.hangouts.service.edits import StaleVersion, change_hangout, invite, uninvite
from commonroom.hangouts.service.fields import HangoutDraft
from commonroom.hangouts.service.hangouts import (
    bring_back,
    cancel,
    confirm,
    create_hangout,
    delete_hangout,
    unconfirm,
)
from commonroom.hangouts.service.rsvps import TypedRsvp, answer
from commonroom.hangouts.tables import EnteredTime, FriendGroup, Hangout, Rsvp
from commonroom.store import Store, counting
from tests.accounts.people import Watch
from tests.hangouts.friends import (
    DAY,
    PUB,
    check_hangouts,
    everything_of,
    group_of,
    hangout_of,
    now_of,
    somebody,
    starts_in,
)


class TestCreating:
    async def test_a_floated_one_is_a_suggestion_and_its_maker_is_interested(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        made = await hangout_of(store, clock, ada, friends)
        assert (made.interested_count, made.going_count) == (1, 0)
        assert made.start_timestamp is None
        own = await store.get(Rsvp.at(hangout_id=made.hangout_id, user_id=ada.user_id))
        assert own is not None
        assert (own.status, own.user_name) == ("INTERESTED", "Ada")
        await check_hangouts(store.engine)

    async def test_a_locked_in_one_is_on_and_its_maker_goes(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        made = await hangout_of(store, clock, ada, friends, is_on=True)
        assert (made.momentum, made.going_count) == ("CONFIRMED", 1)
        await check_hangouts(store.engine)

    async def test_it_is_one_read_and_one_write(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        with counting() as tally:
            await hangout_of(store, clock, ada, friends)
        assert (tally.reads, tally.writes) == (1, 1)
        await hangout_of(store, clock, ada, friends, invited_user_ids=[ben.user_id])
        with counting() as tally:
            await hangout_of(store, clock, ada, friends, invited_user_ids=[ben.user_id])
        assert (tally.reads, tally.writes) == (1, 2), "invitations are counted"

    async def test_all_that_is_wrong_is_said_at_once(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        with pytest.raises(InvalidFields) as refused:
            await hangout_of(store, clock, ada, title="", link="nowhere", time=EnteredTime())
        assert refused.value.by_field.keys() == {"title", "link", "time.start_time"}

    async def test_its_groups_are_those_of_its_maker(
        self, store: Store, clock: Watch, ada: User, eve: User
    ) -> None:
        elsewhere = await group_of(store, clock, eve)
        with pytest.raises(InvalidField, match="not a member"):
            await hangout_of(store, clock, ada, elsewhere)
        with pytest.raises(InvalidField, match="not a member"):
            await hangout_of(store, clock, ada, group_ids=["a#b"])

    async def test_nobody_is_invited_by_id_but_acquaintances(
        self, store: Store, clock: Watch, ada: User, ben: User, eve: User
    ) -> None:
        ctx = Context(store, ada, clock())
        draft = HangoutDraft(title="Hello", invited_user_ids=[ben.user_id, eve.user_id])
        with pytest.raises(InvalidField, match="share a group"):
            await create_hangout(ctx, draft, acquainted={ben.user_id})

    async def test_direct_invitations_are_limited(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        for _ in range(30):
            await hangout_of(store, clock, ada, invited_user_ids=[ben.user_id])
        with pytest.raises(RateLimited):
            await hangout_of(store, clock, ada, invited_user_ids=[ben.user_id])

    async def test_only_people_with_an_account_are_invited(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        with pytest.raises(InvalidField, match="account"):
            await hangout_of(store, clock, ada, invited_user_ids=["nobody"])

    async def test_one_for_ten_groups_and_ten_people_fits_one_write(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        groups = [await group_of(store, clock, ada, name=f"G{n}") for n in range(10)]
        people = [(await somebody(store, clock, f"P{n}")).user_id for n in range(10)]
        made = await hangout_of(store, clock, ada, *groups, invited_user_ids=people)
        assert made.audience == 10 + 10
        await check_hangouts(store.engine)
        with pytest.raises(InvalidField):
            await hangout_of(store, clock, ada, invited_user_ids=[*people, "one more"])


class TestAccess:
    async def test_a_stranger_finds_nothing(
        self, store: Store, clock: Watch, ada: User, eve: User, friends: FriendGroup
    ) -> None:
        made = await hangout_of(store, clock, ada, friends, visibility="PUBLIC")
        for hangout_id in (made.hangout_id, "none", "a#b"):
            with pytest.raises(NotFound):
                await open_hangout(Context(store, eve, clock()), hangout_id)

    async def test_a_public_one_of_a_public_group_is_for_anybody(
        self, store: Store, clock: Watch, ada: User, eve: User
    ) -> None:
        group = await group_of(store, clock, ada, is_public=True)
        shown = await hangout_of(store, clock, ada, group, visibility="PUBLIC")
        hidden = await hangout_of(store, clock, ada, group)
        access = await open_hangout(Context(store, eve, clock()), shown.hangout_id)
        assert not access.standing.may_edit
        with pytest.raises(NotFound):
            await open_hangout(Context(store, eve, clock()), hidden.hangout_id)
        ctx = Context(store, eve, clock())
        await answer(ctx, eve, shown.hangout_id, TypedRsvp(status="GOING"))
        await check_hangouts(store.engine)


class TestChanging:
    async def change(
        self, store: Store, clock: Watch, who: User, hangout: Hangout, **given: Any
    ) -> Hangout:
        version = given.pop("version", hangout.version)
        ctx = Context(store, who, clock())
        return await change_hangout(ctx, hangout.hangout_id, given, version=version)

    async def test_any_member_changes_what_is_given_and_nothing_else(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        made = await hangout_of(store, clock, ada, friends, description="Sing!", place=PUB)
        clock.forward(5)
        changed = await self.change(store, clock, ben, made, title="Opera?")
        assert changed == await now_of(store, made)
        assert (changed.title, changed.description, changed.version) == ("Opera?", "Sing!", 2)
        await check_hangouts(store.engine)

    async def test_a_field_can_be_cleared(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        made = await hangout_of(
            store, clock, ada, friends, description="Sing!", place=PUB, time=starts_in(clock, DAY)
        )
        changed = await self.change(
            store, clock, ada, made, description=None, place=None, time=None
        )
        assert (changed.description, changed.place, changed.time) == (None, None, None)
        assert changed.start_timestamp is None
        await check_hangouts(store.engine)

    async def test_a_stale_version_is_refused(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        made = await hangout_of(store, clock, ada, friends)
        await self.change(store, clock, ben, made, title="Opera?")
        with pytest.raises(StaleVersion) as refused:
            await self.change(store, clock, ada, made, title="Musical?")
        assert refused.value.extensions == {"version": 2}
        assert (await now_of(store, made)).title == "Opera?"

    async def test_what_changes_nothing_makes_no_new_version(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        made = await hangout_of(store, clock, ada, friends)
        assert (await self.change(store, clock, ada, made, title=made.title)).version == 1

    async def test_somebody_invited_directly_cannot_change_it(
        self, store: Store, clock: Watch, ada: User, eve: User
    ) -> None:
        made = await hangout_of(store, clock, ada, invited_user_ids=[eve.user_id])
        with pytest.raises(Forbidden):
            await self.change(store, clock, eve, made, title="Mine")

    async def test_an_answer_meanwhile_makes_no_edit_stale(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        made = await hangout_of(store, clock, ada, friends)
        await answer(Context(store, ben, clock()), ben, made.hangout_id, TypedRsvp(status="GOING"))
        changed = await self.change(store, clock, ada, made, time=starts_in(clock, DAY))
        assert changed.going_count == 1
        await check_hangouts(store.engine)

    async def test_groups_come_and_go_with_their_pointers(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        club = await group_of(store, clock, ada, name="Club")
        made = await hangout_of(store, clock, ada, friends)
        moved = await self.change(store, clock, ada, made, group_ids=[club.group_id])
        assert moved.audience == 1
        await check_hangouts(store.engine)
        with pytest.raises(NotFound):
            await open_hangout(Context(store, ben, clock()), made.hangout_id)
        await self.change(store, clock, ada, moved, group_ids=[club.group_id, friends.group_id])
        await check_hangouts(store.engine)
        await open_hangout(Context(store, ben, clock()), made.hangout_id)

    async def test_only_whoever_manages_it_changes_its_groups_to_groups_of_the_maker(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        bens = await group_of(store, clock, ben, name="Ben's")
        made = await hangout_of(store, clock, ada, friends)
        with pytest.raises(Forbidden):
            await self.change(store, clock, ben, made, group_ids=[])
        with pytest.raises(InvalidField):
            await self.change(store, clock, ada, made, group_ids=[bens.group_id])

    async def test_a_time_and_a_place_confirm_what_two_people_go_to(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        made = await hangout_of(store, clock, ada, friends, place=PUB)
        for one in (ada, ben):
            ctx = Context(store, one, clock())
            await answer(ctx, one, made.hangout_id, TypedRsvp(status="GOING"))
        assert (await now_of(store, made)).momentum == "GAINING"
        changed = await self.change(store, clock, ben, made, time=starts_in(clock, DAY))
        assert changed.momentum == "CONFIRMED"
        await check_hangouts(store.engine)


class TestStates:
    async def test_a_cancelled_one_stays_and_can_be_brought_back(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        made = await hangout_of(store, clock, ada, friends)
        ctx = Context(store, ada, clock())
        assert (await cancel(ctx, made.hangout_id)).cancelled_at is not None
        await check_hangouts(store.engine)
        with pytest.raises(Conflict, match="cancelled"):
            await answer(
                Context(store, ben, clock()), ben, made.hangout_id, TypedRsvp(status="GOING")
            )
        with pytest.raises(Conflict):
            await cancel(ctx, made.hangout_id)
        back = await bring_back(ctx, made.hangout_id)
        assert (back.cancelled_at, back.version) == (None, 3)
        with pytest.raises(Conflict):
            await bring_back(ctx, made.hangout_id)
        await check_hangouts(store.engine)

    async def test_a_member_cannot_cancel_or_delete_it(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        made = await hangout_of(store, clock, ada, friends)
        ctx = Context(store, ben, clock())
        for deed in (cancel, bring_back, unconfirm, delete_hangout):
            with pytest.raises(Forbidden):
                await deed(ctx, made.hangout_id)

    async def test_an_admin_of_its_group_can(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        made = await hangout_of(store, clock, ben, friends)
        await cancel(Context(store, ada, clock()), made.hangout_id)

    async def test_it_is_on_when_somebody_says_so_and_until_it_is_taken_back(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        made = await hangout_of(store, clock, ada, friends, place=PUB, time=starts_in(clock, DAY))
        clock.forward(60)
        confirmed = await confirm(Context(store, ben, clock()), made.hangout_id)
        assert (confirmed.momentum, confirmed.version) == ("CONFIRMED", 2)
        clock.forward(60)
        again = await confirm(Context(store, ada, clock()), made.hangout_id)
        assert (again, again.version) == (confirmed, 2), "what is so already is no edit"
        taken = await unconfirm(Context(store, ada, clock()), made.hangout_id)
        assert (taken.momentum, taken.version) == ("BUILDING", 3)
        clock.forward(60)
        assert await unconfirm(Context(store, ada, clock()), made.hangout_id) == taken
        for one in (ada, ben):
            ctx = Context(store, one, clock())
            after = await answer(ctx, one, made.hangout_id, TypedRsvp(status="GOING"))
        assert after.hangout.momentum == "GAINING", "only by hand from now on"
        assert (await confirm(ctx, made.hangout_id)).momentum == "CONFIRMED"
        await check_hangouts(store.engine)

    async def test_a_deleted_one_is_in_no_list(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        made = await hangout_of(store, clock, ada, friends)
        await delete_hangout(Context(store, ada, clock()), made.hangout_id)
        assert await everything_of(store.engine, Hangout) == []
        with pytest.raises(NotFound):
            await open_hangout(Context(store, ada, clock()), made.hangout_id)


class TestInviting:
    async def test_by_address_and_taken_back(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        eve = await somebody(store, clock, "Eve")
        made = await hangout_of(store, clock, ada, friends)
        ctx = Context(store, ben, clock())
        invited = await invite(ctx, made.hangout_id, "EVE@example.org")
        assert invited.invited_user_ids == [ada.user_id, eve.user_id]
        assert await invite(ctx, made.hangout_id, "eve@example.org") == invited
        await check_hangouts(store.engine)
        await open_hangout(Context(store, eve, clock()), made.hangout_id)
        with pytest.raises(Forbidden):
            await uninvite(ctx, made.hangout_id, eve.user_id)
        await uninvite(Context(store, eve, clock()), made.hangout_id, eve.user_id)
        await check_hangouts(store.engine)
        with pytest.raises(NotFound):
            await open_hangout(Context(store, eve, clock()), made.hangout_id)

    async def test_one_person_is_invited_by_address_five_times_a_day_by_the_same_one(
        self, store: Store, clock: Watch, ada: User, ben: User, eve: User
    ) -> None:
        async def invite_eve(by: User) -> None:
            made = await hangout_of(store, clock, by)
            await invite(Context(store, by, clock()), made.hangout_id, "eve@example.org")

        for _ in range(5):
            await invite_eve(ada)
        with pytest.raises(RateLimited, match="invited this person several times") as refused:
            await invite_eve(ada)
        assert 0 < refused.value.retry_after <= 24 * 3600
        await invite_eve(ben)
        clock.forward(24 * 3600)
        await invite_eve(ada)

    async def test_whoever_made_it_stays_on_it(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        made = await hangout_of(store, clock, ada, friends)
        with pytest.raises(Forbidden):
            await uninvite(Context(store, ada, clock()), made.hangout_id, ada.user_id)

    async def test_at_most_sixty_can_be_invited(
        self, store: Store, clock: Watch, ada: User, eve: User
    ) -> None:
        made = await hangout_of(store, clock, ada)
        crowd = [ada.user_id, *(f"p{n}" for n in range(60))]
        await store.engine.load(
            Hangout.schema.table, [replace(made, invited_user_ids=crowd).to_item()]
        )
        with pytest.raises(Conflict, match="60"):
            await invite(Context(store, ada, clock()), made.hangout_id, "eve@example.org")
