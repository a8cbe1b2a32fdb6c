"""Invites: links with which others come into a household."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from commonroom.accounts.errors import LinkExpired
from commonroom.accounts.secrets import digest
from commonroom.accounts.service.leaving import CONFIRMATION, delete_account
from commonroom.accounts.service.signing_up import sign_up
from commonroom.accounts.tables import Installation, User
from commonroom.errors import Conflict, Forbidden, NotFound
from commonroom.moments import iso
from commonroom.movienight.errors import InviteExpired
from commonroom.movienight.rules.households import MOST_INVITES, MOST_MEMBERS
from commonroom.movienight.service.households import delete_household
from commonroom.movienight.service.inviting import (
    NewInvite,
    Preview,
    invite,
    invites_of,
    join,
    preview,
    revoke,
    vouchers,
)
from commonroom.movienight.service.members import add_managed, leave, members_of
from commonroom.movienight.tables import Group, Invite, Membership, invite_by_token
from commonroom.store import Store, counting, create, put
from tests.accounts.people import DAY, Meanwhile, Watch, newcomer
from tests.movienight.evenings import (
    TABLES,
    check_households,
    everything_of,
    home_of,
    now_of,
    seat_of,
    somebody,
)
from tests.support.hostile_engine import HostileEngine, Hostility

WEEK = 7 * DAY
ODD = ["", "nothing", "x" * 5000, "\ud800", "é"]


@pytest.fixture
async def link(store: Store, clock: Watch, home: Group, ada: User) -> NewInvite:
    """A link into Ada's and Ben's household."""
    return await invite(store, clock(), await seat_of(store, ada))


async def fill(store: Store, clock: Watch, parent: User, seats: int) -> None:
    """Takes so many seats for somebody's children."""
    for n in range(seats):
        await add_managed(store, clock(), await seat_of(store, parent), display_name=f"Child {n}")


class TestInvite:
    async def test_is_valid_for_seven_days_and_kept_a_day_longer(
        self, store: Store, clock: Watch, home: Group, ada: User, link: NewInvite
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
        other = await invite(store, clock(), await seat_of(store, ada))

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
        own = await add_managed(store, clock(), await seat_of(store, ada), display_name="Yann")
        before = await everything_of(store.engine, Invite)

        for person, acting_as in ((ben, None), (ben, zoe), (ada, own)):
            with pytest.raises(Forbidden):
                await invite(store, clock(), await seat_of(store, person, acting_as))
        assert await everything_of(store.engine, Invite) == before

    async def test_is_not_made_by_somebody_who_is_no_longer_creator(
        self, store: Store, clock: Watch, home: Group, ada: User
    ) -> None:
        seat = await seat_of(store, ada)
        before = await everything_of(store.engine, Invite)
        slow = Meanwhile(store, lambda: leave(store, clock(), seat), before_writing=Invite)

        with pytest.raises(Forbidden):
            await invite(slow, clock(), seat)
        assert await everything_of(store.engine, Invite) == before

    async def test_are_at_most_twenty_and_there_is_room_when_one_has_gone(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        await home_of(store, clock, ada)
        seat = await seat_of(store, ada)
        await invite(store, clock(), seat)
        clock.forward(60)
        for _ in range(MOST_INVITES - 1):
            await invite(store, clock(), seat)

        with pytest.raises(Conflict, match="20 invites"):
            await invite(store, clock(), seat)

        clock.forward(WEEK - 30)
        await invite(store, clock(), seat)
        with pytest.raises(Conflict):
            await invite(store, clock(), seat)

    async def test_there_is_room_for_another_where_one_was_revoked(
        self, store: Store, clock: Watch, ada: User, eve: User
    ) -> None:
        await home_of(store, clock, ada)
        seat = await seat_of(store, ada)
        made = [await invite(store, clock(), seat) for _ in range(MOST_INVITES)]
        await revoke(store, clock(), seat, made[4].invite.invite_id)

        another = await invite(store, clock(), seat)

        with pytest.raises(Conflict):
            await invite(store, clock(), seat)
        with pytest.raises(NotFound):
            await join(store, clock(), eve, made[4].token)
        await join(store, clock(), eve, another.token)


class TestInvitesOf:
    async def test_are_those_that_are_good_newest_first(
        self, store: Store, clock: Watch, home: Group, ada: User, link: NewInvite
    ) -> None:
        seat = await seat_of(store, ada)
        clock.forward(1)
        revoked = await invite(store, clock(), seat)
        clock.forward(1)
        newest = await invite(store, clock(), seat)
        await revoke(store, clock(), seat, revoked.invite.invite_id)

        with counting() as tally:
            found = await invites_of(store, clock(), seat)

        assert found[:2] == [newest.invite, link.invite]
        assert revoked.invite.invite_id not in {one.invite_id for one in found}
        assert tally.requests == 1

        clock.forward(WEEK - 1)
        assert await invites_of(store, clock(), seat) == [newest.invite]

    async def test_are_only_for_the_creator(
        self, store: Store, clock: Watch, ben: User, zoe: User, link: NewInvite
    ) -> None:
        for acting_as in (None, zoe):
            with pytest.raises(Forbidden):
                await invites_of(store, clock(), await seat_of(store, ben, acting_as))


class TestRevoke:
    async def test_ends_an_invite(
        self, store: Store, clock: Watch, ada: User, eve: User, link: NewInvite
    ) -> None:
        seat = await seat_of(store, ada)

        for _ in range(2):  # what has ended stays so
            await revoke(store, clock(), seat, link.invite.invite_id)

        assert await now_of(store, link.invite) == replace(link.invite, status="revoked")
        with pytest.raises(InviteExpired):
            await join(store, clock(), eve, link.token)

    async def test_is_only_for_the_creator(
        self, store: Store, clock: Watch, ben: User, zoe: User, link: NewInvite
    ) -> None:
        for acting_as in (None, zoe):
            with pytest.raises(Forbidden):
                await revoke(
                    store, clock(), await seat_of(store, ben, acting_as), link.invite.invite_id
                )
        assert await now_of(store, link.invite) == link.invite

    async def test_ends_no_invite_of_another_household(
        self, store: Store, clock: Watch, eve: User, link: NewInvite
    ) -> None:
        await home_of(store, clock, eve)

        with pytest.raises(NotFound):
            await revoke(store, clock(), await seat_of(store, eve), link.invite.invite_id)
        assert await now_of(store, link.invite) == link.invite

    @pytest.mark.parametrize("odd", ODD)
    async def test_refuses_what_is_no_invite(
        self, store: Store, clock: Watch, home: Group, ada: User, odd: str
    ) -> None:
        with pytest.raises(NotFound):
            await revoke(store, clock(), await seat_of(store, ada), odd)

    async def test_is_nothing_for_somebody_who_is_no_longer_creator(
        self, store: Store, clock: Watch, ada: User, link: NewInvite
    ) -> None:
        seat = await seat_of(store, ada)
        slow = Meanwhile(store, lambda: leave(store, clock(), seat), before_writing=Invite)

        with pytest.raises(Forbidden):
            await revoke(slow, clock(), seat, link.invite.invite_id)
        assert await now_of(store, link.invite) == link.invite


class TestPreview:
    async def test_shows_the_households_name_and_its_size_and_nothing_else(
        self, store: Store, clock: Watch, link: NewInvite
    ) -> None:
        assert await preview(store, clock(), link.token) == Preview("Home", 2, full=False)
        assert Preview.__struct_fields__ == ("name", "size", "full")

    async def test_says_that_a_household_is_full(
        self, store: Store, clock: Watch, ada: User, link: NewInvite
    ) -> None:
        await fill(store, clock, ada, MOST_MEMBERS - 2)

        assert await preview(store, clock(), link.token) == Preview("Home", 8, full=True)

    @pytest.mark.parametrize("odd", ODD)
    async def test_of_an_unknown_token_is_not_found(
        self, store: Store, clock: Watch, link: NewInvite, odd: str
    ) -> None:
        with pytest.raises(NotFound) as caught:
            await preview(store, clock(), odd)
        assert caught.value.status == 404

    async def test_of_a_revoked_invite_is_gone(
        self, store: Store, clock: Watch, ada: User, link: NewInvite
    ) -> None:
        await revoke(store, clock(), await seat_of(store, ada), link.invite.invite_id)

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
        await delete_household(store, clock(), await seat_of(store, ada), "Home")

        with pytest.raises(InviteExpired):
            await preview(store, clock(), link.token)


class TestJoin:
    async def test_brings_several_people_in_with_one_link(
        self, store: Store, clock: Watch, home: Group, eve: User, link: NewInvite
    ) -> None:
        fay = await somebody(store, clock, "Fay")
        clock.forward(1)

        joined = await join(store, clock(), eve, link.token)
        clock.forward(1)
        await join(store, clock(), fay, link.token)

        assert joined.group_id == home.group_id
        assert joined.member_count == 3
        members = await members_of(store, home.group_id)
        assert [one.user_id for one in members[2:]] == [eve.user_id, fay.user_id]
        assert members[2].membership == Membership(
            group_id=home.group_id,
            user_id=eve.user_id,
            role="member",
            member_type="independent",
            joined_at=iso(clock() - 1),
        )
        now = await now_of(store, link.invite)
        assert (now.status, now.uses) == ("pending", 2)
        await check_households(store.engine)

    @pytest.mark.parametrize("odd", ODD)
    async def test_with_an_unknown_token_is_not_found(
        self, store: Store, clock: Watch, eve: User, link: NewInvite, odd: str
    ) -> None:
        with pytest.raises(NotFound):
            await join(store, clock(), eve, odd)
        assert await now_of(store, eve) == eve

    async def test_with_an_expired_link_is_gone(
        self, store: Store, clock: Watch, eve: User, link: NewInvite
    ) -> None:
        clock.forward(WEEK)

        with pytest.raises(InviteExpired):
            await join(store, clock(), eve, link.token)
        assert await now_of(store, eve) == eve

    async def test_into_a_full_household_is_a_conflict(
        self, store: Store, clock: Watch, ada: User, eve: User, link: NewInvite
    ) -> None:
        await fill(store, clock, ada, MOST_MEMBERS - 2)

        with pytest.raises(Conflict, match="full") as caught:
            await join(store, clock(), eve, link.token)
        assert caught.value.status == 409
        assert await now_of(store, eve) == eve
        await check_households(store.engine)

    async def test_of_somebody_in_a_household_is_a_conflict_also_where_it_is_this_one(
        self, store: Store, clock: Watch, ben: User, eve: User, link: NewInvite
    ) -> None:
        await home_of(store, clock, eve)

        for person in (ben, eve):
            with pytest.raises(Conflict, match="two households"):
                await join(store, clock(), person, link.token)
        await check_households(store.engine)

    async def test_with_a_link_revoked_at_the_last_moment_is_gone(
        self, store: Store, clock: Watch, ada: User, eve: User, link: NewInvite
    ) -> None:
        seat = await seat_of(store, ada)
        slow = Meanwhile(
            store, lambda: revoke(store, clock(), seat, link.invite.invite_id), before_writing=User
        )

        with pytest.raises(InviteExpired):
            await join(slow, clock(), eve, link.token)
        assert await now_of(store, eve) == eve

    async def test_with_a_link_that_runs_out_at_the_last_moment_is_gone(
        self, store: Store, clock: Watch, eve: User, link: NewInvite
    ) -> None:
        ended = replace(link.invite, expires_at=iso(clock()))
        slow = Meanwhile(store, lambda: store.write(put(ended)), before_writing=User)

        with pytest.raises(InviteExpired):
            await join(slow, clock(), eve, link.token)
        assert await now_of(store, eve) == eve

    async def test_into_a_household_deleted_at_the_last_moment_is_gone(
        self, store: Store, clock: Watch, ada: User, eve: User, link: NewInvite
    ) -> None:
        seat = await seat_of(store, ada)
        slow = Meanwhile(
            store, lambda: delete_household(store, clock(), seat, "Home"), before_writing=User
        )

        with pytest.raises(InviteExpired):
            await join(slow, clock(), eve, link.token)
        assert await now_of(store, eve) == eve

    async def test_is_nothing_for_a_deleted_account(
        self, store: Store, clock: Watch, eve: User, link: NewInvite
    ) -> None:
        await delete_account(store, eve, typed=CONFIRMATION)

        with pytest.raises(NotFound):
            await join(store, clock(), eve, link.token)
        await check_households(store.engine)

    async def test_is_nothing_for_a_managed_member(
        self, store: Store, clock: Watch, zoe: User, link: NewInvite
    ) -> None:
        with pytest.raises(Forbidden):
            await join(store, clock(), zoe, link.token)

    async def test_takes_no_seat_that_is_still_being_cleared(
        self, store: Store, clock: Watch, home: Group, ben: User, link: NewInvite
    ) -> None:
        # An OpenID provider gives the same person the same id again.
        before = await now_of(store, ben)
        await delete_account(store, before, typed=CONFIRMATION)
        await store.write(create(replace(before, household_id=None)))

        with pytest.raises(Conflict):
            await join(store, clock(), ben, link.token)
        assert (await now_of(store, ben)).household_id is None
        assert (await now_of(store, home)).member_count == 2


class TestALinkOfAnEarlierVersion:
    """Its token is stored as it is; it goes on until its week is over."""

    TOKEN = "Zm9yIGEgaG91c2Vob2xkIG9mIGZvdXI_"

    @pytest.fixture
    async def old(self, store: Store, clock: Watch, home: Group, ada: User) -> Invite:
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
        await join(store, clock(), eve, self.TOKEN)
        assert (await now_of(store, old)).uses == 1

    async def test_is_listed_and_can_be_revoked(
        self, store: Store, clock: Watch, ada: User, eve: User, old: Invite
    ) -> None:
        seat = await seat_of(store, ada)
        assert old in await invites_of(store, clock(), seat)
        await revoke(store, clock(), seat, old.invite_id)
        with pytest.raises(InviteExpired):
            await join(store, clock(), eve, self.TOKEN)


async def test_what_is_stored_of_a_link_opens_nothing(
    store: Store, clock: Watch, eve: User, link: NewInvite
) -> None:
    for stored in (link.invite.invite_token, link.invite.invite_id):
        with pytest.raises(NotFound):
            await join(store, clock(), eve, stored)
        with pytest.raises(NotFound):
            await vouchers(store, clock(), stored)


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
        await revoke(behind, clock(), await seat_of(behind, ada), link.invite.invite_id)

        with pytest.raises(InviteExpired):
            await preview(behind, clock(), link.token)
        with pytest.raises(InviteExpired):
            await join(behind, clock(), eve, link.token)
        asked = invite_by_token(invite_token=digest(link.token))
        assert (await behind.page(asked)).items == [link.invite]

    async def test_is_unknown_once_another_invite_is_in_its_place(
        self, behind: Store, clock: Watch, eve: User, link: NewInvite
    ) -> None:
        await behind.write(put(replace(link.invite, invite_token="another")))

        with pytest.raises(NotFound):
            await join(behind, clock(), eve, link.token)


class TestVouchers:
    @pytest.fixture(autouse=True)
    async def first(self, store: Store, clock: Watch, ada: User) -> None:
        """There is an administrator, without whom nobody can sign up."""
        await store.write(create(Installation(user_id=ada.user_id, set_up_at=iso(clock()))))

    async def test_let_somebody_sign_up_who_then_joins(
        self, store: Store, clock: Watch, link: NewInvite
    ) -> None:
        vouched = await vouchers(store, clock(), link.token)

        fay = await sign_up(store, clock(), "invite", newcomer("Fay"), vouchers=vouched)
        joined = await join(store, clock(), fay, link.token)

        assert joined.member_count == 3
        await check_households(store.engine)

    async def test_let_nobody_in_once_the_invite_is_revoked(
        self, store: Store, clock: Watch, ada: User, link: NewInvite
    ) -> None:
        vouched = await vouchers(store, clock(), link.token)
        await revoke(store, clock(), await seat_of(store, ada), link.invite.invite_id)

        with pytest.raises(LinkExpired):
            await sign_up(store, clock(), "invite", newcomer("Fay"), vouchers=vouched)
        with pytest.raises(InviteExpired):
            await vouchers(store, clock(), link.token)

    async def test_let_nobody_in_once_the_household_is_full(
        self, store: Store, clock: Watch, ada: User, link: NewInvite
    ) -> None:
        await fill(store, clock, ada, MOST_MEMBERS - 2)
        vouched = await vouchers(store, clock(), link.token)

        with pytest.raises(LinkExpired):
            await sign_up(store, clock(), "invite", newcomer("Fay"), vouchers=vouched)

    @pytest.mark.parametrize("odd", ODD)
    async def test_are_none_for_an_unknown_token(
        self, store: Store, clock: Watch, link: NewInvite, odd: str
    ) -> None:
        with pytest.raises(NotFound):
            await vouchers(store, clock(), odd)
