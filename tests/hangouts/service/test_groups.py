"""Groups begin with their first member, and a code lets others in, once each."""

from __future__ import annotations

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Gone, InvalidField, NotFound, RateLimited
from commonroom.hangouts.rules.groups import MOST_GROUPS
from commonroom.hangouts.service.access import open_group
from commonroom.hangouts.service.groups import create_code, create_group, join, my_groups
from commonroom.hangouts.tables import Group, Membership, Person, members
from commonroom.moments import iso
from commonroom.store import Store, counting, update
from tests.accounts.people import Watch
from tests.hangouts.friends import group_of, now_of


async def test_a_group_and_its_first_membership_are_one_write(
    store: Store, clock: Watch, ada: User
) -> None:
    with counting() as tally:
        made = await create_group(Context(store, ada, clock()), name="  Friends ")
    assert (tally.reads, tally.writes) == (1, 1)
    access = await open_group(Context(store, ada, clock()), made.group_id)
    assert (access.group.group_name, access.is_admin) == ("Friends", True)
    assert access.group.member_count == 1


@pytest.mark.parametrize("name", ["", "x" * 101])
async def test_a_name_has_something_to_see_and_an_end(
    store: Store, clock: Watch, ada: User, name: str
) -> None:
    with pytest.raises(InvalidField):
        await create_group(Context(store, ada, clock()), name=name)


async def test_a_stranger_finds_no_group(store: Store, clock: Watch, eve: User, ada: User) -> None:
    made = await group_of(store, clock, ada)
    for group_id in (made.group_id, "none", "a#b"):
        with pytest.raises(NotFound):
            await open_group(Context(store, eve, clock()), group_id)


async def test_my_groups_come_by_name_with_one_request(
    store: Store, clock: Watch, ada: User
) -> None:
    for name in ("Zoo", "apples", "Bees"):
        await group_of(store, clock, ada, name=name)
    with counting() as tally:
        mine = await my_groups(Context(store, ada, clock()))
    assert tally.requests == 1
    assert [one.group_name for one in mine] == ["apples", "Bees", "Zoo"]


class TestJoining:
    async def test_a_code_in_any_spelling_lets_somebody_in_and_a_second_time_changes_nothing(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        group = await group_of(store, clock, ada)
        code = (await create_code(Context(store, ada, clock()), group.group_id)).code
        typed = f" {code[:4].upper()}-{code[4:]} "
        for _ in range(2):
            await join(Context(store, ben, clock()), typed)
        assert (await now_of(store, group)).member_count == 2
        inside = (await store.page(members(group_id=group.group_id))).items
        assert {one.user_name for one in inside} == {"Ada", "Ben"}

    async def test_one_for_a_single_use_lets_one_in(
        self, store: Store, clock: Watch, ada: User, ben: User, eve: User
    ) -> None:
        group = await group_of(store, clock, ada)
        ctx = Context(store, ada, clock())
        code = await create_code(ctx, group.group_id, single_use=True)
        await join(Context(store, ben, clock()), code.code)
        with pytest.raises(Gone):
            await join(Context(store, eve, clock()), code.code)
        await join(Context(store, ben, clock()), code.code)

    async def test_one_that_has_expired_lets_nobody_in(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        group = await group_of(store, clock, ada)
        ctx = Context(store, ada, clock())
        code = await create_code(ctx, group.group_id, expires_at=iso(clock() + 10))
        clock.forward(10)
        with pytest.raises(Gone):
            await join(Context(store, ben, clock()), code.code)

    async def test_guessing_is_slowed_down(self, store: Store, clock: Watch, eve: User) -> None:
        ctx = Context(store, eve, clock())
        for _ in range(20):
            with pytest.raises(NotFound):
                await join(ctx, "abcdefgh")
        with pytest.raises(RateLimited):
            await join(ctx, "abcdefgh")

    async def test_nobody_is_in_more_groups_than_a_list_reads_at_once(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        await group_of(store, clock, ada)
        person = Person.at(user_id=ada.user_id)
        await store.write(update(person, group_count=MOST_GROUPS))
        with pytest.raises(Conflict, match="50"):
            await create_group(Context(store, ada, clock()), name="One more")

    async def test_a_full_group_takes_nobody(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        group = await group_of(store, clock, ada)
        code = await create_code(Context(store, ada, clock()), group.group_id)
        await store.write(update(Group.at(group_id=group.group_id), member_count=500))
        with pytest.raises(Conflict, match="500"):
            await join(Context(store, ben, clock()), code.code)
        gone = Membership.at(group_id=group.group_id, user_id=ben.user_id)
        assert await store.get(gone) is None
