"""Signing in: one refusal whatever is wrong, and nothing that tells who has an account."""

from __future__ import annotations

import pytest
from argon2 import PasswordHasher
from msgspec.structs import replace

from commonroom.accounts.errors import WrongPassword
from commonroom.accounts.passwords import needs_rehash
from commonroom.accounts.secrets import digest
from commonroom.accounts.service.administering import disable, enable
from commonroom.accounts.service.leaving import CONFIRMATION, delete_account
from commonroom.accounts.service.passwords import change_password
from commonroom.accounts.service.signing_in import sign_in, signed_in
from commonroom.accounts.tables import Password, Session, User, session_by_digest
from commonroom.errors import Forbidden
from commonroom.moments import iso
from commonroom.store import Store, counting, put
from tests.accounts.people import ANOTHER, DAY, PASSWORD, Meanwhile, Watch, again, everything

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
            await change_password(store, clock(), ben, old=PASSWORD, new=ANOTHER)

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
            await change_password(store, clock(), ben, old=PASSWORD, new=ANOTHER)

        slow = Meanwhile(store, happens, before_writing=Password)
        _, secret = await sign_in(slow, clock(), email=EMAIL, password=PASSWORD)

        assert await signed_in(store, clock(), secret) is None
        assert await refused(store, clock, EMAIL, PASSWORD) == REFUSAL
        await sign_in(store, clock(), email=EMAIL, password=ANOTHER)
