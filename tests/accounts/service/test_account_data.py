"""Deleting an account, and taking along what is stored of a person."""

from __future__ import annotations

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.service.account_data import CONFIRMATION, delete_account, everything_about
from commonroom.accounts.service.administration import make_administrator, person_with
from commonroom.accounts.service.email_addresses import change_address
from commonroom.accounts.service.passwords import make_reset_link
from commonroom.accounts.service.profiles import add_managed
from commonroom.accounts.service.sessions import open_session, sign_in
from commonroom.accounts.service.tokens import make_token
from commonroom.accounts.tables import AddressClaim, Installation, User, managed_members
from commonroom.errors import Forbidden, InvalidField, NotFound
from commonroom.moments import iso
from commonroom.store import Store, create
from tests.accounts.people import DAY, PASSWORD, Meanwhile, Watch, again, everything, newly


class TestDeleteAccount:
    @pytest.mark.parametrize("typed", ["", "yes", "delete", "delete my accounts"])
    async def test_needs_the_words_typed(self, store: Store, ben: User, typed: str) -> None:
        with pytest.raises(InvalidField) as caught:
            await delete_account(store, ben, typed=typed)

        assert caught.value.field == "typed"
        assert await again(store, ben) == ben

    async def test_takes_the_words_however_they_are_typed(self, store: Store, ben: User) -> None:
        await delete_account(store, ben, typed="  Delete  MY account\n")

        assert await store.get(ben.ref) is None

    async def test_leaves_nothing_of_the_person_and_everything_of_others(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        before = await everything(store)
        fay = await newly(store, clock, "Fay")
        for name in ("Zoe", "Yann"):
            await add_managed(Context(store, fay, clock()), display_name=name)
        for _ in range(120):
            await open_session(store, clock(), fay)
        await make_token(Context(store, fay, clock()), name="Script", scopes=["read"])

        await delete_account(store, await again(store, fay), typed=CONFIRMATION)

        assert await everything(store) == before

    async def test_leaves_reset_links_that_go_by_themselves(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await make_reset_link(store, clock(), ben)
        await delete_account(store, ben, typed=CONFIRMATION)
        clock.forward(DAY)

        await store.engine.sweep(100)

        assert ben.user_id not in repr(await everything(store))

    async def test_frees_the_address(self, store: Store, clock: Watch, ben: User) -> None:
        await delete_account(store, ben, typed=CONFIRMATION)

        another = await newly(store, clock, "Ben")

        assert another.user_id != ben.user_id

    async def test_takes_no_member_along_that_is_added_meanwhile_and_changes_nothing(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await add_managed(Context(store, ben, clock()), display_name="Zoe")

        async def happens() -> None:
            await add_managed(Context(store, ben, clock()), display_name="Yann")

        slow = Meanwhile(store, happens, before_writing=User)
        with pytest.raises(Forbidden, match="try again"):
            await delete_account(slow, ben, typed=CONFIRMATION)

        found = (await store.page(managed_members(parent_user_id=ben.user_id))).items
        assert len(found) == (await again(store, ben)).managed_count == 2

    async def test_with_an_address_given_up_meanwhile_takes_it_from_nobody_else(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await change_address(
            Context(store, ben, clock()), "benedict@example.org", password=PASSWORD
        )
        heir = await newly(store, clock, "Ben")

        with pytest.raises(Forbidden, match="try again"):
            await delete_account(store, ben, typed=CONFIRMATION)
        assert await person_with(store, "ben@example.org") == heir

        await delete_account(store, await again(store, ben), typed=CONFIRMATION)
        assert await person_with(store, "ben@example.org") == heir
        assert await store.get(AddressClaim.at(address="benedict@example.org")) is None

    async def test_happens_only_once(self, store: Store, ben: User) -> None:
        await delete_account(store, ben, typed=CONFIRMATION)

        with pytest.raises(Forbidden):
            await delete_account(store, ben, typed=CONFIRMATION)

    async def test_needs_no_address(self, store: Store, clock: Watch, ben: User) -> None:
        # An OpenID provider may not tell it.
        fay = User(user_id="fay", display_name="Fay", created_at=iso(clock()))
        await store.write(create(fay))

        await delete_account(store, fay, typed=CONFIRMATION)

        assert await store.get(fay.ref) is None
        assert await again(store, ben) == ben

    async def test_is_nothing_for_managed_members(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        zoe = await add_managed(Context(store, ben, clock()), display_name="Zoe")

        with pytest.raises(Forbidden):
            await delete_account(store, zoe, typed=CONFIRMATION)
        assert await again(store, zoe) == zoe


class TestAnAdministrator:
    async def test_who_is_the_only_one_cannot_leave(
        self, store: Store, ada: User, ben: User
    ) -> None:
        with pytest.raises(Forbidden, match="only administrator"):
            await delete_account(store, ada, typed=CONFIRMATION)

        assert await again(store, ada) == ada

    async def test_can_leave_when_there_is_another(
        self, store: Store, ada: User, ben: User
    ) -> None:
        await make_administrator(store, ben)

        await delete_account(store, ada, typed=CONFIRMATION)

        installation = await store.get(Installation.at())
        assert installation is not None
        assert installation.administrators == 1
        with pytest.raises(Forbidden, match="only administrator"):
            await delete_account(store, await again(store, ben), typed=CONFIRMATION)

    async def test_who_became_one_meanwhile_is_not_forgotten_in_the_count(
        self, store: Store, ada: User, ben: User
    ) -> None:
        await make_administrator(store, ben)

        with pytest.raises(Forbidden, match="try again"):
            await delete_account(store, ben, typed=CONFIRMATION)

        installation = await store.get(Installation.at())
        assert installation is not None
        assert installation.administrators == 2


class TestEverythingAbout:
    async def test_holds_the_person_their_members_sessions_and_tokens(
        self, store: Store, clock: Watch, ben: User, eve: User
    ) -> None:
        zoe = await add_managed(Context(store, ben, clock()), display_name="Zoe")
        await open_session(store, clock(), ben, browser="Firefox", address="192.0.2.1")
        await make_token(Context(store, ben, clock()), name="Script", scopes=["read"])
        await open_session(store, clock(), eve, browser="Hers")
        ben = await again(store, ben)

        found = await everything_about(store, ben)

        assert found["account"] == ben.to_item()
        assert found["managed_members"] == [zoe.to_item()]
        assert [(one["browser"], one["address"]) for one in found["sessions"]] == [
            ("Firefox", "192.0.2.1")
        ]
        assert [(one["name"], one["scopes"]) for one in found["api_tokens"]] == [
            ("Script", ["read"])
        ]

    async def test_holds_no_secret_and_no_digest(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        _, cookie = await sign_in(store, clock(), email="ben@example.org", password=PASSWORD)
        token, secret = await make_token(
            Context(store, ben, clock()), name="Script", scopes=["read"]
        )

        found = repr(await everything_about(store, ben))

        for hidden in (cookie, secret, token.digest, "digest", "argon2"):
            assert hidden not in found

    async def test_is_little_for_somebody_who_just_came(self, store: Store, ben: User) -> None:
        assert await everything_about(store, ben) == {
            "account": ben.to_item(),
            "managed_members": [],
            "sessions": [],
            "api_tokens": [],
            "calendar_feed": None,
        }


class TestSomebodyWhoLeft:
    async def test_is_found_by_no_address(self, store: Store, ben: User) -> None:
        await delete_account(store, ben, typed=CONFIRMATION)

        with pytest.raises(NotFound):
            await person_with(store, "ben@example.org")
