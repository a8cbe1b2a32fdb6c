"""Changing how one is shown, and one's address."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from commonroom.accounts.errors import AddressTaken, NoSuchThing, NotAllowed, Unfit, WrongSignIn
from commonroom.accounts.service.leaving import CONFIRMATION, delete_account
from commonroom.accounts.service.profiles import add_managed, change_address, change_profile
from commonroom.accounts.service.signing_in import open_session, sign_in, signed_in
from commonroom.accounts.tables import (
    AddressClaim,
    NotificationPrefs,
    User,
    everybody,
    user_by_email,
)
from commonroom.moments import iso
from commonroom.store import ConditionFailed, Store, equal
from tests.accounts.people import PASSWORD, Meanwhile, Watch, again, newcomer, newly


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

        with pytest.raises(Unfit) as caught:
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
            with pytest.raises(NoSuchThing):
                await change_profile(store, clock(), ben, display_name="Benedict", if_=condition)
        assert await store.get(ben.ref) is None

    async def test_shows_nothing_of_an_account_that_is_deleted_right_after(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        async def happens() -> None:
            await delete_account(store, ben, typed=CONFIRMATION)

        slow = Meanwhile(store, happens, after_writing=User)
        with pytest.raises(NoSuchThing):
            await change_profile(slow, clock(), ben, display_name="Benedict")


class TestChangeAddress:
    async def test_moves_the_claim_and_keeps_the_place_in_the_list(
        self, store: Store, clock: Watch, ben: User, eve: User
    ) -> None:
        clock.forward(1)

        changed = await change_address(store, clock(), ben, " Benedict@example.org ")

        assert changed == replace(ben, email="Benedict@example.org", updated_at=iso(clock()))
        assert await store.get(AddressClaim.at(address="ben@example.org")) is None
        assert (await store.page(user_by_email(email="Benedict@example.org"))).items == [changed]
        listed = (await store.page(everybody())).items
        assert [one.address for one in listed][1:] == ["Benedict@example.org", "eve@example.org"]

    async def test_signs_in_with_the_new_one_only(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        cookie = await open_session(store, clock(), ben)
        await change_address(store, clock(), ben, "benedict@example.org")

        await sign_in(store, clock(), email="benedict@example.org", password=PASSWORD)
        with pytest.raises(WrongSignIn):
            await sign_in(store, clock(), email="ben@example.org", password=PASSWORD)
        assert await signed_in(store, clock(), cookie) is not None

    async def test_frees_the_old_one(self, store: Store, clock: Watch, ben: User) -> None:
        await change_address(store, clock(), ben, "benedict@example.org")

        another = await newly(store, clock, "Ben")

        assert another.user_id != ben.user_id

    @pytest.mark.parametrize("typed", ["BEN@example.org", "ben@example.org"])
    async def test_may_only_change_case(
        self, store: Store, clock: Watch, ben: User, typed: str
    ) -> None:
        changed = await change_address(store, clock(), ben, typed)

        assert changed.email == typed
        claim = await store.get(AddressClaim.at(address="ben@example.org"))
        assert claim is not None
        assert claim.user_id == ben.user_id
        await sign_in(store, clock(), email=typed, password=PASSWORD)

    @pytest.mark.parametrize("taken", ["eve@example.org", " EVE@example.org"])
    async def test_does_not_take_somebody_elses(
        self, store: Store, clock: Watch, ben: User, eve: User, taken: str
    ) -> None:
        with pytest.raises(AddressTaken) as caught:
            await change_address(store, clock(), ben, taken)

        assert "account" not in caught.value.detail
        assert await again(store, ben) == ben
        await sign_in(store, clock(), email="ben@example.org", password=PASSWORD)

    async def test_takes_only_what_looks_like_one(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        with pytest.raises(Unfit) as caught:
            await change_address(store, clock(), ben, "ben")

        assert caught.value.field == "email"

    async def test_is_refused_where_another_change_was_faster(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        async def happens() -> None:
            await change_address(store, clock(), ben, "first@example.org")

        slow = Meanwhile(store, happens, before_writing=AddressClaim)
        with pytest.raises(NotAllowed):
            await change_address(slow, clock(), ben, "second@example.org")

        assert (await again(store, ben)).email == "first@example.org"
        assert await store.get(AddressClaim.at(address="second@example.org")) is None

    async def test_claims_nothing_for_a_deleted_account(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await delete_account(store, ben, typed=CONFIRMATION)

        with pytest.raises(NoSuchThing):
            await change_address(store, clock(), ben, "benedict@example.org")
        assert await store.get(AddressClaim.at(address="benedict@example.org")) is None

    async def test_is_nothing_for_managed_members(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        child = await add_managed(store, clock(), ben, display_name="Zoe")

        with pytest.raises(NotAllowed):
            await change_address(store, clock(), child, newcomer("Zoe").email)
