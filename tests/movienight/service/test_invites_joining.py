"""Joining with an invite, and signing up with one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.errors import LinkExpired
from commonroom.accounts.secrets import digest
from commonroom.accounts.service.account_data import CONFIRMATION, delete_account
from commonroom.accounts.service.signup import sign_up
from commonroom.accounts.tables import Installation, User
from commonroom.errors import Conflict, Forbidden, NotFound
from commonroom.moments import iso
from commonroom.movienight.rules.households import MAX_MEMBERS
from commonroom.movienight.service.households import delete_household
from commonroom.movienight.service.invites import (
    InviteExpired,
    NewInvite,
    join,
    list_invites,
    preview,
    revoke_invite,
    signup_checks,
)
from commonroom.movienight.service.members import leave, list_members, remove_member
from commonroom.movienight.tables import Household, HouseholdMembership, Invite, invite_by_token
from commonroom.store import Store, counting, create, put
from tests.accounts.people import DAY, Meanwhile, Watch, newcomer
from tests.movienight.evenings import (
    ODD_TOKENS,
    TABLES,
    check_households,
    context_of,
    fill_seats,
    home_of,
    now_of,
    somebody,
)
from tests.support.context import at
from tests.support.hostile_engine import HostileEngine, Hostility

WEEK = 7 * DAY


class TestJoin:
    async def test_brings_several_people_in_with_one_link(
        self, store: Store, clock: Watch, home: Household, eve: User, link: NewInvite
    ) -> None:
        fay = await somebody(store, clock, "Fay")
        clock.forward(1)

        joined = await join(Context(store, eve, clock()), link.token)
        clock.forward(1)
        await join(Context(store, fay, clock()), link.token)

        assert joined.group_id == home.group_id
        assert joined.member_count == 3
        members = await list_members(store, home.group_id)
        assert [one.user_id for one in members[2:]] == [eve.user_id, fay.user_id]
        assert members[2].membership == HouseholdMembership(
            group_id=home.group_id,
            user_id=eve.user_id,
            role="member",
            member_type="independent",
            joined_at=iso(clock() - 1),
        )
        now = await now_of(store, link.invite)
        assert (now.status, now.uses, now.ended_at) == ("pending", 2, None)
        await check_households(store.engine)

    async def test_costs_four_requests(
        self, store: Store, clock: Watch, eve: User, link: NewInvite
    ) -> None:
        with counting() as tally:
            await join(Context(store, eve, clock()), link.token)
        assert tally.requests == 4

    @pytest.mark.parametrize("odd", ODD_TOKENS)
    async def test_with_an_unknown_token_is_not_found(
        self, store: Store, clock: Watch, eve: User, link: NewInvite, odd: str
    ) -> None:
        with pytest.raises(NotFound):
            await join(Context(store, eve, clock()), odd)
        assert await now_of(store, eve) == eve

    async def test_with_an_expired_link_is_gone(
        self, store: Store, clock: Watch, eve: User, link: NewInvite
    ) -> None:
        clock.forward(WEEK)

        with pytest.raises(InviteExpired):
            await join(Context(store, eve, clock()), link.token)
        assert await now_of(store, eve) == eve

    async def test_into_a_full_household_is_a_conflict(
        self, store: Store, clock: Watch, ada: User, eve: User, link: NewInvite
    ) -> None:
        await fill_seats(store, clock, ada, MAX_MEMBERS - 2)

        with pytest.raises(Conflict, match="full") as caught:
            await join(Context(store, eve, clock()), link.token)
        assert caught.value.status == 409
        assert await now_of(store, eve) == eve
        await check_households(store.engine)

    async def test_of_the_last_one_who_fits_in_uses_the_link_up(
        self, store: Store, clock: Watch, ada: User, eve: User, link: NewInvite
    ) -> None:
        await fill_seats(store, clock, ada, MAX_MEMBERS - 3)
        fay = await somebody(store, clock, "Fay")
        clock.forward(1)

        await join(Context(store, eve, clock()), link.token)

        accepted = replace(link.invite, status="accepted", uses=1, ended_at=iso(clock()))
        assert await now_of(store, link.invite) == accepted
        assert (await preview(store, clock(), link.token)).full
        with pytest.raises(Conflict, match="full"):
            await join(Context(store, fay, clock()), link.token)

    async def test_with_a_link_that_was_used_up_is_gone_also_when_there_is_room_again(
        self, store: Store, clock: Watch, ada: User, eve: User, link: NewInvite
    ) -> None:
        await fill_seats(store, clock, ada, MAX_MEMBERS - 3)
        await join(Context(store, eve, clock()), link.token)
        await leave(at(store, clock(), await context_of(store, eve)))

        for attempt in (
            preview(store, clock(), link.token),
            join(Context(store, await now_of(store, eve), clock()), link.token),
        ):
            with pytest.raises(InviteExpired, match="used up"):
                await attempt
        assert (await now_of(store, link.invite)).status == "accepted"

    async def test_leaves_a_link_that_nobody_used_for_when_somebody_leaves(
        self, store: Store, clock: Watch, *, ada: User, ben: User, eve: User, link: NewInvite
    ) -> None:
        await fill_seats(store, clock, ada, MAX_MEMBERS - 2)
        with pytest.raises(Conflict, match="full"):
            await join(Context(store, eve, clock()), link.token)
        await leave(at(store, clock(), await context_of(store, ben)))

        await join(Context(store, eve, clock()), link.token)

        assert (await now_of(store, link.invite)).status == "accepted"

    async def test_counts_those_who_are_there_when_it_is_written(
        self, store: Store, clock: Watch, ada: User, eve: User, link: NewInvite
    ) -> None:
        await fill_seats(store, clock, ada, MAX_MEMBERS - 4)
        slow = Meanwhile(store, lambda: fill_seats(store, clock, ada, 1), before_writing=Invite)

        await join(Context(slow, eve, clock()), link.token)

        assert (await now_of(store, link.invite)).status == "accepted"
        await check_households(store.engine)

    async def test_of_somebody_in_a_household_is_a_conflict_also_where_it_is_this_one(
        self, store: Store, clock: Watch, ben: User, eve: User, link: NewInvite
    ) -> None:
        await home_of(store, clock, eve)

        for person in (ben, eve):
            with pytest.raises(Conflict, match="only be in one household"):
                await join(Context(store, person, clock()), link.token)
        await check_households(store.engine)

    async def test_with_a_link_revoked_at_the_last_moment_is_gone(
        self, store: Store, clock: Watch, ada: User, eve: User, link: NewInvite
    ) -> None:
        ctx = await context_of(store, ada)
        slow = Meanwhile(
            store,
            lambda: revoke_invite(at(store, clock(), ctx), link.invite.invite_id),
            before_writing=User,
        )

        with pytest.raises(InviteExpired):
            await join(Context(slow, eve, clock()), link.token)
        assert await now_of(store, eve) == eve

    async def test_with_a_link_that_runs_out_at_the_last_moment_is_gone(
        self, store: Store, clock: Watch, eve: User, link: NewInvite
    ) -> None:
        ended = replace(link.invite, expires_at=iso(clock()))
        slow = Meanwhile(store, lambda: store.write(put(ended)), before_writing=User)

        with pytest.raises(InviteExpired):
            await join(Context(slow, eve, clock()), link.token)
        assert await now_of(store, eve) == eve

    async def test_into_a_household_deleted_at_the_last_moment_is_gone(
        self, store: Store, clock: Watch, ada: User, eve: User, link: NewInvite
    ) -> None:
        ctx = await context_of(store, ada)
        slow = Meanwhile(
            store, lambda: delete_household(at(store, clock(), ctx), "Home"), before_writing=User
        )

        with pytest.raises(InviteExpired):
            await join(Context(slow, eve, clock()), link.token)
        assert await now_of(store, eve) == eve

    async def test_is_nothing_for_a_deleted_account(
        self, store: Store, clock: Watch, eve: User, link: NewInvite
    ) -> None:
        await delete_account(store, eve, typed=CONFIRMATION)

        with pytest.raises(NotFound):
            await join(Context(store, eve, clock()), link.token)
        await check_households(store.engine)

    async def test_is_nothing_for_a_managed_member(
        self, store: Store, clock: Watch, zoe: User, link: NewInvite
    ) -> None:
        with pytest.raises(Forbidden):
            await join(Context(store, zoe, clock()), link.token)

    async def test_takes_no_seat_that_is_still_being_cleared(
        self, store: Store, clock: Watch, home: Household, ben: User, link: NewInvite
    ) -> None:
        # An OpenID provider gives the same person the same id again.
        before = await now_of(store, ben)
        await delete_account(store, before, typed=CONFIRMATION)
        await store.write(create(replace(before, household_id=None)))

        with pytest.raises(Conflict):
            await join(Context(store, ben, clock()), link.token)
        assert (await now_of(store, ben)).household_id is None
        assert (await now_of(store, home)).member_count == 2


class TestALinkOfAnEarlierVersion:
    """Its token is stored as it is; it goes on until its week is over."""

    TOKEN = "Zm9yIGEgaG91c2Vob2xkIG9mIGZvdXI_"

    @pytest.fixture
    async def old(self, store: Store, clock: Watch, home: Household, ada: User) -> Invite:
        """As it was written then."""
        made = {
            "invite_id": "6a0f8f0e-4b0d-5c0e-9d51-2f1d7f3f5b11",
            "group_id": home.group_id,
            "created_by": ada.user_id,
            "invite_token": self.TOKEN,
            "status": "pending",
            "created_at": iso(clock()),
            "expires_at": iso(clock() + WEEK),
            "ttl": int(clock() + WEEK + DAY),
        }
        stored = Invite.from_item(made)
        assert {name: value for name, value in stored.to_item().items() if name in made} == made
        await store.write(create(stored))
        return stored

    async def test_still_lets_people_in(
        self, store: Store, clock: Watch, eve: User, old: Invite
    ) -> None:
        assert (await preview(store, clock(), self.TOKEN)).name == "Home"
        await join(Context(store, eve, clock()), self.TOKEN)
        assert (await now_of(store, old)).uses == 1

    async def test_ends_with_the_removal_of_a_member(
        self, store: Store, clock: Watch, ada: User, ben: User, old: Invite
    ) -> None:
        await remove_member(at(store, clock(), await context_of(store, ada)), ben.user_id)

        now = await now_of(store, old)
        assert (now.status, now.ended_at) == ("revoked", iso(clock()))

    async def test_is_listed_and_can_be_revoked(
        self, store: Store, clock: Watch, ada: User, eve: User, old: Invite
    ) -> None:
        ctx = await context_of(store, ada)
        assert old in await list_invites(at(store, clock(), ctx))
        await revoke_invite(at(store, clock(), ctx), old.invite_id)
        with pytest.raises(InviteExpired):
            await join(Context(store, eve, clock()), self.TOKEN)


async def test_what_is_stored_of_a_link_opens_nothing(
    store: Store, clock: Watch, eve: User, link: NewInvite
) -> None:
    for stored in (link.invite.invite_token, link.invite.invite_id):
        with pytest.raises(NotFound):
            await join(Context(store, eve, clock()), stored)
        with pytest.raises(NotFound):
            await signup_checks(store, clock(), stored)


class TestALinkThatAnIndexShowsAsItWas:
    @pytest.fixture
    async def behind(
        self, link: NewInvite, store: Store, clock: Watch, tmp_path: Path
    ) -> AsyncIterator[Store]:
        """The store with indexes that show nothing new for long."""
        hostile = await HostileEngine.around(
            store.engine, TABLES, tmp_path, seed=1, hostility=Hostility(lag=10**6), clock=clock
        )
        yield Store(hostile)
        await hostile.close()

    async def test_is_gone_once_it_is_revoked(
        self, behind: Store, clock: Watch, ada: User, eve: User, link: NewInvite
    ) -> None:
        await revoke_invite(
            at(behind, clock(), await context_of(behind, ada)), link.invite.invite_id
        )

        with pytest.raises(InviteExpired):
            await preview(behind, clock(), link.token)
        with pytest.raises(InviteExpired):
            await join(Context(behind, eve, clock()), link.token)
        asked = invite_by_token(invite_token=digest(link.token))
        assert (await behind.page(asked)).items == [link.invite]

    async def test_is_unknown_once_another_invite_is_in_its_place(
        self, behind: Store, clock: Watch, eve: User, link: NewInvite
    ) -> None:
        await behind.write(put(replace(link.invite, invite_token="another")))

        with pytest.raises(NotFound):
            await join(Context(behind, eve, clock()), link.token)


class TestVouchers:
    @pytest.fixture(autouse=True)
    async def first(self, store: Store, clock: Watch, ada: User) -> None:
        """There is an administrator, without whom nobody can sign up."""
        await store.write(create(Installation(user_id=ada.user_id, set_up_at=iso(clock()))))

    async def test_let_somebody_sign_up_who_then_joins(
        self, store: Store, clock: Watch, link: NewInvite
    ) -> None:
        vouched = await signup_checks(store, clock(), link.token)

        fay = await sign_up(store, clock(), "invite", newcomer("Fay"), vouchers=vouched)
        joined = await join(Context(store, fay, clock()), link.token)

        assert joined.member_count == 3
        await check_households(store.engine)

    async def test_let_nobody_in_once_the_invite_is_revoked(
        self, store: Store, clock: Watch, ada: User, link: NewInvite
    ) -> None:
        vouched = await signup_checks(store, clock(), link.token)
        await revoke_invite(at(store, clock(), await context_of(store, ada)), link.invite.invite_id)

        with pytest.raises(LinkExpired):
            await sign_up(store, clock(), "invite", newcomer("Fay"), vouchers=vouched)
        with pytest.raises(InviteExpired):
            await signup_checks(store, clock(), link.token)

    async def test_let_nobody_in_once_the_household_is_full(
        self, store: Store, clock: Watch, ada: User, link: NewInvite
    ) -> None:
        await fill_seats(store, clock, ada, MAX_MEMBERS - 2)
        vouched = await signup_checks(store, clock(), link.token)

        with pytest.raises(LinkExpired):
            await sign_up(store, clock(), "invite", newcomer("Fay"), vouchers=vouched)

    @pytest.mark.parametrize("odd", ODD_TOKENS)
    async def test_are_none_for_an_unknown_token(
        self, store: Store, clock: Watch, link: NewInvite, odd: str
    ) -> None:
        with pytest.raises(NotFound):
            await signup_checks(store, clock(), odd)
