"""What administrators do with accounts."""

from __future__ import annotations

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.errors import EmailTaken, LinkExpired
from commonroom.accounts.secrets import digest, new_secret
from commonroom.accounts.service.account_data import CONFIRMATION, delete_account
from commonroom.accounts.service.administration import (
    disable,
    enable,
    invite,
    make_administrator,
    make_ordinary,
    people,
    person_with,
    revoke_invitation,
)
from commonroom.accounts.service.profiles import add_managed
from commonroom.accounts.service.signup import sign_up
from commonroom.accounts.tables import AddressClaim, Installation, Invitation, User, invitations
from commonroom.errors import Forbidden, NotFound
from commonroom.moments import iso
from commonroom.store import Store, counting, create
from commonroom.store.errors import BadCursor
from tests.accounts.people import DAY, Watch, again, everything, newcomer, newly


async def administrators(store: Store) -> int:
    installation = await store.get(Installation.at())
    assert installation is not None
    return installation.administrators


class TestPeople:
    async def test_lists_everybody_with_an_account_the_first_first(
        self, store: Store, clock: Watch, ada: User, ben: User, eve: User
    ) -> None:
        await add_managed(Context(store, ada, clock()), display_name="Zoe")

        with counting() as tally:
            page = await people(store)

        assert [one.user_id for one in page.items] == [ada.user_id, ben.user_id, eve.user_id]
        assert page.cursor is None
        assert tally.reads == 2

    async def test_comes_in_pages(
        self, store: Store, clock: Watch, ada: User, ben: User, eve: User
    ) -> None:
        first = await people(store, limit=2)
        second = await people(store, limit=2, cursor=first.cursor)

        assert first.items == [ada, ben]
        assert (second.items, second.cursor) == ([eve], None)

    async def test_takes_no_cursor_that_it_did_not_give(self, store: Store, ada: User) -> None:
        with pytest.raises(BadCursor):
            await people(store, cursor="made up")

    async def test_is_empty_before_anybody_is_there(self, store: Store) -> None:
        assert (await people(store)).items == []

    async def test_lists_nobody_twice_and_nobody_who_is_gone(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        # What a lagging index shows while an address changes, or after an account was deleted.
        for address, user_id in (("old@example.org", ben.user_id), ("x@example.org", "gone")):
            await store.write(
                create(AddressClaim(address=address, user_id=user_id, made_at=iso(clock())))
            )

        assert (await people(store)).items == [ada, ben]


class TestPersonWith:
    @pytest.mark.parametrize("typed", ["ben@example.org", " BEN@Example.org "])
    async def test_finds_somebody_however_it_is_typed(
        self, store: Store, ben: User, typed: str
    ) -> None:
        assert await person_with(store, typed) == ben

    @pytest.mark.parametrize(
        "typed", ["", " ", "ben", "nobody@example.org", "a#b@example.org", "\ud800", "x" * 3000]
    )
    async def test_refuses_an_address_that_is_nobodys(
        self, store: Store, ben: User, typed: str
    ) -> None:
        with pytest.raises(NotFound):
            await person_with(store, typed)


class TestMakeAdministrator:
    async def test_lets_somebody_run_the_installation(
        self, store: Store, ada: User, ben: User
    ) -> None:
        await make_administrator(store, ben)

        assert (await again(store, ben)).is_admin
        assert await administrators(store) == 2

    async def test_counts_nobody_twice(self, store: Store, ada: User, ben: User) -> None:
        await make_administrator(store, ben)

        for already in (ada, ben):
            with pytest.raises(Forbidden):
                await make_administrator(store, already)
        assert await administrators(store) == 2

    async def test_is_nothing_for_whoever_cannot_sign_in(
        self, store: Store, clock: Watch, ben: User, eve: User
    ) -> None:
        zoe = await add_managed(Context(store, ben, clock()), display_name="Zoe")
        await disable(store, clock(), eve)

        for person in (zoe, eve):
            with pytest.raises(Forbidden):
                await make_administrator(store, person)
        assert await administrators(store) == 1

    async def test_is_nothing_for_a_deleted_account(self, store: Store, ben: User) -> None:
        await delete_account(store, ben, typed=CONFIRMATION)

        with pytest.raises(NotFound):
            await make_administrator(store, ben)
        assert await administrators(store) == 1


class TestMakeOrdinary:
    async def test_takes_it_away_again(self, store: Store, ada: User, ben: User) -> None:
        await make_administrator(store, ben)

        await make_ordinary(store, ada)

        assert not (await again(store, ada)).is_admin
        assert await administrators(store) == 1

    async def test_leaves_somebody_who_has_it(self, store: Store, ada: User, ben: User) -> None:
        with pytest.raises(Forbidden, match="has to be at least one"):
            await make_ordinary(store, ada)

        assert (await again(store, ada)).is_admin
        assert await administrators(store) == 1

    async def test_is_nothing_for_whoever_is_ordinary(
        self, store: Store, ada: User, ben: User, eve: User
    ) -> None:
        await make_administrator(store, eve)

        with pytest.raises(Forbidden, match="not an administrator"):
            await make_ordinary(store, ben)
        assert await administrators(store) == 2

    async def test_is_nothing_for_a_deleted_account(self, store: Store, ben: User) -> None:
        await delete_account(store, ben, typed=CONFIRMATION)

        with pytest.raises(NotFound):
            await make_ordinary(store, ben)


class TestDisable:
    async def test_says_since_when(self, store: Store, clock: Watch, ben: User) -> None:
        await disable(store, clock(), ben)

        disabled = await again(store, ben)
        assert (disabled.disabled_at, disabled.epoch) == (iso(clock()), ben.epoch + 1)

    async def test_happens_once(self, store: Store, clock: Watch, ben: User) -> None:
        await disable(store, clock(), ben)
        before = await again(store, ben)
        clock.forward(1)

        with pytest.raises(Forbidden):
            await disable(store, clock(), ben)
        assert await again(store, ben) == before

    async def test_is_nothing_for_an_administrator(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        with pytest.raises(Forbidden):
            await disable(store, clock(), ada)

        assert await again(store, ada) == ada

    async def test_keeps_what_a_person_has(
        self, store: Store, clock: Watch, ada: User, ben: User
    ) -> None:
        zoe = await add_managed(Context(store, ben, clock()), display_name="Zoe")

        await disable(store, clock(), ben)

        assert await again(store, zoe) == zoe
        assert len((await people(store)).items) == 2


class TestEnable:
    async def test_lets_somebody_in_again(self, store: Store, clock: Watch, ben: User) -> None:
        await disable(store, clock(), ben)

        await enable(store, ben)
        await enable(store, ben)

        assert (await again(store, ben)).disabled_at is None

    async def test_does_not_bring_back_a_deleted_account(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        fay = await newly(store, clock, "Fay")
        await delete_account(store, fay, typed=CONFIRMATION)

        for act in (enable(store, fay), disable(store, clock(), fay)):
            with pytest.raises(NotFound):
                await act
        assert await store.get(fay.ref) is None


async def join(store: Store, clock: Watch, secret: str, name: str = "Cleo") -> User:
    return await sign_up(store, clock(), "invite", newcomer(name), invitation=secret)


async def uses_left(store: Store, secret: str) -> int:
    found = await store.get(Invitation.at(digest=digest(secret)))
    assert found is not None
    return found.uses_left


class TestAnInvitation:
    async def test_lets_one_person_in(self, store: Store, clock: Watch, ada: User) -> None:
        secret = await invite(Context(store, ada, clock()))

        cleo = await join(store, clock, secret)

        assert not cleo.is_admin
        with pytest.raises(LinkExpired):
            await join(store, clock, secret, "Dora")

    async def test_lets_as_many_in_as_it_says(self, store: Store, clock: Watch, ada: User) -> None:
        secret = await invite(Context(store, ada, clock()), uses=2)

        await join(store, clock, secret, "Cleo")
        await join(store, clock, secret, "Dora")

        with pytest.raises(LinkExpired):
            await join(store, clock, secret, "Fay")

    @pytest.mark.parametrize("asked, given", [(-5, 1), (0, 1), (100, 100), (101, 100)])
    async def test_is_for_1_to_100_people(
        self, store: Store, clock: Watch, ada: User, asked: int, given: int
    ) -> None:
        assert (
            await uses_left(store, await invite(Context(store, ada, clock()), uses=asked)) == given
        )

    async def test_lets_somebody_in_for_a_week(self, store: Store, clock: Watch, ada: User) -> None:
        secret = await invite(Context(store, ada, clock()), uses=2)

        clock.forward(7 * DAY - 1)
        await join(store, clock, secret, "Cleo")

        clock.forward(1)
        with pytest.raises(LinkExpired):
            await join(store, clock, secret, "Dora")

    async def test_is_not_used_up_by_an_account_that_was_not_made(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        secret = await invite(Context(store, ada, clock()))

        with pytest.raises(EmailTaken):
            await join(store, clock, secret, "Ada")

        assert await uses_left(store, secret) == 1

    async def test_that_lets_nobody_in_tells_nothing_about_addresses(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        used = await invite(Context(store, ada, clock()))
        await join(store, clock, used, "Cleo")

        for secret in (used, new_secret(), "half a pair \ud800"):
            said = set()
            for name in ("Ada", "Nobody"):
                with pytest.raises(LinkExpired) as caught:
                    await join(store, clock, secret, name)
                said.add(caught.value.detail)
            assert len(said) == 1

    async def test_is_stored_only_as_a_digest(self, store: Store, clock: Watch, ada: User) -> None:
        secret = await invite(Context(store, ada, clock()))

        assert secret not in repr(await everything(store))

    async def test_is_listed_the_newest_first_with_its_note(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        await invite(Context(store, ada, clock()), note="  for the neighbours ")
        clock.forward(1)
        await invite(Context(store, ada, clock()), note="x" * 101, uses=3)

        listed = (await store.page(invitations())).items

        assert [one.note for one in listed] == ["x" * 100, "for the neighbours"]
        assert [one.uses_left for one in listed] == [3, 1]
        assert {one.made_by for one in listed} == {ada.user_id}


class TestRevokingAnInvitation:
    async def test_ends_it(self, store: Store, clock: Watch, ada: User) -> None:
        secret = await invite(Context(store, ada, clock()))

        await revoke_invitation(store, digest(secret))

        with pytest.raises(LinkExpired):
            await join(store, clock, secret)

    async def test_that_is_not_there_is_refused(
        self, store: Store, clock: Watch, ada: User
    ) -> None:
        expired = digest(await invite(Context(store, ada, clock())))
        clock.forward(7 * DAY)

        for wrong in (expired, digest("another"), "", "a#b", "x" * 3000):
            with pytest.raises(NotFound):
                await revoke_invitation(store, wrong)
