"""A code lets others in, once each; without an account it shows what strangers may know."""

from __future__ import annotations

from typing import Any

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import (
    Conflict,
    Forbidden,
    Gone,
    InvalidField,
    NotFound,
    RateLimited,
)
from commonroom.hangouts.rules.groups import MAX_CODES
from commonroom.hangouts.service.invite_codes import (
    create_code,
    join,
    preview,
    revoke_code,
    see_codes,
    signup_checks,
)
from commonroom.hangouts.tables import FriendGroup, GroupMembership, members
from commonroom.moments import iso
from commonroom.store import ConditionFailed, Store, update
from tests.accounts.people import Watch
from tests.hangouts.friends import check_groups, group_of, now_of

HOME = "203.0.113.7"


async def code_of(store: Store, clock: Watch, who: User, group: FriendGroup, **given: Any) -> str:
    """A code that somebody made."""
    return (await create_code(Context(store, who, clock()), group.group_id, **given)).code


class TestJoining:
    async def test_a_code_in_any_spelling_lets_somebody_in_and_a_second_time_changes_nothing(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        group = await group_of(store, clock, ada)
        code = await code_of(store, clock, ada, group)
        typed = f" {code[:4].upper()}-{code[4:]} "
        for _ in range(2):
            await join(Context(store, ben, clock()), typed)
        assert (await now_of(store, group)).member_count == 2
        inside = (await store.page(members(group_id=group.group_id))).items
        assert {one.user_name for one in inside} == {"Ada", "Ben"}
        await check_groups(store.engine)

    async def test_one_for_a_single_use_lets_one_in(
        self, store: Store, clock: Watch, ada: User, ben: User, eve: User
    ) -> None:
        group = await group_of(store, clock, ada)
        code = await code_of(store, clock, ada, group, single_use=True)
        await join(Context(store, ben, clock()), code)
        with pytest.raises(Gone):
            await join(Context(store, eve, clock()), code)
        await join(Context(store, ben, clock()), code)

    async def test_one_that_has_expired_lets_nobody_in(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        group = await group_of(store, clock, ada)
        code = await code_of(store, clock, ada, group, expires_at=iso(clock() + 10))
        clock.forward(10)
        with pytest.raises(Gone):
            await join(Context(store, ben, clock()), code)

    async def test_guessing_is_slowed_down(self, store: Store, clock: Watch, eve: User) -> None:
        ctx = Context(store, eve, clock())
        for _ in range(20):
            with pytest.raises(NotFound):
                await join(ctx, "abcdefgh")
        with pytest.raises(RateLimited):
            await join(ctx, "abcdefgh")

    async def test_a_full_group_takes_nobody(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        group = await group_of(store, clock, ada)
        code = await code_of(store, clock, ada, group)
        await store.write(update(FriendGroup.at(group_id=group.group_id), member_count=500))
        with pytest.raises(Conflict, match="500"):
            await join(Context(store, ben, clock()), code)
        gone = GroupMembership.at(group_id=group.group_id, user_id=ben.user_id)
        assert await store.get(gone) is None


class TestMakingCodes:
    @pytest.mark.parametrize(
        "moment",
        ["tomorrow", "2020-01-01T00:00:00Z", "2033-01-01T00:00:00", "2999-01-01T00:00:00Z"],
    )
    async def test_they_expire_at_a_moment_to_come(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup, moment: str
    ) -> None:
        with pytest.raises(InvalidField):
            await code_of(store, clock, ada, friends, expires_at=moment)

    async def test_there_are_only_so_many_and_those_that_are_spent_make_room(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        for _ in range(MAX_CODES - 1):
            await code_of(store, clock, ada, friends, expires_at=iso(clock() + 10))
        with pytest.raises(Conflict, match="Turn one off"):
            await code_of(store, clock, ada, friends)
        clock.forward(11)
        code = await code_of(store, clock, ada, friends)
        _, codes = await see_codes(Context(store, ada, clock()), friends.group_id)
        assert {one.code for one in codes} >= {code}
        assert len(codes) == 2, "and the one that Ben joined with"
        await check_groups(store.engine)

    async def test_whoever_made_one_turns_it_off_and_so_does_an_admin(
        self, store: Store, clock: Watch, ada: User, ben: User, friends: FriendGroup
    ) -> None:
        adas, bens = Context(store, ada, clock()), Context(store, ben, clock())
        hers, his = [await code_of(store, clock, one, friends) for one in (ada, ben)]
        with pytest.raises(Forbidden):
            await revoke_code(bens, friends.group_id, hers)
        await revoke_code(bens, friends.group_id, his)
        await revoke_code(adas, friends.group_id, hers)
        for code in (hers, his, "zzzz"):
            with pytest.raises(NotFound):
                await revoke_code(adas, friends.group_id, code)
        await check_groups(store.engine)


class TestAPreview:
    async def test_of_a_public_group_says_its_name_and_size(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        group = await group_of(store, clock, ada, name="Climbing", is_public=True)
        code = await code_of(store, clock, ada, group)
        seen = await preview(store, clock(), code.upper(), asked_from=HOME)
        assert (seen.group_name, seen.member_count, seen.is_full) == ("Climbing", 1, False)

    async def test_of_a_private_one_says_only_that(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        code = await code_of(store, clock, ada, friends)
        seen = await preview(store, clock(), code, asked_from=HOME)
        assert (seen.is_public, seen.group_name, seen.member_count) == (False, None, None)

    async def test_can_be_guessed_at_only_so_often_from_one_address(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        code = await code_of(store, clock, ada, friends)
        for _ in range(20):
            with pytest.raises(NotFound):
                await preview(store, clock(), "abcdefgh", asked_from=HOME)
        with pytest.raises(RateLimited):
            await preview(store, clock(), code, asked_from=HOME)
        await preview(store, clock(), code, asked_from="198.51.100.3")

    async def test_of_a_good_code_is_never_counted(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        code = await code_of(store, clock, ada, friends)
        for _ in range(50):
            await preview(store, clock(), code, asked_from=HOME)


class TestVouching:
    async def test_a_good_code_lets_somebody_sign_up(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        code = await code_of(store, clock, ada, friends, single_use=True)
        await store.write(*await signup_checks(store, clock(), code))

    async def test_one_that_was_used_meanwhile_does_not(
        self, store: Store, clock: Watch, ada: User, eve: User, friends: FriendGroup
    ) -> None:
        code = await code_of(store, clock, ada, friends, single_use=True)
        checks = await signup_checks(store, clock(), code)
        await join(Context(store, eve, clock()), code)
        with pytest.raises(ConditionFailed):
            await store.write(*checks)
        with pytest.raises(Gone):
            await signup_checks(store, clock(), code)

    @pytest.mark.parametrize("typed", ["", "abcdefgh", "a-token-of-another-room"])
    async def test_what_is_no_code_is_not_found(
        self, store: Store, clock: Watch, typed: str
    ) -> None:
        with pytest.raises(NotFound):
            await signup_checks(store, clock(), typed)

    async def test_a_full_group_vouches_for_nobody(
        self, store: Store, clock: Watch, ada: User, friends: FriendGroup
    ) -> None:
        code = await code_of(store, clock, ada, friends)
        await store.write(update(friends.ref, member_count=500))
        with pytest.raises(Gone):
            await signup_checks(store, clock(), code)
