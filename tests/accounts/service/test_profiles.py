"""Changing how one is shown."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from commonroom.accounts.service.leaving import CONFIRMATION, delete_account
from commonroom.accounts.service.profiles import change_profile
from commonroom.accounts.tables import (
    NotificationPrefs,
    User,
)
from commonroom.errors import InvalidField, NotFound
from commonroom.moments import iso
from commonroom.store import ConditionFailed, Store, equal
from tests.accounts.people import Meanwhile, Watch, again


class TestChangeProfile:
    async def test_changes_what_is_given_and_leaves_the_rest(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        clock.forward(1)

        changed = await change_profile(store, clock(), ben, display_name=" Benedict ")

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

        changed = await change_profile(store, clock(), ben, **wanted)

        assert changed == replace(ben, updated_at=iso(clock()), **wanted)

    async def test_with_nothing_given_changes_nothing_that_shows(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        changed = await change_profile(store, clock(), ben)

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
            await change_profile(store, clock(), ben, **changes)

        assert caught.value.field == field
        assert await again(store, ben) == ben

    async def test_takes_back_what_a_person_need_not_say(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await change_profile(store, clock(), ben, language="en", time_zone="Europe/Zurich")

        changed = await change_profile(store, clock(), ben, clear=["time_zone"])

        assert (changed.language, changed.time_zone) == ("en", None)
        assert changed == await again(store, ben)

    async def test_changes_nothing_where_the_callers_condition_does_not_hold(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        as_seen = equal(updated_at=ben.updated_at)
        clock.forward(1)
        first = await change_profile(store, clock(), ben, avatar_key="owl", if_=as_seen)

        with pytest.raises(ConditionFailed):
            await change_profile(store, clock(), ben, avatar_key="bee", if_=as_seen)
        assert await again(store, ben) == first

    async def test_does_not_undo_what_changed_elsewhere_meanwhile(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await change_profile(store, clock(), ben, avatar_key="owl")

        changed = await change_profile(store, clock(), ben, display_name="Benedict")

        assert (changed.avatar_key, changed.display_name) == ("owl", "Benedict")

    async def test_does_not_bring_back_a_deleted_account(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await delete_account(store, ben, typed=CONFIRMATION)

        for condition in (None, equal(updated_at=ben.updated_at), equal(email=ben.email)):
            with pytest.raises(NotFound):
                await change_profile(store, clock(), ben, display_name="Benedict", if_=condition)
        assert await store.get(ben.ref) is None

    async def test_shows_nothing_of_an_account_that_is_deleted_right_after(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        async def happens() -> None:
            await delete_account(store, ben, typed=CONFIRMATION)

        slow = Meanwhile(store, happens, after_writing=User)
        with pytest.raises(NotFound):
            await change_profile(slow, clock(), ben, display_name="Benedict")
