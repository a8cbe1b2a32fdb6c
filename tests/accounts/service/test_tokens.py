"""API tokens: what they may do, how long, and whose they are."""

from __future__ import annotations

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.secrets import digest
from commonroom.accounts.service.sessions import end_session, open_session, signed_in
from commonroom.accounts.service.tokens import find_token, make_token, revoke_token
from commonroom.accounts.tables import ApiToken, Scope, User, tokens_of
from commonroom.errors import InvalidField, NotFound
from commonroom.moments import iso
from commonroom.store import Store, counting
from tests.accounts.people import DAY, MINUTE, Meanwhile, Watch, again, everything
from tests.support.clocks import SET_BACK


@pytest.fixture
async def secret(store: Store, clock: Watch, ben: User) -> str:
    """What one of Ben's programs shows."""
    return (await make_token(Context(store, ben, clock()), name="Script", scopes=["read"]))[1]


class TestMakeToken:
    async def test_gives_the_token_and_its_secret_which_is_not_stored(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        token, secret = await make_token(
            Context(store, ben, clock()),
            name="  My \n script ",
            scopes=["write", "read", "write"],
            days=7,
        )

        assert secret.startswith("cr_")
        assert await again(store, token) == token
        assert token == ApiToken(
            digest=digest(secret),
            user_id=ben.user_id,
            epoch=ben.epoch,
            name="My script",
            scopes=["write", "read"],
            made_at=iso(clock()),
            ttl=int(clock()) + 7 * DAY,
        )
        assert secret not in repr(await everything(store))

    @pytest.mark.parametrize("name", ["", " \n", "x" * 61])
    async def test_needs_a_name(self, store: Store, clock: Watch, ben: User, name: str) -> None:
        with pytest.raises(InvalidField) as caught:
            await make_token(Context(store, ben, clock()), name=name, scopes=["read"])

        assert caught.value.field == "name"

    @pytest.mark.parametrize("scopes", [[], ["admin"], ["read", "admin"]])
    async def test_needs_something_that_the_person_may_do(
        self, store: Store, clock: Watch, ben: User, scopes: list[Scope]
    ) -> None:
        with pytest.raises(InvalidField) as caught:
            await make_token(Context(store, ben, clock()), name="Script", scopes=scopes)

        assert caught.value.field == "scopes"

    async def test_lets_an_administrators_token_administer(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        token, _ = await make_token(Context(store, ada, clock()), name="Script", scopes=["admin"])

        assert token.scopes == ["admin"]

    @pytest.mark.parametrize("days", [-1, 0, 3651])
    async def test_is_for_1_to_3650_days(
        self, store: Store, clock: Watch, ben: User, days: int
    ) -> None:
        with pytest.raises(InvalidField) as caught:
            await make_token(
                Context(store, ben, clock()), name="Script", scopes=["read"], days=days
            )

        assert caught.value.field == "days"


class TestShownBy:
    async def test_is_nobody_without_a_known_secret(
        self, store: Store, clock: Watch, secret: str
    ) -> None:
        for wrong in ("", "cr_", secret[3:], digest(secret), secret + "x", "\ud800"):
            assert await find_token(store, clock(), wrong) is None

    async def test_is_the_person_and_what_the_program_may_do(
        self, store: Store, clock: Watch, ben: User, secret: str
    ) -> None:
        found = await find_token(store, clock(), secret)

        assert found is not None
        assert (found[0], found[1].scopes) == (ben, ["read"])

    async def test_is_nobody_when_its_days_are_over(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        _, short = await make_token(Context(store, ben, clock()), name="n", scopes=["read"], days=1)
        _, lasting = await make_token(Context(store, ben, clock()), name="n", scopes=["read"])

        clock.forward(DAY - 1)
        assert await find_token(store, clock(), short) is not None
        clock.forward(1)
        assert await find_token(store, clock(), short) is None
        clock.forward(3650 * DAY)
        assert await find_token(store, clock(), lasting) is not None

    async def test_remembers_when_it_was_used_to_five_minutes(
        self, store: Store, clock: Watch, ben: User, secret: str
    ) -> None:
        for seconds, writes in ((0, 1), (5 * MINUTE, 0), (1, 1), (1, 0)):
            clock.forward(seconds)
            with counting() as tally:
                assert await find_token(store, clock(), secret) is not None
            assert (tally.reads, tally.writes) == (2, writes)

        token = (await store.page(tokens_of(user_id=ben.user_id))).items[0]
        assert token.used_at == iso(clock() - 1)

    @pytest.mark.parametrize("ahead", SET_BACK)
    async def test_was_last_used_now_once_a_clock_that_was_ahead_is_set_back(
        self, store: Store, clock: Watch, ben: User, secret: str, ahead: float
    ) -> None:
        await find_token(store, clock() + ahead, secret)
        found = await find_token(store, clock(), secret)

        assert found is not None
        token = (await store.page(tokens_of(user_id=ben.user_id))).items[0]
        assert found[1].used_at == token.used_at == iso(clock())

    async def test_is_nobody_when_it_is_revoked_in_this_very_moment(
        self, store: Store, clock: Watch, ben: User, secret: str
    ) -> None:
        async def happens() -> None:
            await revoke_token(Context(store, ben), digest(secret))

        slow = Meanwhile(store, happens, before_writing=ApiToken)

        assert await find_token(slow, clock(), secret) is None
        assert await find_token(store, clock(), secret) is None

    async def test_does_not_mistake_a_cookie_for_a_token_nor_the_other_way_round(
        self, store: Store, clock: Watch, ben: User, secret: str
    ) -> None:
        cookie = await open_session(store, clock(), ben)

        assert await find_token(store, clock(), cookie) is None
        assert await signed_in(store, clock(), secret) is None


class TestRevokeToken:
    async def test_ends_one_of_ones_own(
        self, store: Store, clock: Watch, ben: User, secret: str
    ) -> None:
        await revoke_token(Context(store, ben), digest(secret))

        assert await find_token(store, clock(), secret) is None
        with pytest.raises(NotFound):
            await revoke_token(Context(store, ben), digest(secret))

    async def test_does_not_end_somebody_elses(
        self, store: Store, clock: Watch, eve: User, ada: User, secret: str
    ) -> None:
        for stranger in (eve, ada):
            with pytest.raises(NotFound):
                await revoke_token(Context(store, stranger), digest(secret))

        assert await find_token(store, clock(), secret) is not None

    @pytest.mark.parametrize("wrong", ["", "a#b", "x" * 3000, "\ud800", digest("another")])
    async def test_refuses_what_is_none(self, store: Store, ben: User, wrong: str) -> None:
        with pytest.raises(NotFound):
            await revoke_token(Context(store, ben), wrong)

    async def test_and_ending_a_session_are_two_things(
        self, store: Store, clock: Watch, ben: User, secret: str
    ) -> None:
        cookie = await open_session(store, clock(), ben)

        with pytest.raises(NotFound):
            await revoke_token(Context(store, ben), digest(cookie))
        with pytest.raises(NotFound):
            await end_session(Context(store, ben), digest(secret))


class TestTheList:
    async def test_has_a_persons_tokens_the_newest_first_and_nobody_elses(
        self, store: Store, clock: Watch, ben: User, eve: User
    ) -> None:
        for person, name in ((ben, "first"), (eve, "hers"), (ben, "second")):
            clock.forward(1)
            await make_token(Context(store, person, clock()), name=name, scopes=["read"])

        listed = (await store.page(tokens_of(user_id=ben.user_id))).items

        assert [one.name for one in listed] == ["second", "first"]
