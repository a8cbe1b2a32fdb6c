"""How often something may be tried: by one person, and from one address."""

from __future__ import annotations

import pytest

from commonroom.accounts.errors import NotAllowed, TooManyTries, WrongSignIn
from commonroom.accounts.service.administering import disable
from commonroom.accounts.service.signing_in import sign_in
from commonroom.accounts.service.throttle import (
    SIGN_IN_FROM_ADDRESS,
    SIGN_IN_TO_ACCOUNT,
    Limit,
    count_try,
    forget_tries,
    guessing,
)
from commonroom.accounts.tables import Attempts, User
from commonroom.store import Store, Write
from tests.accounts.people import ANOTHER, MINUTE, PASSWORD, Watch, everything

THREE = Limit("knocking", 3, 10 * MINUTE)
EMAIL = "ben@example.org"
TO_ACCOUNT = SIGN_IN_TO_ACCOUNT.tries
FROM_ADDRESS = SIGN_IN_FROM_ADDRESS.tries


async def knock(store: Store, clock: Watch, who: str = "ben", times: int = 1) -> None:
    for _ in range(times):
        await count_try(store, clock(), THREE, who)


class TestCountTry:
    async def test_refuses_one_more_than_the_limit(self, store: Store, clock: Watch) -> None:
        await knock(store, clock, times=3)

        with pytest.raises(TooManyTries):
            await knock(store, clock)

    async def test_says_when_to_come_back(self, store: Store, clock: Watch) -> None:
        await knock(store, clock, times=3)
        clock.forward(4 * MINUTE + 0.5)

        with pytest.raises(TooManyTries) as caught:
            await knock(store, clock)

        assert caught.value.retry_after == 6 * MINUTE - 1

    async def test_begins_anew_when_the_window_ends_however_often_it_was_tried(
        self, store: Store, clock: Watch
    ) -> None:
        await knock(store, clock, times=3)
        for seconds in (0, 5 * MINUTE, 5 * MINUTE - 1):
            clock.forward(seconds)
            with pytest.raises(TooManyTries):
                await knock(store, clock)

        clock.forward(1)
        await knock(store, clock, times=3)
        with pytest.raises(TooManyTries):
            await knock(store, clock)

    async def test_has_a_window_that_begins_with_the_first_try(
        self, store: Store, clock: Watch
    ) -> None:
        await knock(store, clock)
        clock.forward(9 * MINUTE)
        await knock(store, clock, times=2)

        clock.forward(MINUTE)
        await knock(store, clock)

    async def test_counts_everybody_and_everything_apart(self, store: Store, clock: Watch) -> None:
        await knock(store, clock, times=3)

        await knock(store, clock, who="eve")
        await count_try(store, clock(), Limit("ringing", 1, MINUTE), "ben")

    async def test_counts_one_person_however_they_are_typed(
        self, store: Store, clock: Watch
    ) -> None:
        for who in ("ben@example.org", "BEN@example.org", "  Ben@Example.org "):
            await knock(store, clock, who)

        with pytest.raises(TooManyTries):
            await knock(store, clock, "ben@EXAMPLE.org")

    @pytest.mark.parametrize("who", ["", "#", "\ud800", "x" * 100_000])
    async def test_counts_whatever_people_type(self, store: Store, clock: Watch, who: str) -> None:
        await knock(store, clock, who, times=3)

        with pytest.raises(TooManyTries):
            await knock(store, clock, who)

    async def test_does_not_store_what_was_typed(self, store: Store, clock: Watch) -> None:
        await knock(store, clock, "the wrong field, a password")

        assert "password" not in repr(await everything(store))

    async def test_refuses_what_it_could_not_count(self, store: Store, clock: Watch) -> None:
        class Crowd(Store):
            """Others begin a window and end it, each time just before it is our turn."""

            async def write(self, *writes: Write) -> None:
                if writes[0].operation.kind == "put":
                    await knock(store, clock)
                else:
                    await forget_tries(store, THREE, "ben")
                await super().write(*writes)

        with pytest.raises(TooManyTries):
            await knock(Crowd(store.engine), clock)


class TestGuessing:
    TEN = Limit("listening", 10, 10 * MINUTE)

    async def guess(self, store: Store, clock: Watch, error: Exception | None = None) -> None:
        limits = (self.TEN, "from the hall"), (THREE, "ben")
        async with guessing(store, clock(), *limits, wrong=(KeyError, ValueError)):
            if error is not None:
                raise error

    async def test_is_free_while_it_is_right(self, store: Store, clock: Watch) -> None:
        for _ in range(5):
            await self.guess(store, clock)

    @pytest.mark.parametrize("wrong", [KeyError(), ValueError(), OSError()])
    async def test_counts_where_it_is_wrong_or_nobody_knows(
        self, store: Store, clock: Watch, wrong: Exception
    ) -> None:
        for _ in range(3):
            with pytest.raises(type(wrong)):
                await self.guess(store, clock, wrong)
        with pytest.raises(TooManyTries):
            await self.guess(store, clock)

    async def test_that_is_right_does_not_make_up_for_wrong_ones(
        self, store: Store, clock: Watch
    ) -> None:
        for _ in range(2):
            with pytest.raises(KeyError):
                await self.guess(store, clock, KeyError())
            await self.guess(store, clock)
        with pytest.raises(KeyError):
            await self.guess(store, clock, KeyError())
        with pytest.raises(TooManyTries):
            await self.guess(store, clock)

    async def test_that_is_refused_by_one_limit_does_not_count_for_another(
        self, store: Store, clock: Watch
    ) -> None:
        await knock(store, clock, times=3)
        for _ in range(20):
            with pytest.raises(TooManyTries):
                await self.guess(store, clock)
        await count_try(store, clock(), self.TEN, "from the hall")


class TestForgetTries:
    async def test_lets_somebody_begin_anew(self, store: Store, clock: Watch) -> None:
        await knock(store, clock, times=3)
        await knock(store, clock, who="eve", times=3)

        await forget_tries(store, THREE, " BEN ")

        await knock(store, clock, times=3)
        with pytest.raises(TooManyTries):
            await knock(store, clock, who="eve")

    async def test_of_somebody_who_never_tried_is_fine(self, store: Store) -> None:
        await forget_tries(store, THREE, "ben")


class TestSigningIn:
    async def fail(
        self, store: Store, clock: Watch, times: int, *, email: str = EMAIL, address: str = "a"
    ) -> None:
        for n in range(times):
            with pytest.raises(WrongSignIn):
                await sign_in(
                    store, clock(), email=email.format(n=n), password=ANOTHER, address=address
                )

    async def test_with_the_right_password_is_refused_after_too_many_wrong_ones(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await self.fail(store, clock, TO_ACCOUNT)

        with pytest.raises(TooManyTries):
            await sign_in(store, clock(), email=EMAIL, password=PASSWORD, address="elsewhere")

        clock.forward(SIGN_IN_TO_ACCOUNT.seconds)
        await sign_in(store, clock(), email=EMAIL, password=PASSWORD)

    async def test_to_an_account_that_does_not_exist_is_refused_as_soon(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await self.fail(store, clock, TO_ACCOUNT, email="nobody@example.org")

        with pytest.raises(TooManyTries):
            await sign_in(store, clock(), email="nobody@example.org", password=ANOTHER)

    async def test_with_success_forgets_the_failures_of_an_account(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        for _ in range(2):
            await self.fail(store, clock, TO_ACCOUNT - 1)
            await sign_in(store, clock(), email=EMAIL, password=PASSWORD)

    async def test_with_success_does_not_forget_the_failures_from_an_address(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        # Or whoever has an account could guess at all others for ever.
        guesses = "guess{n}@example.org"
        await self.fail(store, clock, FROM_ADDRESS - 1, email=guesses)
        await sign_in(store, clock(), email=EMAIL, password=PASSWORD, address="a")

        with pytest.raises(TooManyTries):
            await sign_in(store, clock(), email=EMAIL, password=PASSWORD, address="a")
        await self.fail(store, clock, 1, email=guesses, address="b")

    async def test_from_an_address_that_tries_too_often_does_not_count_for_the_account(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await self.fail(store, clock, FROM_ADDRESS, email="guess{n}@example.org")
        for _ in range(TO_ACCOUNT):
            with pytest.raises(TooManyTries):
                await sign_in(store, clock(), email=EMAIL, password=ANOTHER, address="a")

        await sign_in(store, clock(), email=EMAIL, password=PASSWORD, address="b")

    async def test_to_a_disabled_account_counts(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await disable(store, clock(), ben)
        for _ in range(TO_ACCOUNT):
            with pytest.raises(NotAllowed):
                await sign_in(store, clock(), email=EMAIL, password=PASSWORD)

        with pytest.raises(TooManyTries):
            await sign_in(store, clock(), email=EMAIL, password=PASSWORD)

    async def test_leaves_counts_that_go_by_themselves(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await self.fail(store, clock, 1)
        clock.forward(SIGN_IN_TO_ACCOUNT.seconds)

        await store.engine.sweep(100)

        assert Attempts.declared.kind not in {one.get("kind") for one in await everything(store)}
