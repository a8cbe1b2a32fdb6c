"""Changing how one is shown."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.rules import MAX_MANAGED, may_act_as
from commonroom.accounts.service.account_data import CONFIRMATION, delete_account
from commonroom.accounts.service.administration import person_with
from commonroom.accounts.service.profiles import (
    add_managed,
    change_managed,
    change_profile,
    managed_by,
    remove_managed,
)
from commonroom.accounts.tables import (
    NotificationPrefs,
    User,
    managed_members,
)
from commonroom.errors import Forbidden, InvalidField, NotFound
from commonroom.moments import iso
from commonroom.store import ConditionFailed, Store, equal, update
from tests.accounts.people import Meanwhile, Watch, again, everything


class TestChangeProfile:
    async def test_changes_what_is_given_and_leaves_the_rest(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        clock.forward(1)

        changed = await change_profile(Context(store, ben, clock()), display_name=" Benedict ")

        assert changed == replace(ben, display_name="Benedict", updated_at=iso(clock()))
        assert changed == await again(store, ben)

    async def test_changes_everything_at_once(self, store: Store, clock: Watch, ben: User) -> None:
        wanted: dict[str, Any] = {
            "display_name": "Benedict",
            "avatar_key": "owl",
            "language": "en",
            "time_zone": "Europe/Zurich",
            "notification_prefs": NotificationPrefs(vote_nudge=False),
        }

        changed = await change_profile(Context(store, ben, clock()), **wanted)

        assert changed == replace(ben, updated_at=iso(clock()), **wanted)

    async def test_with_nothing_given_changes_nothing_that_shows(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        changed = await change_profile(Context(store, ben, clock()))

        assert replace(changed, updated_at=None) == ben

    @pytest.mark.parametrize(
        "field, value",
        [
            ("display_name", " "),
            ("display_name", "x" * 31),
            ("avatar_key", "dragon"),
            ("language", "tlh"),
            ("time_zone", "Mars/Olympus"),
        ],
    )
    async def test_names_a_field_that_does_not_fit(
        self, store: Store, clock: Watch, ben: User, field: str, value: str
    ) -> None:
        changes: dict[str, Any] = {"display_name": "Benedict", field: value}

        with pytest.raises(InvalidField) as caught:
            await change_profile(Context(store, ben, clock()), **changes)

        assert caught.value.field == field
        assert await again(store, ben) == ben

    async def test_takes_back_what_a_person_need_not_say(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await change_profile(Context(store, ben, clock()), language="en", time_zone="Europe/Zurich")

        changed = await change_profile(Context(store, ben, clock()), clear=["time_zone"])

        assert (changed.language, changed.time_zone) == ("en", None)
        assert changed == await again(store, ben)

    async def test_changes_nothing_where_the_callers_condition_does_not_hold(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        as_seen = equal(updated_at=ben.updated_at)
        clock.forward(1)
        first = await change_profile(Context(store, ben, clock()), avatar_key="owl", if_=as_seen)

        with pytest.raises(ConditionFailed):
            await change_profile(Context(store, ben, clock()), avatar_key="bee", if_=as_seen)
        assert await again(store, ben) == first

    async def test_does_not_undo_what_changed_elsewhere_meanwhile(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await change_profile(Context(store, ben, clock()), avatar_key="owl")

        changed = await change_profile(Context(store, ben, clock()), display_name="Benedict")

        assert (changed.avatar_key, changed.display_name) == ("owl", "Benedict")

    async def test_does_not_bring_back_a_deleted_account(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await delete_account(store, ben, typed=CONFIRMATION)

        for condition in (None, equal(updated_at=ben.updated_at), equal(email=ben.email)):
            with pytest.raises(NotFound):
                await change_profile(
                    Context(store, ben, clock()), display_name="Benedict", if_=condition
                )
        assert await store.get(ben.ref) is None

    async def test_shows_nothing_of_an_account_that_is_deleted_right_after(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        async def happens() -> None:
            await delete_account(store, ben, typed=CONFIRMATION)

        slow = Meanwhile(store, happens, after_writing=User)
        with pytest.raises(NotFound):
            await change_profile(Context(slow, ben, clock()), display_name="Benedict")


UNFIT = [("display_name", " "), ("display_name", "x" * 31), ("avatar_key", "dragon")]
WRONG = ["", "managed_", "a#b", "x" * 3000, "\ud800", "managed_1"]


@pytest.fixture
async def zoe(store: Store, clock: Watch, ben: User) -> User:
    """A child of Ben's."""
    return await add_managed(Context(store, ben, clock()), display_name="Zoe")


class TestAddManaged:
    async def test_makes_a_member_without_a_login(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        zoe = await add_managed(
            Context(store, ben, clock()), display_name=" Zoe ", avatar_key="owl", ceiling="G"
        )

        assert zoe.user_id.startswith("managed_")
        assert await again(store, zoe) == zoe
        assert zoe == User(
            user_id=zoe.user_id,
            display_name="Zoe",
            avatar_key="owl",
            is_managed=True,
            parent_user_id=ben.user_id,
            content_rating_ceiling="G",
            created_at=iso(clock()),
        )
        assert (await again(store, ben)).managed_count == 1

    async def test_lets_a_child_see_what_is_rated_pg_unless_told_otherwise(
        self, store: Store, zoe: User
    ) -> None:
        assert zoe.content_rating_ceiling == "PG"

    async def test_adds_at_most_eight(self, store: Store, clock: Watch, ben: User) -> None:
        for n in range(MAX_MANAGED):
            await add_managed(Context(store, ben, clock()), display_name=f"Child {n}")

        with pytest.raises(Forbidden, match="up to 8"):
            await add_managed(Context(store, ben, clock()), display_name="One more")
        found = (await store.page(managed_members(parent_user_id=ben.user_id))).items
        assert len(found) == (await again(store, ben)).managed_count == 8

    async def test_has_room_again_after_one_was_removed(
        self, store: Store, clock: Watch, ben: User, zoe: User
    ) -> None:
        for n in range(MAX_MANAGED - 1):
            await add_managed(Context(store, ben, clock()), display_name=f"Child {n}")
        await remove_managed(store, ben, zoe.user_id)

        await add_managed(Context(store, ben, clock()), display_name="Yann")

    async def test_counts_each_parent_apart(
        self, store: Store, clock: Watch, eve: User, zoe: User
    ) -> None:
        assert (await again(store, eve)).managed_count == 0

    @pytest.mark.parametrize("field, value", UNFIT)
    async def test_names_a_field_that_does_not_fit(
        self, store: Store, clock: Watch, ben: User, field: str, value: str
    ) -> None:
        given: dict[str, Any] = {"display_name": "Zoe", field: value}

        with pytest.raises(InvalidField) as caught:
            await add_managed(Context(store, ben, clock()), **given)

        assert caught.value.field == field
        assert await again(store, ben) == ben

    async def test_is_nothing_for_managed_members(
        self, store: Store, clock: Watch, zoe: User
    ) -> None:
        with pytest.raises(Forbidden):
            await add_managed(Context(store, zoe, clock()), display_name="Doll")

    async def test_leaves_nobody_behind_for_a_deleted_account(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await delete_account(store, ben, typed=CONFIRMATION)

        with pytest.raises(NotFound):
            await add_managed(Context(store, ben, clock()), display_name="Zoe")
        assert ben.user_id not in repr(await everything(store))


class TestManagedBy:
    async def test_gives_a_member_that_the_person_may_act_as(
        self, store: Store, ben: User, zoe: User
    ) -> None:
        member = await managed_by(store, ben, zoe.user_id)

        assert may_act_as(ben, member) == zoe

    async def test_is_only_for_the_parent(
        self, store: Store, ada: User, eve: User, zoe: User
    ) -> None:
        for stranger in (ada, eve, zoe):
            with pytest.raises(NotFound):
                await managed_by(store, stranger, zoe.user_id)

    async def test_does_not_give_accounts(self, store: Store, ben: User, eve: User) -> None:
        await store.write(update(eve, parent_user_id=ben.user_id))

        for account in (ben, eve):
            with pytest.raises(NotFound):
                await managed_by(store, ben, account.user_id)

    @pytest.mark.parametrize("wrong", WRONG)
    async def test_refuses_what_is_none(self, store: Store, ben: User, wrong: str) -> None:
        with pytest.raises(NotFound):
            await managed_by(store, ben, wrong)


class TestChangeManaged:
    async def test_changes_what_is_given_and_leaves_the_rest(
        self, store: Store, clock: Watch, ben: User, zoe: User
    ) -> None:
        clock.forward(1)

        await change_managed(Context(store, ben, clock()), zoe.user_id, display_name="Zoé")
        changed = await change_managed(
            Context(store, ben, clock()), zoe.user_id, avatar_key="bee", ceiling="PG-13"
        )

        assert changed == await again(store, zoe)
        assert changed == replace(
            zoe,
            display_name="Zoé",
            avatar_key="bee",
            content_rating_ceiling="PG-13",
            updated_at=iso(clock()),
        )

    async def test_is_only_for_the_parent(
        self, store: Store, clock: Watch, ada: User, eve: User, zoe: User
    ) -> None:
        for stranger in (ada, eve, zoe):
            with pytest.raises(NotFound):
                await change_managed(Context(store, stranger, clock()), zoe.user_id, ceiling="R")

        assert await again(store, zoe) == zoe

    @pytest.mark.parametrize("field, value", UNFIT)
    async def test_names_a_field_that_does_not_fit(
        self, store: Store, clock: Watch, zoe: User, field: str, value: str
    ) -> None:
        given: dict[str, Any] = {field: value}
        parent = await person_with(store, "ben@example.org")

        with pytest.raises(InvalidField) as caught:
            await change_managed(Context(store, parent, clock()), zoe.user_id, **given)

        assert caught.value.field == field
        assert await again(store, zoe) == zoe

    async def test_changes_nothing_where_the_callers_condition_does_not_hold(
        self, store: Store, clock: Watch, ben: User, zoe: User
    ) -> None:
        otherwise = equal(content_rating_ceiling="G")

        with pytest.raises(ConditionFailed):
            await change_managed(
                Context(store, ben, clock()), zoe.user_id, ceiling="R", if_=otherwise
            )
        assert await again(store, zoe) == zoe

    async def test_does_not_bring_back_a_member_that_is_removed_meanwhile(
        self, store: Store, clock: Watch, ben: User, zoe: User
    ) -> None:
        async def happens() -> None:
            await remove_managed(store, ben, zoe.user_id)

        slow = Meanwhile(store, happens, before_writing=User)
        with pytest.raises(NotFound):
            await change_managed(Context(slow, ben, clock()), zoe.user_id, display_name="Zoé")
        assert await store.get(zoe.ref) is None


class TestRemoveManaged:
    async def test_removes_the_member(self, store: Store, ben: User, zoe: User) -> None:
        await remove_managed(store, ben, zoe.user_id)

        assert await store.get(zoe.ref) is None
        assert (await again(store, ben)).managed_count == 0
        with pytest.raises(NotFound):
            await remove_managed(store, ben, zoe.user_id)

    async def test_is_only_for_the_parent(
        self, store: Store, ada: User, eve: User, zoe: User
    ) -> None:
        for stranger in (ada, eve, zoe):
            with pytest.raises(NotFound):
                await remove_managed(store, stranger, zoe.user_id)

        assert await again(store, zoe) == zoe

    async def test_does_not_remove_accounts(self, store: Store, ben: User, eve: User) -> None:
        for account in (ben, eve):
            with pytest.raises(NotFound):
                await remove_managed(store, ben, account.user_id)
            await again(store, account)
