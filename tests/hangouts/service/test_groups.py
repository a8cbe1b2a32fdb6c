"""Groups begin with their first member; members change how they look, admins delete them."""

from __future__ import annotations

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, Forbidden, InvalidField, NotFound
from commonroom.hangouts.rules.groups import MAX_GROUPS
from commonroom.hangouts.service.access import open_group
from commonroom.hangouts.service.edits import StaleVersion
from commonroom.hangouts.service.groups import (
    change_group,
    create_group,
    delete_group,
    my_groups,
)
from commonroom.hangouts.tables import HangoutPerson
from commonroom.store import Store, counting, update
from tests.accounts.people import Watch
from tests.hangouts.friends import check_groups, group_of, tidied


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


class TestAnEdit:
    async def test_by_any_member_changes_name_and_look_and_the_name_travels(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        group = await group_of(store, clock, ada, ben)
        ctx = Context(store, ben, clock())
        given = {"group_name": " Climbers ", "colour": "teal", "picture": "hike"}
        changed = await change_group(ctx, group.group_id, given, version=group.version)
        assert (changed.group_name, changed.colour, changed.picture) == ("Climbers", "teal", "hike")
        cleared = await change_group(ctx, group.group_id, {"colour": None}, version=changed.version)
        assert (cleared.colour, cleared.picture) == (None, "hike")
        await tidied(store, clock)
        assert [one.group_name for one in await my_groups(ctx)] == ["Climbers"]
        await check_groups(store.engine)

    async def test_of_an_earlier_version_is_refused(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        group = await group_of(store, clock, ada)
        ctx = Context(store, ada, clock())
        await change_group(ctx, group.group_id, {"group_name": "A"}, version=group.version)
        with pytest.raises(StaleVersion) as stale:
            await change_group(ctx, group.group_id, {"group_name": "B"}, version=group.version)
        assert stale.value.extensions["version"] == group.version + 1

    async def test_makes_a_group_public_only_by_an_admin(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        group = await group_of(store, clock, ada, ben)
        given = {"is_public": True}
        ctx = Context(store, ben, clock())
        with pytest.raises(Forbidden):
            await change_group(ctx, group.group_id, given, version=group.version)
        ctx = Context(store, ada, clock())
        assert (await change_group(ctx, group.group_id, given, version=group.version)).is_public

    @pytest.mark.parametrize(
        "given", [{"group_name": " "}, {"colour": "beige"}, {"picture": "cat.png"}]
    )
    async def test_takes_only_names_and_looks_of_ours(
        self, store: Store, clock: Watch, ada: User, given: dict[str, str]
    ) -> None:
        group = await group_of(store, clock, ada)
        ctx = Context(store, ada, clock())
        with pytest.raises(InvalidField):
            await change_group(ctx, group.group_id, given, version=group.version)


async def test_only_an_admin_deletes_a_group(
    store: Store, clock: Watch, ada: User, ben: User
) -> None:
    group = await group_of(store, clock, ada, ben)
    with pytest.raises(Forbidden):
        await delete_group(Context(store, ben, clock()), group.group_id)
    await delete_group(Context(store, ada, clock()), group.group_id)
    with pytest.raises(NotFound):
        await open_group(Context(store, ben, clock()), group.group_id)


async def test_nobody_is_in_more_groups_than_a_list_reads_at_once(
    store: Store, clock: Watch, ada: User
) -> None:
    await group_of(store, clock, ada)
    person = HangoutPerson.at(user_id=ada.user_id)
    await store.write(update(person, group_count=MAX_GROUPS))
    with pytest.raises(Conflict, match="50"):
        await create_group(Context(store, ada, clock()), name="One more")
