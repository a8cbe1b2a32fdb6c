"""How often something may be tried: by one person, and from one address."""

from __future__ import annotations

from contextlib import suppress

import pytest
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.errors import WrongPassword
from commonroom.accounts.service import throttle
from commonroom.accounts.service.administration import disable
from commonroom.accounts.service.passwords import change_password
from commonroom.accounts.service.sessions import MAX_ACCOUNTS, KnownDevice, sign_in
from commonroom.accounts.service.throttle import (
    PASSWORD_AGAIN,
    SIGN_IN,
    SIGN_IN_BY_DEVICE,
    SIGN_IN_FROM_ADDRESS,
    SIGN_IN_TO_ACCOUNT,
    Limit,
    count_try,
    forget_tries,
    guessing,
)
from commonroom.accounts.tables import Attempts, User
from commonroom.errors import Forbidden, RateLimited
from commonroom.moments import MAX_SKEW_SECONDS
from commonroom.store import Store, Write
from tests.accounts.people import ANOTHER, MINUTE, PASSWORD, Watch, everything
from tests.support.clocks import CORRECTIONS, SET_BACK, YEAR

THREE = Limit("knocking", 3, 10 * MINUTE)
EMAIL = "ben@example.org"
FROM_ADDRESS = SIGN_IN_FROM_ADDRESS.tries
FROM_NETWORK = SIGN_IN.from_network.tries
GROWING = Limit("guessing", 3, 3 * 15 * MINUTE, first_wait=15)
DAY = 24 * 3600


async def knock(store: Store, clock: Watch, who: str = "ben", times: int = 1) -> None:
    for _ in range(times):
        await count_try(store, clock(), THREE, who)


class TestCountTry:
    async def test_refuses_one_more_than_the_limit(self, store: Store, clock: Watch) -> None:
        await knock(store, clock, times=3)

        with pytest.raises(RateLimited):
            await knock(store, clock)

    async def test_says_when_to_come_back(self, store: Store, clock: Watch) -> None:
        await knock(store, clock, times=3)
        clock.forward(MINUTE + 0.5)

        with pytest.raises(RateLimited) as caught:
            await knock(store, clock)

        assert caught.value.retry_after == 200 - MINUTE

    async def test_forgets_one_after_the_other_and_never_all_at_once(
        self, store: Store, clock: Watch
    ) -> None:
        await knock(store, clock, times=3)
        for _ in range(5):
            clock.forward(199)
            with pytest.raises(RateLimited):
                await knock(store, clock)
            clock.forward(1)
            await knock(store, clock)

        clock.forward(THREE.seconds)
        await knock(store, clock, times=3)

    async def test_lets_no_more_through_around_the_end_of_a_time_than_within_it(
        self, store: Store, clock: Watch
    ) -> None:
        # What a window that resets allows: all of it just before its end, and again after.
        await knock(store, clock)
        clock.forward(THREE.seconds - 1)
        through = 0
        for _ in range(10):
            with suppress(RateLimited):
                await knock(store, clock)
                through += 1
            clock.forward(1)
        assert through == 3

    async def test_counts_everybody_and_everything_apart(self, store: Store, clock: Watch) -> None:
        await knock(store, clock, times=3)

        await knock(store, clock, who="eve")
        await count_try(store, clock(), Limit("ringing", 1, MINUTE), "ben")

    async def test_counts_one_person_however_they_are_typed(
        self, store: Store, clock: Watch
    ) -> None:
        for who in ("ben@example.org", "BEN@example.org", "  Ben@Example.org "):
            await knock(store, clock, who)

        with pytest.raises(RateLimited):
            await knock(store, clock, "ben@EXAMPLE.org")

    async def test_counts_all_addresses_of_a_home_as_one(self, store: Store, clock: Watch) -> None:
        for number in range(3):
            await knock(store, clock, f"2001:db8:1:2::{number}")

        with pytest.raises(RateLimited):
            await knock(store, clock, "2001:DB8:1:2:ffff::1")
        await knock(store, clock, "2001:db8:1:3::1")

    @pytest.mark.parametrize("who", ["", "#", "\ud800", "x" * 100_000])
    async def test_counts_whatever_people_type(self, store: Store, clock: Watch, who: str) -> None:
        await knock(store, clock, who, times=3)

        with pytest.raises(RateLimited):
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

        with pytest.raises(RateLimited):
            await knock(Crowd(store.engine), clock)


class TestGrowingWaits:
    async def waits(self, store: Store, clock: Watch, times: int) -> list[int]:
        """How long somebody waits before each of their guesses, who always makes the next."""
        waited = []
        for _ in range(times):
            began = clock()
            while True:
                try:
                    await count_try(store, clock(), GROWING, "ben")
                except RateLimited as refused:
                    clock.forward(refused.retry_after)
                else:
                    break
            waited.append(round(clock() - began))
        return waited

    async def test_double_until_they_are_as_long_as_one_try_is_remembered(
        self, store: Store, clock: Watch
    ) -> None:
        waited = await self.waits(store, clock, 14)

        assert waited[:9] == [0, 0, 0, 15, 30, 60, 120, 240, 480]
        assert all(480 <= one <= 960 for one in waited[9:]), waited

    async def test_are_not_over_because_somebody_waited_once(
        self, store: Store, clock: Watch
    ) -> None:
        await self.waits(store, clock, 10)
        clock.forward(30 * MINUTE)

        assert sum(await self.waits(store, clock, 3)) > 10 * MINUTE

    async def test_let_no_more_through_than_the_limit_promises(
        self, store: Store, clock: Watch
    ) -> None:
        began, through = clock(), 0
        while clock() - began < DAY:
            try:
                await count_try(store, clock(), GROWING, "ben")
                through += 1
            except RateLimited as refused:
                clock.forward(refused.retry_after)

        assert GROWING.most + DAY // GROWING.forgets_one - 2 <= through
        assert through <= GROWING.most + DAY // GROWING.forgets_one

    async def test_are_forgotten_in_the_end_and_leave_nothing(
        self, store: Store, clock: Watch
    ) -> None:
        await self.waits(store, clock, 12)
        clock.forward(GROWING.most * GROWING.forgets_one)

        assert await self.waits(store, clock, 3) == [0, 0, 0]
        clock.forward(GROWING.seconds)
        await store.engine.sweep(100)
        assert not await everything(store)

    async def test_are_not_made_longer_by_guesses_that_are_right(
        self, store: Store, clock: Watch
    ) -> None:
        await self.waits(store, clock, 8)
        clock.forward(8 * MINUTE)

        for _ in range(5):
            async with guessing(store, clock(), (GROWING, "ben"), wrong=KeyError):
                pass

    async def test_cannot_be_evaded_by_right_guesses_between_wrong_ones(
        self, store: Store, clock: Watch
    ) -> None:
        await self.waits(store, clock, 8)
        through = 0
        for _ in range(600):
            clock.forward(1)
            with suppress(RateLimited):
                async with guessing(store, clock(), (GROWING, "ben"), wrong=KeyError):
                    pass
            with suppress(RateLimited, KeyError):
                async with guessing(store, clock(), (GROWING, "ben"), wrong=KeyError):
                    through += 1
                    raise KeyError
        assert through == 1


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
        with pytest.raises(RateLimited):
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
        with pytest.raises(RateLimited):
            await self.guess(store, clock)

    async def test_that_is_refused_by_one_limit_does_not_count_for_another(
        self, store: Store, clock: Watch
    ) -> None:
        await knock(store, clock, times=3)
        for _ in range(20):
            with pytest.raises(RateLimited):
                await self.guess(store, clock)
        await count_try(store, clock(), self.TEN, "from the hall")


class TestForgetTries:
    async def test_lets_somebody_begin_anew(self, store: Store, clock: Watch) -> None:
        await knock(store, clock, times=3)
        await knock(store, clock, who="eve", times=3)

        await forget_tries(store, THREE, " BEN ")

        await knock(store, clock, times=3)
        with pytest.raises(RateLimited):
            await knock(store, clock, who="eve")

    async def test_of_somebody_who_never_tried_is_fine(self, store: Store) -> None:
        await forget_tries(store, THREE, "ben")


class TestSigningIn:
    async def fail(
        self, store: Store, clock: Watch, times: int, *, email: str = EMAIL, address: str = "a"
    ) -> None:
        for n in range(times):
            with pytest.raises(WrongPassword):
                await sign_in(
                    store, clock(), email=email.format(n=n), password=ANOTHER, address=address
                )

    async def test_with_the_right_password_is_refused_after_too_many_wrong_ones(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await self.fail(store, clock, FROM_NETWORK)

        with pytest.raises(RateLimited):
            await sign_in(store, clock(), email=EMAIL, password=PASSWORD, address="a")

        clock.forward(SIGN_IN.from_network.first_wait)
        await sign_in(store, clock(), email=EMAIL, password=PASSWORD, address="a")

    async def test_is_not_refused_because_a_stranger_guesses(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        for number in range(40):
            with suppress(WrongPassword, RateLimited):
                await sign_in(
                    store,
                    clock(),
                    email=EMAIL,
                    password=ANOTHER,
                    address=f"2001:db8:1:{number:x}::1",
                )

        await sign_in(store, clock(), email=EMAIL, password=PASSWORD, address="192.0.2.7")

    async def test_is_slow_for_everybody_new_once_all_the_world_guesses(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        came = []
        for number in range(SIGN_IN_TO_ACCOUNT.tries + 10):
            with pytest.raises((WrongPassword, RateLimited)) as caught:
                await sign_in(
                    store, clock(), email=EMAIL, password=ANOTHER, address=f"10.0.{number}.1"
                )
            came.append(caught.type)
        assert came.count(WrongPassword) == SIGN_IN_TO_ACCOUNT.tries

        with pytest.raises(RateLimited) as refused:
            await sign_in(store, clock(), email=EMAIL, password=PASSWORD, address="192.0.2.7")
        clock.forward(refused.value.retry_after)
        await sign_in(store, clock(), email=EMAIL, password=PASSWORD, address="192.0.2.7")

    async def test_to_an_account_that_does_not_exist_is_refused_as_soon(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await self.fail(store, clock, FROM_NETWORK, email="nobody@example.org")

        with pytest.raises(RateLimited):
            await sign_in(store, clock(), email="nobody@example.org", password=ANOTHER, address="a")

    async def test_with_success_forgets_what_the_same_network_guessed_at_the_account(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        for _ in range(2):
            await self.fail(store, clock, FROM_NETWORK - 1)
            await sign_in(store, clock(), email=EMAIL, password=PASSWORD, address="a")

    async def test_with_success_does_not_forget_what_others_guessed(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await self.fail(store, clock, FROM_NETWORK, address="b")
        await sign_in(store, clock(), email=EMAIL, password=PASSWORD, address="a")

        with pytest.raises(RateLimited):
            await sign_in(store, clock(), email=EMAIL, password=ANOTHER, address="b")

    async def test_with_success_does_not_forget_the_failures_from_an_address(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        # Or whoever has an account could guess at all others for ever.
        guesses = "guess{n}@example.org"
        await self.fail(store, clock, FROM_ADDRESS - 1, email=guesses)
        await sign_in(store, clock(), email=EMAIL, password=PASSWORD, address="a")
        await self.fail(store, clock, 1, email=guesses)

        with pytest.raises(RateLimited):
            await sign_in(store, clock(), email=EMAIL, password=PASSWORD, address="a")
        await self.fail(store, clock, 1, email=guesses, address="b")

    async def test_from_an_address_that_tries_too_often_does_not_count_for_the_account(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await self.fail(store, clock, FROM_ADDRESS, email="guess{n}@example.org")
        for _ in range(2 * SIGN_IN_TO_ACCOUNT.tries):
            with pytest.raises(RateLimited):
                await sign_in(store, clock(), email=EMAIL, password=ANOTHER, address="a")

        await sign_in(store, clock(), email=EMAIL, password=PASSWORD, address="b")

    async def test_to_a_disabled_account_counts(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await disable(store, clock(), ben)
        for _ in range(FROM_NETWORK):
            with pytest.raises(Forbidden):
                await sign_in(store, clock(), email=EMAIL, password=PASSWORD)

        with pytest.raises(RateLimited):
            await sign_in(store, clock(), email=EMAIL, password=PASSWORD)

    async def test_leaves_counts_that_go_by_themselves(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await self.fail(store, clock, 1)
        clock.forward(SIGN_IN_TO_ACCOUNT.seconds)

        await store.engine.sweep(100)

        assert Attempts.schema.kind not in {one.get("kind") for one in await everything(store)}


class TestAKnownDevice:
    """A browser in which the account was signed in before."""

    async def guess(self, store: Store, clock: Watch, device: KnownDevice | None) -> None:
        await sign_in(
            store, clock(), email=EMAIL, password=ANOTHER, address="192.0.2.7", device=device
        )

    async def exhaust(self, store: Store, clock: Watch) -> None:
        """The owner's own network is among those that guess, as behind one provider's gateway."""
        for number in range(100):
            with suppress(WrongPassword, RateLimited):
                await sign_in(
                    store, clock(), email=EMAIL, password=ANOTHER, address=f"10.0.{number}.1"
                )
        for _ in range(100):
            with suppress(WrongPassword, RateLimited):
                await self.guess(store, clock, None)

    async def enter(self, store: Store, clock: Watch, device: KnownDevice | None) -> None:
        await sign_in(
            store, clock(), email=EMAIL, password=PASSWORD, address="192.0.2.7", device=device
        )

    async def test_gets_in_however_many_guess(self, store: Store, clock: Watch, ben: User) -> None:
        await self.exhaust(store, clock)

        with pytest.raises(RateLimited):
            await self.enter(store, clock, None)
        await self.enter(store, clock, KnownDevice().with_account(ben))

    async def test_of_another_account_counts_for_nothing(
        self, store: Store, clock: Watch, ben: User, eve: User
    ) -> None:
        await self.exhaust(store, clock)

        with pytest.raises(RateLimited):
            await self.enter(store, clock, KnownDevice().with_account(eve))

    async def test_may_not_guess_for_ever_either(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        device = KnownDevice().with_account(ben)
        for _ in range(SIGN_IN_BY_DEVICE.tries):
            with pytest.raises(WrongPassword):
                await self.guess(store, clock, device)

        with pytest.raises(RateLimited):
            await self.guess(store, clock, device)
        await self.enter(store, clock, None)

    async def test_is_a_stranger_again_after_another_password(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        device = KnownDevice().with_account(ben)
        changed = await change_password(Context(store, ben, clock()), old=PASSWORD, new=ANOTHER)

        assert not device.knows(changed)
        assert device.with_account(changed).knows(changed)

    def test_knows_a_family_and_no_more(self, ben: User) -> None:
        device = KnownDevice()
        family = [replace(ben, user_id=f"person-{n}") for n in range(MAX_ACCOUNTS + 1)]
        for one in (*family, family[-1]):
            device = device.with_account(one)

        assert [device.knows(one) for one in family] == [False, *[True] * MAX_ACCOUNTS]


class TestTheNumbers:
    """What an account's password has to withstand; the figures stand in the documentation."""

    def test_a_year_of_guessing_from_everywhere_is_few_guesses(self) -> None:
        limit = SIGN_IN_TO_ACCOUNT
        assert limit.most + 365 * DAY // limit.forgets_one <= 53_000

    def test_one_network_or_its_neighbourhood_cannot_use_up_what_is_for_all(self) -> None:
        for few in (SIGN_IN.from_network, SIGN_IN.from_neighbourhood):
            assert few.most < SIGN_IN.overall.most
            assert few.forgets_one > SIGN_IN.overall.forgets_one

    def test_whoever_knows_nothing_waits_minutes_and_never_hours(self) -> None:
        for limit in (*(one for one, _ in SIGN_IN.of("", "")), SIGN_IN_BY_DEVICE, PASSWORD_AGAIN):
            assert limit.forgets_one <= 15 * MINUTE


LIMITS = [one for one in vars(throttle).values() if isinstance(one, Limit)]


class TestAClockThatIsSetRight:
    @pytest.mark.parametrize("correction", CORRECTIONS)
    @pytest.mark.parametrize("limit", [*LIMITS, THREE, GROWING], ids=lambda one: one.what)
    async def test_lets_nobody_wait_longer_than_tries_can_cost(
        self, store: Store, clock: Watch, limit: Limit, correction: float
    ) -> None:
        clock.now += YEAR
        for _ in range(limit.most + 1):
            with suppress(RateLimited):
                await count_try(store, clock(), limit, "ben")
        clock.now += correction
        waits = 0
        try:
            await count_try(store, clock(), limit, "ben")
        except RateLimited as refused:
            waits = refused.retry_after
        assert waits <= limit.forgets_one
        if -correction > limit.most * limit.forgets_one + MAX_SKEW_SECONDS:
            assert waits == 0, "what was counted in the future counts no more"

    @pytest.mark.parametrize("ahead", SET_BACK)
    async def test_lets_a_whole_network_sign_in(
        self, store: Store, clock: Watch, ben: User, ahead: float
    ) -> None:
        clock.now += ahead
        await sign_in(store, clock(), email=EMAIL, password=PASSWORD, address="192.0.2.1")
        clock.now -= ahead
        for _ in range(3):
            await sign_in(store, clock(), email=EMAIL, password=PASSWORD, address="192.0.2.1")

    async def test_forgets_nothing_where_two_machines_differ_a_little(
        self, store: Store, clock: Watch
    ) -> None:
        clock.now += MAX_SKEW_SECONDS / 2
        await knock(store, clock, times=3)
        clock.now -= MAX_SKEW_SECONDS / 2
        with pytest.raises(RateLimited):
            await knock(store, clock)
