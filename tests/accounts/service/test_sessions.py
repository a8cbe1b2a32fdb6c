"""Sessions: how long they last, what ends them, and whose they are."""

from __future__ import annotations

import pytest

from commonroom.accounts.secrets import digest
from commonroom.accounts.service.administering import (
    disable,
    enable,
    make_administrator,
    make_ordinary,
)
from commonroom.accounts.service.leaving import CONFIRMATION, delete_account
from commonroom.accounts.service.passwords import (
    change_password,
    choose_new_password,
    make_reset_link,
)
from commonroom.accounts.service.signing_in import (
    end_all_sessions,
    end_session,
    open_session,
    sign_out,
    signed_in,
)
from commonroom.accounts.service.tokens import make_token, shown_by
from commonroom.accounts.tables import Session, User, sessions_of
from commonroom.errors import NotFound
from commonroom.moments import iso
from commonroom.store import Store, counting, update
from tests.accounts.people import ANOTHER, DAY, MINUTE, PASSWORD, Meanwhile, Watch, again


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
        await end_session(store, ben, digest(secret))

        assert await signed_in(store, clock(), secret) is None
        with pytest.raises(NotFound):
            await end_session(store, ben, digest(secret))

    async def test_does_not_end_somebody_elses(
        self, store: Store, clock: Watch, ben: User, eve: User, secret: str
    ) -> None:
        with pytest.raises(NotFound):
            await end_session(store, eve, digest(secret))

        assert await signed_in(store, clock(), secret) is not None

    @pytest.mark.parametrize("wrong", ["", "a#b", "x" * 3000, "\ud800", digest("another")])
    async def test_refuses_what_is_none(self, store: Store, ben: User, wrong: str) -> None:
        with pytest.raises(NotFound):
            await end_session(store, ben, wrong)


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
        return (await make_token(store, clock(), ben, name="Script", scopes=["read"]))[1]

    @pytest.fixture(autouse=True)
    async def still_good(self, store: Store, clock: Watch, secret: str, token: str) -> None:
        assert await signed_in(store, clock(), secret) is not None
        assert await shown_by(store, clock(), token) is not None

    async def ended(self, store: Store, clock: Watch, secret: str, token: str) -> bool:
        return (
            await signed_in(store, clock(), secret) is None
            and await shown_by(store, clock(), token) is None
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
        changed = await change_password(store, clock(), ben, old=PASSWORD, new=ANOTHER)

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
