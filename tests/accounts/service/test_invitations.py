"""An administrator's invitations: who is let in, how often, and for how long."""

from __future__ import annotations

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.errors import EmailTaken, LinkExpired
from commonroom.accounts.secrets import digest, new_secret
from commonroom.accounts.service.invitations import invite, revoke_invitation
from commonroom.accounts.service.signup import sign_up
from commonroom.accounts.tables import Invitation, User, invitations
from commonroom.errors import NotFound
from commonroom.store import Store
from tests.accounts.people import DAY, Watch, everything, newcomer


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
