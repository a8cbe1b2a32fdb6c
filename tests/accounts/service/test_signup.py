"""Making accounts: the first one, and everybody else's."""

from __future__ import annotations

import pytest

from commonroom.accounts import rules
from commonroom.accounts.context import Context
from commonroom.accounts.errors import AlreadySetUp, EmailTaken, LinkExpired, SignUpClosed
from commonroom.accounts.service.administration import invite
from commonroom.accounts.service.signup import NewAccount, is_set_up, set_up, sign_up
from commonroom.accounts.tables import (
    FIRST_PREFS,
    AddressClaim,
    Installation,
    Password,
    User,
)
from commonroom.errors import InvalidField
from commonroom.moments import iso
from commonroom.store import Store, check, create, delete, stored, update
from tests.accounts.people import PASSWORD, Meanwhile, Watch, again, everything, newcomer

UNFIT = [
    (newcomer("Cleo", email="cleo"), "email"),
    (newcomer(" ", email="cleo@example.org"), "display_name"),
    (newcomer("Cleo", password="too short"), "password"),
    (newcomer("Cleo", password="password123"), "password"),
    (NewAccount("cleo@example.org", "Cleopatra VII", "cleopatra vii"), "password"),
    (NewAccount("cleo@example.org", "Cleo", "Cleo@example.org"), "password"),
]


class TestSetUp:
    async def test_makes_the_first_account_an_administrators(
        self, store: Store, clock: Watch
    ) -> None:
        assert not await is_set_up(store)

        ada = await set_up(store, clock(), newcomer("Ada"))

        assert await is_set_up(store)
        assert ada.is_admin
        assert await again(store, ada) == ada
        assert await store.get(Installation.at()) == Installation(
            user_id=ada.user_id, set_up_at=iso(clock()), administrators=1
        )

    async def test_happens_only_once(self, store: Store, clock: Watch, ada: User) -> None:
        before = await everything(store)

        with pytest.raises(AlreadySetUp):
            await set_up(store, clock(), newcomer("Eve"))

        assert await everything(store) == before

    async def test_says_so_also_to_somebody_who_filled_it_in_wrongly(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        with pytest.raises(AlreadySetUp):
            await set_up(store, clock(), newcomer("", password="short"))

    async def test_says_so_when_somebody_else_was_faster(self, store: Store, clock: Watch) -> None:
        async def happens() -> None:
            await set_up(store, clock(), newcomer("Ada"))

        slow = Meanwhile(store, happens, before_writing=Installation)
        with pytest.raises(AlreadySetUp):
            await set_up(slow, clock(), newcomer("Eve"))

    async def test_does_not_take_an_address_that_is_somebodys(
        self, store: Store, clock: Watch
    ) -> None:
        # As after an import from elsewhere.
        await store.write(
            create(AddressClaim(address="ada@example.org", user_id="u", made_at=iso(clock())))
        )

        with pytest.raises(EmailTaken):
            await set_up(store, clock(), newcomer("Ada"))
        assert not await is_set_up(store)

    @pytest.mark.parametrize("new, field", UNFIT)
    async def test_names_a_field_that_does_not_fit(
        self, store: Store, clock: Watch, new: NewAccount, field: str
    ) -> None:
        with pytest.raises(InvalidField) as caught:
            await set_up(store, clock(), new)

        assert caught.value.field == field
        assert await everything(store) == []


class TestSignUp:
    @pytest.mark.parametrize("mode", ["open", "invite"])
    async def test_waits_for_the_first_administrator(
        self, store: Store, clock: Watch, mode: rules.SignUp
    ) -> None:
        with pytest.raises(SignUpClosed):
            await sign_up(store, clock(), mode, newcomer("Eve"), invitation="a secret")

        assert await everything(store) == []

    async def test_makes_an_ordinary_account(self, store: Store, clock: Watch, ada: User) -> None:
        new = NewAccount(" Cleo@Example.org ", "  Cleo  of Egypt ", PASSWORD)

        cleo = await sign_up(store, clock(), "open", new)

        assert await again(store, cleo) == cleo
        assert cleo == User(
            user_id=cleo.user_id,
            email="Cleo@Example.org",
            display_name="Cleo of Egypt",
            avatar_key=rules.avatar(cleo.avatar_key or ""),
            created_at=iso(clock()),
            notification_prefs=dict(FIRST_PREFS),
        )
        assert await store.get(AddressClaim.at(address="cleo@example.org")) == AddressClaim(
            address="Cleo@Example.org", user_id=cleo.user_id, made_at=iso(clock())
        )

    async def test_stores_a_password_only_as_a_hash(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        kept = await store.get(Password.at(user_id=ben.user_id))

        assert kept is not None
        assert kept.hash.startswith("$argon2id$")
        assert PASSWORD not in repr(await everything(store))

    @pytest.mark.parametrize("email", ["ben@example.org", "BEN@EXAMPLE.ORG", " Ben@example.org "])
    async def test_gives_one_address_one_account_however_it_is_typed(
        self, store: Store, clock: Watch, ben: User, email: str
    ) -> None:
        before = await everything(store)

        with pytest.raises(EmailTaken):
            await sign_up(store, clock(), "open", newcomer("Eve", email=email))

        assert await everything(store) == before

    @pytest.mark.parametrize("new, field", UNFIT)
    async def test_names_a_field_that_does_not_fit(
        self, store: Store, clock: Watch, ada: User, new: NewAccount, field: str
    ) -> None:
        secret = await invite(Context(store, ada, clock()))
        before = await everything(store)

        with pytest.raises(InvalidField) as caught:
            await sign_up(store, clock(), "invite", new, invitation=secret)

        assert caught.value.field == field
        assert await everything(store) == before

    async def test_needs_an_invitation_unless_it_is_open(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        with pytest.raises(SignUpClosed, match="invitation"):
            await sign_up(store, clock(), "invite", newcomer("Eve"))

    async def test_lets_nobody_in_when_it_is_closed(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        secret = await invite(Context(store, ada, clock()))
        before = await everything(store)

        with pytest.raises(SignUpClosed, match="closed"):
            await sign_up(store, clock(), "closed", newcomer("Eve"), invitation=secret)

        assert await everything(store) == before


class TestAVoucher:
    """What a room gives instead of an administrator's invitation."""

    async def test_lets_somebody_in_and_is_kept_in_the_same_transaction(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        voucher = update(ada.ref, household_id="h")

        await sign_up(store, clock(), "invite", newcomer("Cleo"), vouchers=[voucher])

        assert (await again(store, ada)).household_id == "h"

    async def test_that_no_longer_holds_lets_nobody_in(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        spent = check(User.at(user_id="long gone"), if_=stored)
        before = await everything(store)

        for name in ("Cleo", "Ada"):
            with pytest.raises(LinkExpired):
                await sign_up(store, clock(), "invite", newcomer(name), vouchers=[spent])

        assert await everything(store) == before

    async def test_is_not_kept_when_the_account_is_not_made(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        with pytest.raises(EmailTaken):
            await sign_up(store, clock(), "invite", newcomer("Ada"), vouchers=[delete(ada)])

        assert await again(store, ada) == ada
