"""A forgotten password, where letters are sent."""

from __future__ import annotations

import pytest

from commonroom.accounts.service.addresses import (
    change_address,
    confirm_address,
    make_confirmation_link,
    want_address,
)
from commonroom.accounts.service.administering import disable
from commonroom.accounts.service.forgetting import count_asking, forgotten_by
from commonroom.accounts.service.leaving import CONFIRMATION, delete_account
from commonroom.accounts.service.passwords import choose_new_password
from commonroom.accounts.service.signing_in import sign_in
from commonroom.accounts.service.throttle import FORGOTTEN_FROM_ADDRESS, FORGOTTEN_OF_ACCOUNT
from commonroom.accounts.tables import User
from commonroom.errors import RateLimited
from commonroom.store import Store
from tests.accounts.people import ANOTHER, PASSWORD, Watch, everything

NEW = "benedict@example.org"


@pytest.fixture
async def ben(store: Store, clock: Watch, ben: User) -> User:
    """Somebody who has confirmed their address."""
    _, link = await make_confirmation_link(store, clock(), ben)
    return await confirm_address(store, clock(), ben, link)


class TestWhoeverForgot:
    @pytest.mark.parametrize("typed", ["ben@example.org", " BEN@Example.org "])
    async def test_gets_a_link_however_they_type_their_address(
        self, store: Store, clock: Watch, ben: User, typed: str
    ) -> None:
        found = await forgotten_by(store, clock(), typed)

        assert found is not None
        assert (found.user, found.address) == (ben, "ben@example.org")
        assert found.secret
        await choose_new_password(store, clock(), found.secret, ANOTHER)
        await sign_in(store, clock(), email="ben@example.org", password=ANOTHER)

    async def test_and_never_confirmed_the_address_gets_no_link_by_it(
        self, store: Store, clock: Watch, eve: User
    ) -> None:
        found = await forgotten_by(store, clock(), "eve@example.org")

        assert found is not None
        assert (found.address, found.secret) == ("eve@example.org", None)

    @pytest.mark.parametrize("typed", ["nobody@example.org", "", "no address", "#", "\ud800@x.y"])
    async def test_and_is_nobody_gets_nothing_and_leaves_nothing(
        self, store: Store, clock: Watch, ben: User, typed: str
    ) -> None:
        before = await everything(store)

        assert await forgotten_by(store, clock(), typed) is None
        assert await everything(store) == before

    async def test_and_is_kept_out_or_gone_gets_nothing(
        self, store: Store, clock: Watch, ben: User, eve: User
    ) -> None:
        await disable(store, clock(), ben)
        await delete_account(store, eve, typed=CONFIRMATION)

        for email in ("ben@example.org", "eve@example.org"):
            assert await forgotten_by(store, clock(), email) is None

    async def test_hears_of_it_where_the_address_is_and_not_where_it_was_or_may_be(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        waiting, link = await want_address(store, clock(), ben, NEW, password=PASSWORD)
        assert await forgotten_by(store, clock(), NEW) is None

        moved = await confirm_address(store, clock(), waiting, link)
        assert await forgotten_by(store, clock(), "ben@example.org") is None
        found = await forgotten_by(store, clock(), NEW)
        assert found is not None
        assert found.address == NEW
        assert found.secret

        await change_address(store, clock(), moved, "third@example.org", password=PASSWORD)
        found = await forgotten_by(store, clock(), "third@example.org")
        assert found is not None
        assert found.secret is None, "nobody has confirmed this one"


class TestAsking:
    @pytest.mark.parametrize("email", ["ben@example.org", "nobody@example.org", "no address"])
    async def test_too_often_for_one_account_has_to_wait_known_or_not(
        self, store: Store, clock: Watch, ben: User, email: str
    ) -> None:
        typed = [email, email.upper(), f" {email}", email, email.title()]
        assert len(typed) == FORGOTTEN_OF_ACCOUNT.tries
        for number, one in enumerate(typed):
            await count_asking(store, clock(), email=one, address=f"192.0.2.{number}")

        with pytest.raises(RateLimited):
            await count_asking(store, clock(), email=email, address="192.0.2.99")
        clock.forward(FORGOTTEN_OF_ACCOUNT.seconds)
        await count_asking(store, clock(), email=email, address="192.0.2.99")

    async def test_too_often_from_one_place_has_to_wait(self, store: Store, clock: Watch) -> None:
        for number in range(FORGOTTEN_FROM_ADDRESS.tries):
            await count_asking(store, clock(), email=f"{number}@example.org", address="192.0.2.1")

        with pytest.raises(RateLimited):
            await count_asking(store, clock(), email="x@example.org", address="192.0.2.1")
        await count_asking(store, clock(), email="x@example.org", address="192.0.2.2")

    async def test_counts_letters_that_are_made_in_two_ways_as_one(
        self, store: Store, clock: Watch
    ) -> None:
        composed, decomposed = "jos\u00e9@example.org", "jose\u0301@example.org"
        for _ in range(FORGOTTEN_OF_ACCOUNT.tries):
            await count_asking(store, clock(), email=composed, address="192.0.2.1")

        with pytest.raises(RateLimited):
            await count_asking(store, clock(), email=decomposed, address="192.0.2.1")
