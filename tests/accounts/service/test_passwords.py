"""Changing a password, and choosing a new one with a one-time link."""

from __future__ import annotations

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.errors import LinkExpired, WrongPassword
from commonroom.accounts.service.account_data import CONFIRMATION, delete_account
from commonroom.accounts.service.administration import disable, enable
from commonroom.accounts.service.email_addresses import (
    change_address,
    confirm_address,
    make_confirmation_link,
    want_address,
)
from commonroom.accounts.service.passwords import (
    change_password,
    choose_new_password,
    count_asking,
    forgotten_by,
    make_reset_link,
    whose_reset_link,
)
from commonroom.accounts.service.profiles import add_managed
from commonroom.accounts.service.sessions import end_all_sessions, sign_in
from commonroom.accounts.service.throttle import (
    FORGOTTEN_FROM_ADDRESS,
    FORGOTTEN_OF_ACCOUNT,
    PASSWORD_AGAIN,
    SIGN_IN,
)
from commonroom.accounts.tables import Password, User
from commonroom.errors import Forbidden, InvalidField, RateLimited
from commonroom.moments import iso
from commonroom.store import Store
from tests.accounts.people import ANOTHER, DAY, PASSWORD, Meanwhile, Watch, again, everything

THIRD = "an evening like no other"
EMAIL = "ben@example.org"


async def knows(store: Store, clock: Watch, password: str) -> bool:
    """Whether Ben can sign in with it."""
    try:
        await sign_in(store, clock(), email=EMAIL, password=password)
    except WrongPassword:
        return False
    return True


class TestChangePassword:
    async def test_replaces_the_old_one(self, store: Store, clock: Watch, ben: User) -> None:
        clock.forward(DAY)

        changed = await change_password(Context(store, ben, clock()), old=PASSWORD, new=ANOTHER)

        assert changed == await again(store, ben)
        assert changed.epoch == ben.epoch + 1
        assert await knows(store, clock, ANOTHER)
        assert not await knows(store, clock, PASSWORD)
        kept = await store.get(Password.at(user_id=ben.user_id))
        assert kept is not None
        assert kept.changed_at == iso(clock())

    async def test_needs_the_old_one(self, store: Store, clock: Watch, ben: User) -> None:
        with pytest.raises(InvalidField) as caught:
            await change_password(Context(store, ben, clock()), old=ANOTHER, new=THIRD)

        assert caught.value.field == "old_password"
        assert await again(store, ben) == ben
        assert await knows(store, clock, PASSWORD)

    @pytest.mark.parametrize("new", ["short", "password123", "x" * 201, EMAIL.upper()])
    async def test_takes_only_what_fits(
        self, store: Store, clock: Watch, ben: User, new: str
    ) -> None:
        with pytest.raises(InvalidField) as caught:
            await change_password(Context(store, ben, clock()), old=PASSWORD, new=new)

        assert caught.value.field == "password"
        assert await knows(store, clock, PASSWORD)

    async def test_cannot_be_used_to_guess_the_old_one(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        for _ in range(PASSWORD_AGAIN.tries):
            with pytest.raises(InvalidField):
                await change_password(Context(store, ben, clock()), old=ANOTHER, new=THIRD)

        with pytest.raises(RateLimited):
            await change_password(Context(store, ben, clock()), old=PASSWORD, new=THIRD)
        assert await knows(store, clock, PASSWORD)

        clock.forward(PASSWORD_AGAIN.seconds)
        await change_password(Context(store, ben, clock()), old=PASSWORD, new=THIRD)

    async def test_with_success_forgets_earlier_failures(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        for old, new in ((PASSWORD, ANOTHER), (ANOTHER, THIRD)):
            ben = await again(store, ben)
            for _ in range(PASSWORD_AGAIN.tries - 1):
                with pytest.raises(InvalidField):
                    await change_password(Context(store, ben, clock()), old="wrong", new=new)
            await change_password(Context(store, ben, clock()), old=old, new=new)

    async def test_is_refused_where_another_change_was_faster(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        async def happens() -> None:
            await change_password(Context(store, ben, clock()), old=PASSWORD, new=ANOTHER)

        slow = Meanwhile(store, happens, before_writing=Password)
        with pytest.raises(Forbidden):
            await change_password(Context(slow, ben, clock()), old=PASSWORD, new=THIRD)

        assert await knows(store, clock, ANOTHER)

    async def test_leaves_nothing_of_an_account_that_is_deleted_meanwhile(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        async def happens() -> None:
            await delete_account(store, ben, typed=CONFIRMATION)

        slow = Meanwhile(store, happens, before_writing=Password)
        with pytest.raises(Forbidden):
            await change_password(Context(slow, ben, clock()), old=PASSWORD, new=ANOTHER)

        assert ben.user_id not in repr(await everything(store))


class TestAResetLink:
    @pytest.fixture
    async def link(self, store: Store, clock: Watch, ben: User) -> str:
        """The secret of a link for Ben."""
        return await make_reset_link(store, clock(), ben)

    async def test_says_whose_it_is_as_often_as_one_asks(
        self, store: Store, ben: User, link: str
    ) -> None:
        assert await whose_reset_link(store, link) == ben
        assert await whose_reset_link(store, link) == ben

    async def test_chooses_a_new_password(
        self, store: Store, clock: Watch, ben: User, link: str
    ) -> None:
        changed = await choose_new_password(store, clock(), link, ANOTHER)

        assert changed == await again(store, ben)
        assert await knows(store, clock, ANOTHER)
        assert not await knows(store, clock, PASSWORD)

    async def test_lets_somebody_in_who_tried_too_often_before(
        self, store: Store, clock: Watch, ben: User, link: str
    ) -> None:
        for _ in range(SIGN_IN.from_network.tries):
            assert not await knows(store, clock, "perhaps this one")
        for _ in range(PASSWORD_AGAIN.tries):
            with pytest.raises(InvalidField):
                await change_password(Context(store, ben, clock()), old="or this one", new=ANOTHER)

        changed = await choose_new_password(store, clock(), link, ANOTHER)

        assert await knows(store, clock, ANOTHER)
        await change_password(Context(store, changed, clock()), old=ANOTHER, new=THIRD)

    async def test_works_once(self, store: Store, clock: Watch, link: str) -> None:
        await choose_new_password(store, clock(), link, ANOTHER)

        await self.is_worthless(store, clock, link)
        assert await knows(store, clock, ANOTHER)

    async def test_works_for_a_day(self, store: Store, clock: Watch, link: str) -> None:
        clock.forward(DAY - 1)
        assert (await whose_reset_link(store, link)).email == EMAIL

        clock.forward(1)
        await self.is_worthless(store, clock, link)

    async def test_still_works_after_a_password_that_did_not_fit(
        self, store: Store, clock: Watch, link: str
    ) -> None:
        for unfit in ("short", EMAIL, "x" * 201):
            with pytest.raises(InvalidField):
                await choose_new_password(store, clock(), link, unfit)

        await choose_new_password(store, clock(), link, ANOTHER)

    async def test_is_worthless_after_a_change_of_password(
        self, store: Store, clock: Watch, ben: User, link: str
    ) -> None:
        await change_password(Context(store, ben, clock()), old=PASSWORD, new=ANOTHER)

        await self.is_worthless(store, clock, link)

    async def test_is_worthless_after_another_link_was_used(
        self, store: Store, clock: Watch, ben: User, link: str
    ) -> None:
        await choose_new_password(store, clock(), await make_reset_link(store, clock(), ben), THIRD)

        await self.is_worthless(store, clock, link)

    async def test_is_worthless_after_signing_out_everywhere(
        self, store: Store, clock: Watch, ben: User, link: str
    ) -> None:
        await end_all_sessions(store, ben)

        await self.is_worthless(store, clock, link)

    async def test_is_worthless_once_the_person_is_disabled_and_enabled_again(
        self, store: Store, clock: Watch, ben: User, link: str
    ) -> None:
        await disable(store, clock(), ben)
        await self.is_worthless(store, clock, link)

        await enable(store, ben)
        await self.is_worthless(store, clock, link)

    async def test_is_worthless_once_the_account_is_deleted(
        self, store: Store, clock: Watch, ben: User, link: str
    ) -> None:
        await delete_account(store, ben, typed=CONFIRMATION)

        await self.is_worthless(store, clock, link)

    async def test_is_worthless_where_a_change_of_password_was_faster(
        self, store: Store, clock: Watch, ben: User, link: str
    ) -> None:
        async def happens() -> None:
            await change_password(Context(store, ben, clock()), old=PASSWORD, new=THIRD)

        slow = Meanwhile(store, happens, before_writing=Password)
        with pytest.raises(LinkExpired):
            await choose_new_password(slow, clock(), link, ANOTHER)

        assert await knows(store, clock, THIRD)

    async def test_is_worthless_if_its_day_ends_in_this_very_moment(
        self, store: Store, clock: Watch, link: str
    ) -> None:
        async def happens() -> None:
            clock.forward(DAY)

        slow = Meanwhile(store, happens, before_writing=Password)
        with pytest.raises(LinkExpired):
            await choose_new_password(slow, clock(), link, ANOTHER)

        assert await knows(store, clock, PASSWORD)

    async def test_is_gone_with_an_account_that_is_deleted_right_after(
        self, store: Store, clock: Watch, ben: User, link: str
    ) -> None:
        async def happens() -> None:
            await delete_account(store, ben, typed=CONFIRMATION)

        slow = Meanwhile(store, happens, after_writing=Password)
        with pytest.raises(LinkExpired):
            await choose_new_password(slow, clock(), link, ANOTHER)

    @pytest.mark.parametrize("wrong", ["", "a#b", "\ud800", "x" * 43])
    async def test_that_was_never_made_is_worthless(
        self, store: Store, clock: Watch, ben: User, wrong: str
    ) -> None:
        await self.is_worthless(store, clock, wrong)

    async def test_is_stored_only_as_a_digest(self, store: Store, link: str) -> None:
        assert link not in repr(await everything(store))

    async def test_is_not_made_for_a_managed_member(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        child = await add_managed(Context(store, ben, clock()), display_name="Zoe")

        with pytest.raises(Forbidden):
            await make_reset_link(store, clock(), child)

    async def is_worthless(self, store: Store, clock: Watch, link: str) -> None:
        with pytest.raises(LinkExpired):
            await whose_reset_link(store, link)
        with pytest.raises(LinkExpired):
            await choose_new_password(store, clock(), link, "worth another evening")


NEW = "benedict@example.org"


@pytest.fixture
async def ben(store: Store, clock: Watch, ben: User) -> User:
    """Somebody who has confirmed their address."""
    _, link = await make_confirmation_link(Context(store, ben, clock()))
    return await confirm_address(Context(store, ben, clock()), link)


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
        waiting, link = await want_address(Context(store, ben, clock()), NEW, password=PASSWORD)
        assert await forgotten_by(store, clock(), NEW) is None

        moved = await confirm_address(Context(store, waiting, clock()), link)
        assert await forgotten_by(store, clock(), "ben@example.org") is None
        found = await forgotten_by(store, clock(), NEW)
        assert found is not None
        assert found.address == NEW
        assert found.secret

        await change_address(Context(store, moved, clock()), "third@example.org", password=PASSWORD)
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
