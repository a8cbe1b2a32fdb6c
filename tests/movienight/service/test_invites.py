"""Invites: links with which others come into a household."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.secrets import digest
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden, NotFound
from commonroom.moments import iso
from commonroom.movienight.rules.households import MAX_INVITES, MAX_MEMBERS
from commonroom.movienight.service.households import delete_household
from commonroom.movienight.service.invites import (
    HouseholdPreview,
    InviteExpired,
    NewInvite,
    create_invite,
    join,
    list_invites,
    preview,
    revoke_invite,
)
from commonroom.movienight.service.members import add_managed, leave
from commonroom.movienight.tables import Household, Invite
from commonroom.store import Store, counting, put
from tests.accounts.people import DAY, Meanwhile, Watch
from tests.movienight.evenings import (
    ODD_TOKENS,
    context_of,
    everything_of,
    fill_seats,
    home_of,
    now_of,
)
from tests.support.context import at

WEEK = 7 * DAY


class TestInvite:
    async def test_is_valid_for_seven_days_and_kept_a_day_longer(
        self, store: Store, clock: Watch, home: Household, ada: User, link: NewInvite
    ) -> None:
        assert await now_of(store, link.invite) == link.invite
        assert link.invite == Invite(
            invite_id=link.invite.invite_id,
            group_id=home.group_id,
            created_by=ada.user_id,
            invite_token=digest(link.token),
            status="pending",
            created_at=iso(clock()),
            expires_at=iso(clock() + WEEK),
            ttl=int(clock() + WEEK + DAY),
        )

    async def test_has_a_token_of_at_least_128_bits_that_fits_an_address(
        self, store: Store, clock: Watch, link: NewInvite, ada: User
    ) -> None:
        other = await create_invite(at(store, clock(), await context_of(store, ada)))

        assert len(link.token) * 6 >= 128
        assert link.token.replace("-", "").replace("_", "").isalnum()
        assert link.token.isascii()
        assert other.token != link.token
        assert other.invite.invite_id != link.invite.invite_id

    async def test_leaves_no_trace_of_its_token_in_the_store(
        self, store: Store, link: NewInvite
    ) -> None:
        assert link.token not in str(await everything_of(store.engine, Invite))

    async def test_is_made_by_the_creator_only(
        self, store: Store, clock: Watch, ada: User, ben: User, zoe: User
    ) -> None:
        own = await add_managed(
            at(store, clock(), await context_of(store, ada)), display_name="Yann"
        )
        before = await everything_of(store.engine, Invite)

        for person, acting_as in ((ben, None), (ben, zoe), (ada, own)):
            with pytest.raises(Forbidden):
                await create_invite(at(store, clock(), await context_of(store, person, acting_as)))
        assert await everything_of(store.engine, Invite) == before

    async def test_is_not_made_by_somebody_who_is_no_longer_creator(
        self, store: Store, clock: Watch, home: Household, ada: User
    ) -> None:
        ctx = await context_of(store, ada)
        before = await everything_of(store.engine, Invite)
        slow = Meanwhile(store, lambda: leave(at(store, clock(), ctx)), before_writing=Invite)

        with pytest.raises(Forbidden):
            await create_invite(at(slow, clock(), ctx))
        assert await everything_of(store.engine, Invite) == before

    async def test_are_at_most_twenty_and_there_is_room_when_one_has_gone(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        await home_of(store, clock, ada)
        ctx = await context_of(store, ada)
        await create_invite(at(store, clock(), ctx))
        clock.forward(60)
        for _ in range(MAX_INVITES - 1):
            await create_invite(at(store, clock(), ctx))

        with pytest.raises(Conflict, match="20 active invitations"):
            await create_invite(at(store, clock(), ctx))

        clock.forward(WEEK - 30)
        await create_invite(at(store, clock(), ctx))
        with pytest.raises(Conflict):
            await create_invite(at(store, clock(), ctx))

    async def test_another_takes_the_place_of_the_one_that_ended_first(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        await home_of(store, clock, ada)
        ctx = await context_of(store, ada)
        made = [await create_invite(at(store, clock(), ctx)) for _ in range(MAX_INVITES)]
        for number in (7, 2, 9):
            clock.forward(1)
            await revoke_invite(at(store, clock(), ctx), made[number].invite.invite_id)

        another = await create_invite(at(store, clock(), ctx))

        assert another.invite.invite_id == made[7].invite.invite_id
        found = await list_invites(at(store, clock(), ctx))
        revoked = {one.invite_id for one in found if one.status == "revoked"}
        assert revoked == {made[number].invite.invite_id for number in (2, 9)}

    async def test_there_is_room_for_another_where_one_was_revoked(
        self, store: Store, clock: Watch, ada: User, eve: User
    ) -> None:
        await home_of(store, clock, ada)
        ctx = await context_of(store, ada)
        made = [await create_invite(at(store, clock(), ctx)) for _ in range(MAX_INVITES)]
        await revoke_invite(at(store, clock(), ctx), made[4].invite.invite_id)

        another = await create_invite(at(store, clock(), ctx))

        with pytest.raises(Conflict):
            await create_invite(at(store, clock(), ctx))
        with pytest.raises(NotFound):
            await join(Context(store, eve, clock()), made[4].token)
        await join(Context(store, eve, clock()), another.token)


class TestInvitesOf:
    async def test_are_those_that_work_and_those_that_ended_within_a_day_newest_first(
        self, store: Store, clock: Watch, home: Household, ada: User, link: NewInvite
    ) -> None:
        ctx = await context_of(store, ada)
        clock.forward(1)
        revoked = await create_invite(at(store, clock(), ctx))
        clock.forward(1)
        newest = await create_invite(at(store, clock(), ctx))
        await revoke_invite(at(store, clock(), ctx), revoked.invite.invite_id)

        with counting() as tally:
            found = await list_invites(at(store, clock(), ctx))

        ended = replace(revoked.invite, status="revoked", ended_at=iso(clock()))
        assert found[:3] == [newest.invite, ended, link.invite]
        assert tally.requests == 1

        clock.forward(DAY)
        found = await list_invites(at(store, clock(), ctx))
        assert found[:2] == [newest.invite, link.invite]

        clock.forward(WEEK - DAY - 1)
        expired = replace(link.invite, status="expired", ended_at=link.invite.expires_at)
        found = await list_invites(at(store, clock(), ctx))
        assert found[:2] == [newest.invite, expired]
        assert await now_of(store, link.invite) == link.invite, "the clock says so, no write"

        clock.forward(DAY)
        assert await list_invites(at(store, clock(), ctx)) == [
            replace(newest.invite, status="expired", ended_at=newest.invite.expires_at)
        ]

    async def test_have_the_status_that_is_stored_where_nobody_said_when_they_ended(
        self, store: Store, clock: Watch, ada: User, link: NewInvite
    ) -> None:
        accepted = replace(link.invite, status="accepted")
        await store.write(put(accepted))
        clock.forward(2 * DAY)

        assert accepted in await list_invites(at(store, clock(), await context_of(store, ada)))

    async def test_are_only_for_the_creator(
        self, store: Store, clock: Watch, ben: User, zoe: User, link: NewInvite
    ) -> None:
        for acting_as in (None, zoe):
            with pytest.raises(Forbidden):
                await list_invites(at(store, clock(), await context_of(store, ben, acting_as)))


class TestRevoke:
    async def test_ends_an_invite(
        self, store: Store, clock: Watch, ada: User, eve: User, link: NewInvite
    ) -> None:
        ctx = await context_of(store, ada)

        revoked = replace(link.invite, status="revoked", ended_at=iso(clock()))
        for _ in range(2):  # what has ended stays so
            await revoke_invite(at(store, clock(), ctx), link.invite.invite_id)
            clock.forward(1)

        assert await now_of(store, link.invite) == revoked
        with pytest.raises(InviteExpired):
            await join(Context(store, eve, clock()), link.token)

    async def test_leaves_an_invite_as_it_is_whose_time_is_over(
        self, store: Store, clock: Watch, ada: User, link: NewInvite
    ) -> None:
        clock.forward(WEEK)

        await revoke_invite(at(store, clock(), await context_of(store, ada)), link.invite.invite_id)

        assert await now_of(store, link.invite) == link.invite

    async def test_leaves_an_invite_as_it_is_that_was_used_up_in_this_moment(
        self, store: Store, clock: Watch, ada: User, eve: User, link: NewInvite
    ) -> None:
        await fill_seats(store, clock, ada, MAX_MEMBERS - 3)
        ctx = await context_of(store, ada)
        slow = Meanwhile(
            store, lambda: join(Context(store, eve, clock()), link.token), before_writing=Invite
        )

        await revoke_invite(at(slow, clock(), ctx), link.invite.invite_id)

        now = await now_of(store, link.invite)
        assert (now.status, now.uses) == ("accepted", 1)

    async def test_is_only_for_the_creator(
        self, store: Store, clock: Watch, ben: User, zoe: User, link: NewInvite
    ) -> None:
        for acting_as in (None, zoe):
            with pytest.raises(Forbidden):
                await revoke_invite(
                    at(store, clock(), await context_of(store, ben, acting_as)),
                    link.invite.invite_id,
                )
        assert await now_of(store, link.invite) == link.invite

    async def test_ends_no_invite_of_another_household(
        self, store: Store, clock: Watch, eve: User, link: NewInvite
    ) -> None:
        await home_of(store, clock, eve)

        with pytest.raises(NotFound):
            await revoke_invite(
                at(store, clock(), await context_of(store, eve)), link.invite.invite_id
            )
        assert await now_of(store, link.invite) == link.invite

    @pytest.mark.parametrize("odd", ODD_TOKENS)
    async def test_refuses_what_is_no_invite(
        self, store: Store, clock: Watch, home: Household, ada: User, odd: str
    ) -> None:
        with pytest.raises(NotFound):
            await revoke_invite(at(store, clock(), await context_of(store, ada)), odd)

    async def test_is_nothing_for_somebody_who_is_no_longer_creator(
        self, store: Store, clock: Watch, ada: User, link: NewInvite
    ) -> None:
        ctx = await context_of(store, ada)
        slow = Meanwhile(store, lambda: leave(at(store, clock(), ctx)), before_writing=Invite)

        with pytest.raises(Forbidden):
            await revoke_invite(at(slow, clock(), ctx), link.invite.invite_id)
        assert await now_of(store, link.invite) == link.invite


class TestPreview:
    async def test_shows_the_households_name_and_its_size_and_nothing_else(
        self, store: Store, clock: Watch, link: NewInvite
    ) -> None:
        assert await preview(store, clock(), link.token) == HouseholdPreview("Home", 2, full=False)
        assert HouseholdPreview.__struct_fields__ == ("name", "size", "full")

    async def test_says_that_a_household_is_full(
        self, store: Store, clock: Watch, ada: User, link: NewInvite
    ) -> None:
        await fill_seats(store, clock, ada, MAX_MEMBERS - 2)

        assert await preview(store, clock(), link.token) == HouseholdPreview("Home", 8, full=True)

    @pytest.mark.parametrize("odd", ODD_TOKENS)
    async def test_of_an_unknown_token_is_not_found(
        self, store: Store, clock: Watch, link: NewInvite, odd: str
    ) -> None:
        with pytest.raises(NotFound) as caught:
            await preview(store, clock(), odd)
        assert caught.value.status == 404

    async def test_of_a_revoked_invite_is_gone(
        self, store: Store, clock: Watch, ada: User, link: NewInvite
    ) -> None:
        await revoke_invite(at(store, clock(), await context_of(store, ada)), link.invite.invite_id)

        with pytest.raises(InviteExpired) as caught:
            await preview(store, clock(), link.token)
        assert caught.value.status == 410

    async def test_of_an_expired_invite_is_gone_and_a_day_later_unknown(
        self, store: Store, clock: Watch, link: NewInvite
    ) -> None:
        clock.forward(WEEK - 1)
        await preview(store, clock(), link.token)

        clock.forward(1)
        with pytest.raises(InviteExpired):
            await preview(store, clock(), link.token)

        clock.forward(DAY)
        with pytest.raises(NotFound):
            await preview(store, clock(), link.token)

    async def test_of_an_invite_into_a_deleted_household_is_gone(
        self, store: Store, clock: Watch, ada: User, link: NewInvite
    ) -> None:
        await delete_household(at(store, clock(), await context_of(store, ada)), "Home")

        with pytest.raises(InviteExpired):
            await preview(store, clock(), link.token)
