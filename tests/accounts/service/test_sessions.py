"""Signing in: one refusal whatever is wrong, and nothing that tells who has an account."""

from __future__ import annotations

import pytest
from argon2 import PasswordHasher
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.errors import WrongPassword
from commonroom.accounts.secrets import digest, needs_rehash
from commonroom.accounts.service.account_data import CONFIRMATION, delete_account
from commonroom.accounts.service.administration import (
    disable,
    enable,
    make_administrator,
    make_ordinary,
)
from commonroom.accounts.service.passwords import (
    change_password,
    choose_new_password,
    make_reset_link,
)
from commonroom.accounts.service.sessions import (
    SESSION_SECONDS,
    end_all_sessions,
    end_session,
    is_confirmed,
    open_session,
    sign_in,
    sign_out,
    signed_in,
)
from commonroom.accounts.service.tokens import find_token, make_token
from commonroom.accounts.tables import Password, Session, User, session_by_digest, sessions_of
from commonroom.errors import Forbidden, NotFound
from commonroom.moments import iso
from commonroom.store import Store, counting, put, update
from tests.accounts.people import (
    ANOTHER,
    DAY,
    MINUTE,
    PASSWORD,
    Meanwhile,
    Watch,
    again,
    everything,
)
from tests.support.clocks import SET_BACK

EMAIL = "ben@example.org"
REFUSAL = "Wrong e-mail or password."


async def refused(store: Store, clock: Watch, email: str, password: str) -> str:
    with pytest.raises(WrongPassword) as caught:
        await sign_in(store, clock(), email=email, password=password)
    return caught.value.detail


class TestSignIn:
    @pytest.mark.parametrize("email", [EMAIL, "BEN@Example.ORG", "  ben@example.org\n"])
    async def test_takes_the_address_however_it_is_typed(
        self, store: Store, clock: Watch, ben: User, email: str
    ) -> None:
        user, secret = await sign_in(store, clock(), email=email, password=PASSWORD)

        assert user == ben
        found = await signed_in(store, clock(), secret)
        assert found is not None
        assert found[0] == await again(store, ben)

    async def test_notes_when_the_person_was_last_active_once_an_hour(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        _, secret = await sign_in(store, clock(), email=EMAIL, password=PASSWORD)
        noted = []
        for minutes in (0, 59, 6, 50, 11):
            clock.forward(minutes * 60)
            assert await signed_in(store, clock(), secret) is not None
            noted.append((await again(store, ben)).last_active_at)
        start = clock() - 126 * 60
        assert noted == [iso(start + 60 * one) for one in (0, 0, 65, 65, 126)]

    async def test_gives_every_browser_a_session_of_its_own(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        _, one = await sign_in(store, clock(), email=EMAIL, password=PASSWORD)
        _, other = await sign_in(store, clock(), email=EMAIL, password=PASSWORD)

        assert one != other

    async def test_stores_what_its_owner_will_see_of_a_session(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        _, secret = await sign_in(
            store, clock(), email=EMAIL, password=PASSWORD, browser="b" * 201, address="a" * 65
        )

        session = await store.get(session_by_digest(digest=digest(secret)))
        assert session == Session(
            digest=digest(secret),
            user_id=ben.user_id,
            epoch=0,
            made_at=iso(clock()),
            seen_at=iso(clock()),
            browser="b" * 200,
            address="a" * 64,
            confirmed_at=iso(clock()),
            ttl=int(clock()) + 30 * DAY,
        )
        assert secret not in repr(await everything(store))


class TestARefusal:
    async def test_is_the_same_whatever_is_wrong(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        assert await refused(store, clock, EMAIL, ANOTHER) == REFUSAL
        assert await refused(store, clock, "nobody@example.org", PASSWORD) == REFUSAL

    @pytest.mark.parametrize(
        "email", ["", " ", "ben", "a#b@example.org", "x" * 3000, "\ud800@example.org", "\x00"]
    )
    async def test_is_the_same_for_what_is_no_address(
        self, store: Store, clock: Watch, ben: User, email: str
    ) -> None:
        assert await refused(store, clock, email, PASSWORD) == REFUSAL

    @pytest.mark.parametrize("password", ["", "\ud800", "x" * 100_000, PASSWORD.upper()])
    async def test_is_the_same_for_any_wrong_password(
        self, store: Store, clock: Watch, ben: User, password: str
    ) -> None:
        assert await refused(store, clock, EMAIL, password) == REFUSAL

    async def test_takes_as_many_reads_and_writes_for_nobody_as_for_somebody(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        cost = []
        for email in (EMAIL, "nobody@example.org", "no address"):
            with counting() as tally:
                await refused(store, clock, email, ANOTHER)
            cost.append((tally.reads, tally.writes))
            clock.forward(DAY)

        assert len(set(cost)) == 1

    async def test_awaits_a_password_without_its_address_whatever_its_owners_id(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        # An OpenID provider may call people as it likes.
        for user_id in ("nobody", "None", "unknown"):
            kept = await store.get(Password.at(user_id=ben.user_id))
            assert kept is not None
            await store.write(
                put(replace(ben, user_id=user_id)), put(replace(kept, user_id=user_id))
            )

        assert await refused(store, clock, "nobody@example.org", PASSWORD) == REFUSAL

    async def test_leaves_no_session(self, store: Store, clock: Watch, ben: User) -> None:
        await refused(store, clock, EMAIL, ANOTHER)

        assert not [item for item in await everything(store) if item.get("kind") == "SESSION"]

    async def test_awaits_whoever_deleted_their_account(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await delete_account(store, ben, typed=CONFIRMATION)

        assert await refused(store, clock, EMAIL, PASSWORD) == REFUSAL


class TestADisabledAccount:
    async def test_says_so_only_to_whoever_knows_its_password(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await disable(store, clock(), ben)

        assert await refused(store, clock, EMAIL, ANOTHER) == REFUSAL
        with pytest.raises(Forbidden, match="disabled"):
            await sign_in(store, clock(), email=EMAIL, password=PASSWORD)

    async def test_can_sign_in_once_it_is_enabled(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        await disable(store, clock(), ben)
        await enable(store, ben)

        user, _ = await sign_in(store, clock(), email=EMAIL, password=PASSWORD)

        assert user.disabled_at is None

    async def test_is_kept_out_also_if_it_is_disabled_in_this_very_moment(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        async def happens() -> None:
            await disable(store, clock(), ben)

        slow = Meanwhile(store, happens, before_writing=Session)
        _, secret = await sign_in(slow, clock(), email=EMAIL, password=PASSWORD)

        assert await signed_in(store, clock(), secret) is None


class TestAnOldPassword:
    @pytest.mark.parametrize("moment", [User, Password])
    async def test_is_worth_nothing_if_it_is_changed_while_somebody_signs_in_with_it(
        self, store: Store, clock: Watch, ben: User, moment: type[User | Password]
    ) -> None:
        async def happens() -> None:
            await change_password(Context(store, ben, clock()), old=PASSWORD, new=ANOTHER)

        slow = Meanwhile(store, happens, after_reading=moment)
        try:
            _, secret = await sign_in(slow, clock(), email=EMAIL, password=PASSWORD)
        except WrongPassword:
            return

        assert await signed_in(store, clock(), secret) is None


class TestAPasswordHashedWithOtherCosts:
    @pytest.fixture
    async def dated(self, store: Store, clock: Watch, ben: User) -> Password:
        """Ben's password as it was hashed some years ago."""
        hashed = PasswordHasher(time_cost=2, memory_cost=16, parallelism=2).hash(PASSWORD)
        dated = Password(user_id=ben.user_id, hash=hashed, changed_at=iso(clock()))
        await store.write(put(dated))
        return dated

    async def test_is_hashed_anew_at_sign_in(
        self, store: Store, clock: Watch, dated: Password
    ) -> None:
        await sign_in(store, clock(), email=EMAIL, password=PASSWORD)

        anew = await again(store, dated)
        assert needs_rehash(dated.hash)
        assert not needs_rehash(anew.hash)
        assert anew.changed_at == dated.changed_at
        await sign_in(store, clock(), email=EMAIL, password=PASSWORD)

    async def test_stays_as_it_is_when_somebody_guesses(
        self, store: Store, clock: Watch, dated: Password
    ) -> None:
        await refused(store, clock, EMAIL, ANOTHER)

        assert await again(store, dated) == dated

    async def test_does_not_come_back_if_it_is_changed_meanwhile(
        self, store: Store, clock: Watch, ben: User, dated: Password
    ) -> None:
        async def happens() -> None:
            await change_password(Context(store, ben, clock()), old=PASSWORD, new=ANOTHER)

        slow = Meanwhile(store, happens, before_writing=Password)
        _, secret = await sign_in(slow, clock(), email=EMAIL, password=PASSWORD)

        assert await signed_in(store, clock(), secret) is None
        assert await refused(store, clock, EMAIL, PASSWORD) == REFUSAL
        await sign_in(store, clock(), email=EMAIL, password=ANOTHER)


async def session_of(store: Store, clock: Watch, secret: str) -> Session:
    found = await signed_in(store, clock(), secret)
    assert found is not None
    return found[1]


@pytest.fixture
async def secret(store: Store, clock: Watch, ben: User) -> str:
    """What Ben's browser has in its cookie."""
    return await open_session(store, clock(), ben, browser="Firefox", address="192.0.2.1")


class TestSignedIn:
    async def test_is_nobody_without_a_known_secret(self, store: Store, clock: Watch) -> None:
        for wrong in ("", "wrong", "half a pair \ud800", "x" * 10_000):
            assert await signed_in(store, clock(), wrong) is None

    async def test_is_nobody_with_a_digest_instead_of_a_secret(
        self, store: Store, clock: Watch, secret: str
    ) -> None:
        assert await signed_in(store, clock(), digest(secret)) is None

    async def test_is_the_person_as_stored_now(
        self, store: Store, clock: Watch, ben: User, secret: str
    ) -> None:
        await make_administrator(store, ben)

        found = await signed_in(store, clock(), secret)

        assert found is not None
        assert found[0] == await again(store, ben)
        assert found[1].browser == "Firefox"

    async def test_lasts_30_days_without_being_seen(
        self, store: Store, clock: Watch, secret: str
    ) -> None:
        clock.forward(30 * DAY)

        assert await signed_in(store, clock(), secret) is None

    async def test_lasts_on_while_it_is_seen(self, store: Store, clock: Watch, secret: str) -> None:
        for _ in range(5):
            clock.forward(30 * DAY - 1)
            assert await signed_in(store, clock(), secret) is not None

        clock.forward(30 * DAY)
        assert await signed_in(store, clock(), secret) is None

    async def test_writes_at_most_every_five_minutes(
        self, store: Store, clock: Watch, secret: str
    ) -> None:
        began = clock()
        for seconds, writes in ((0, 0), (5 * MINUTE, 0), (1, 1), (5 * MINUTE, 0), (1, 1)):
            clock.forward(seconds)
            with counting() as tally:
                assert await signed_in(store, clock(), secret) is not None
            assert (tally.reads, tally.writes) == (2, writes), clock() - began

        assert (await session_of(store, clock, secret)).seen_at == iso(clock())

    async def test_is_nobody_who_signs_out_in_this_very_moment(
        self, store: Store, clock: Watch, secret: str
    ) -> None:
        session = await session_of(store, clock, secret)
        clock.forward(DAY)

        slow = Meanwhile(store, lambda: sign_out(store, session), before_writing=Session)

        assert await signed_in(slow, clock(), secret) is None
        assert await signed_in(store, clock(), secret) is None


class TestSignOut:
    async def test_ends_this_session_and_no_other(
        self, store: Store, clock: Watch, ben: User, secret: str
    ) -> None:
        other = await open_session(store, clock(), ben)
        session = await session_of(store, clock, secret)

        await sign_out(store, session)
        await sign_out(store, session)

        assert await signed_in(store, clock(), secret) is None
        assert await signed_in(store, clock(), other) is not None


class TestEndSession:
    async def test_ends_one_of_ones_own(
        self, store: Store, clock: Watch, ben: User, secret: str
    ) -> None:
        await end_session(Context(store, ben), digest(secret))

        assert await signed_in(store, clock(), secret) is None
        with pytest.raises(NotFound):
            await end_session(Context(store, ben), digest(secret))

    async def test_does_not_end_somebody_elses(
        self, store: Store, clock: Watch, ben: User, eve: User, secret: str
    ) -> None:
        with pytest.raises(NotFound):
            await end_session(Context(store, eve), digest(secret))

        assert await signed_in(store, clock(), secret) is not None

    @pytest.mark.parametrize("wrong", ["", "a#b", "x" * 3000, "\ud800", digest("another")])
    async def test_refuses_what_is_none(self, store: Store, ben: User, wrong: str) -> None:
        with pytest.raises(NotFound):
            await end_session(Context(store, ben), wrong)


class TestTheList:
    async def test_has_a_persons_sessions_the_newest_first_and_nobody_elses(
        self, store: Store, clock: Watch, ben: User, eve: User
    ) -> None:
        for person, browser in ((ben, "first"), (eve, "hers"), (ben, "second")):
            clock.forward(1)
            await open_session(store, clock(), person, browser=browser)

        listed = (await store.page(sessions_of(user_id=ben.user_id))).items

        assert [one.browser for one in listed] == ["second", "first"]


class TestEverySessionAndToken:
    """They carry the epoch in which they were made; whatever raises it ends them at once."""

    @pytest.fixture
    async def token(self, store: Store, clock: Watch, ben: User) -> str:
        """What one of Ben's programs shows."""
        return (await make_token(Context(store, ben, clock()), name="Script", scopes=["read"]))[1]

    @pytest.fixture(autouse=True)
    async def still_good(self, store: Store, clock: Watch, secret: str, token: str) -> None:
        assert await signed_in(store, clock(), secret) is not None
        assert await find_token(store, clock(), token) is not None

    async def ended(self, store: Store, clock: Watch, secret: str, token: str) -> bool:
        return (
            await signed_in(store, clock(), secret) is None
            and await find_token(store, clock(), token) is None
        )

    async def test_is_ended_by_ending_all(
        self, store: Store, clock: Watch, ben: User, secret: str, token: str
    ) -> None:
        await end_all_sessions(store, ben)

        assert await self.ended(store, clock, secret, token)
        anew = await open_session(store, clock(), await again(store, ben))
        assert await signed_in(store, clock(), anew) is not None

    async def test_is_ended_by_a_new_password(
        self, store: Store, clock: Watch, ben: User, secret: str, token: str
    ) -> None:
        changed = await change_password(Context(store, ben, clock()), old=PASSWORD, new=ANOTHER)

        assert await self.ended(store, clock, secret, token)
        anew = await open_session(store, clock(), changed)
        assert await signed_in(store, clock(), anew) is not None

    async def test_is_ended_by_a_password_chosen_with_a_link(
        self, store: Store, clock: Watch, ben: User, secret: str, token: str
    ) -> None:
        link = await make_reset_link(store, clock(), ben)
        await choose_new_password(store, clock(), link, ANOTHER)

        assert await self.ended(store, clock, secret, token)

    async def test_is_ended_by_disabling_and_does_not_come_back(
        self, store: Store, clock: Watch, ben: User, secret: str, token: str
    ) -> None:
        await disable(store, clock(), ben)
        assert await self.ended(store, clock, secret, token)

        await enable(store, ben)
        assert await self.ended(store, clock, secret, token)

    async def test_stands_for_nobody_while_the_person_is_disabled_however_that_came_about(
        self, store: Store, clock: Watch, ben: User, secret: str, token: str
    ) -> None:
        await store.write(update(ben.ref, disabled_at=iso(clock())))

        assert await self.ended(store, clock, secret, token)

    async def test_is_ended_by_losing_what_an_administrator_may_do(
        self, store: Store, clock: Watch, ben: User, secret: str, token: str
    ) -> None:
        await make_administrator(store, ben)
        assert not await self.ended(store, clock, secret, token)

        await make_ordinary(store, ben)
        assert await self.ended(store, clock, secret, token)

    async def test_stands_for_nobody_once_the_account_is_deleted(
        self, store: Store, clock: Watch, ben: User, secret: str, token: str
    ) -> None:
        await delete_account(store, ben, typed=CONFIRMATION)

        assert await self.ended(store, clock, secret, token)
        with pytest.raises(NotFound):
            await end_all_sessions(store, ben)

    async def test_of_others_stays(
        self, store: Store, clock: Watch, eve: User, secret: str, token: str
    ) -> None:
        await end_all_sessions(store, eve)

        assert not await self.ended(store, clock, secret, token)


@pytest.mark.parametrize("ahead", SET_BACK)
class TestASessionOfAClockThatWasAhead:
    async def session(self, store: Store, clock: Watch, ben: User, ahead: float) -> str:
        """The secret of one, once the clock has been set back."""
        clock.now += ahead
        secret = await open_session(store, clock(), ben)
        clock.now -= ahead
        return secret

    async def test_lasts_no_longer_than_others(
        self, store: Store, clock: Watch, ben: User, ahead: float
    ) -> None:
        secret = await self.session(store, clock, ben, ahead)
        assert await signed_in(store, clock(), secret) is not None
        clock.now += SESSION_SECONDS + DAY
        assert await signed_in(store, clock(), secret) is None

    async def test_needs_the_password_again_for_what_is_sensitive(
        self, store: Store, clock: Watch, ben: User, ahead: float
    ) -> None:
        secret = await self.session(store, clock, ben, ahead)
        found = await signed_in(store, clock(), secret)
        assert found is not None
        assert not is_confirmed(found[1], clock())

    async def test_lets_it_be_seen_when_somebody_was_last_here(
        self, store: Store, clock: Watch, ben: User, ahead: float
    ) -> None:
        secret = await self.session(store, clock, ben, ahead)
        await signed_in(store, clock(), secret)
        assert (await again(store, ben)).last_active_at == iso(clock())
