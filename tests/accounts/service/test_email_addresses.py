"""Changing one's address, and showing that letters to it arrive."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

import pytest
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.errors import AlreadyConfirmed, EmailTaken, LinkExpired, WrongPassword
from commonroom.accounts.service.account_data import CONFIRMATION, delete_account
from commonroom.accounts.service.email_addresses import (
    CONFIRMATION_SECONDS,
    change_address,
    confirm_address,
    confirmed_by,
    keep_address,
    make_confirmation_link,
    want_address,
)
from commonroom.accounts.service.passwords import (
    change_password,
    choose_new_password,
    make_reset_link,
    whose_reset_link,
)
from commonroom.accounts.service.profiles import add_managed
from commonroom.accounts.service.sessions import end_all_sessions, open_session, sign_in, signed_in
from commonroom.accounts.service.throttle import (
    CONFIRMATION_OF_ACCOUNT,
    CONFIRMATION_TO_ADDRESS,
    PASSWORD_AGAIN,
)
from commonroom.accounts.tables import AddressClaim, User, everybody, user_by_email
from commonroom.errors import Forbidden, InvalidField, NotFound, RateLimited
from commonroom.moments import iso
from commonroom.store import Store
from tests.accounts.people import (
    ANOTHER,
    PASSWORD,
    Meanwhile,
    Watch,
    again,
    everything,
    newly,
)

NEW = "benedict@example.org"
Change: TypeAlias = Callable[..., Awaitable[object]]


class TestChangeAddress:
    async def test_moves_the_claim_and_keeps_the_place_in_the_list(
        self, store: Store, clock: Watch, ben: User, eve: User
    ) -> None:
        clock.forward(1)

        changed = await change_address(
            Context(store, ben, clock()), " Benedict@example.org ", password=PASSWORD
        )

        assert changed == replace(
            ben, email="Benedict@example.org", updated_at=iso(clock()), address_changes=1
        )
        assert await store.get(AddressClaim.at(address="ben@example.org")) is None
        assert (await store.page(user_by_email(email="Benedict@example.org"))).items == [changed]
        listed = (await store.page(everybody())).items
        assert [one.address for one in listed][1:] == ["Benedict@example.org", "eve@example.org"]

    async def test_signs_in_with_the_new_one_only(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        cookie = await open_session(store, clock(), ben)
        await change_address(
            Context(store, ben, clock()), "benedict@example.org", password=PASSWORD
        )

        await sign_in(store, clock(), email="benedict@example.org", password=PASSWORD)
        with pytest.raises(WrongPassword):
            await sign_in(store, clock(), email="ben@example.org", password=PASSWORD)
        assert await signed_in(store, clock(), cookie) is not None

    async def test_frees_the_old_one(self, store: Store, clock: Watch, ben: User) -> None:
        await change_address(
            Context(store, ben, clock()), "benedict@example.org", password=PASSWORD
        )

        another = await newly(store, clock, "Ben")

        assert another.user_id != ben.user_id

    @pytest.mark.parametrize("typed", ["BEN@example.org", "ben@example.org"])
    async def test_may_only_change_case(
        self, store: Store, clock: Watch, ben: User, typed: str
    ) -> None:
        changed = await change_address(Context(store, ben, clock()), typed, password=PASSWORD)

        assert changed.email == typed
        claim = await store.get(AddressClaim.at(address="ben@example.org"))
        assert claim is not None
        assert claim.user_id == ben.user_id
        await sign_in(store, clock(), email=typed, password=PASSWORD)

    @pytest.mark.parametrize("taken", ["eve@example.org", " EVE@example.org"])
    async def test_does_not_take_somebody_elses(
        self, store: Store, clock: Watch, ben: User, eve: User, taken: str
    ) -> None:
        with pytest.raises(EmailTaken) as caught:
            await change_address(Context(store, ben, clock()), taken, password=PASSWORD)

        assert "account" not in caught.value.detail
        assert await again(store, ben) == ben
        await sign_in(store, clock(), email="ben@example.org", password=PASSWORD)

    async def test_takes_only_what_looks_like_one(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        with pytest.raises(InvalidField) as caught:
            await change_address(Context(store, ben, clock()), "ben", password=PASSWORD)

        assert caught.value.field == "email"

    async def test_is_refused_where_another_change_was_faster(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        async def happens() -> None:
            await change_address(
                Context(store, ben, clock()), "first@example.org", password=PASSWORD
            )

        slow = Meanwhile(store, happens, before_writing=AddressClaim)
        with pytest.raises(Forbidden):
            await change_address(
                Context(slow, ben, clock()), "second@example.org", password=PASSWORD
            )

        assert (await again(store, ben)).email == "first@example.org"
        assert await store.get(AddressClaim.at(address="second@example.org")) is None

    async def test_claims_nothing_for_an_account_that_is_deleted_meanwhile(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        async def happens() -> None:
            await delete_account(store, ben, typed=CONFIRMATION)

        slow = Meanwhile(store, happens, before_writing=AddressClaim)
        with pytest.raises(NotFound):
            await change_address(Context(slow, ben, clock()), NEW, password=PASSWORD)
        assert await store.get(AddressClaim.at(address=NEW)) is None

    async def test_shows_nothing_of_an_account_that_is_deleted_right_after(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        async def happens() -> None:
            await delete_account(store, await again(store, ben), typed=CONFIRMATION)

        slow = Meanwhile(store, happens, after_writing=AddressClaim)
        with pytest.raises(NotFound):
            await change_address(Context(slow, ben, clock()), NEW, password=PASSWORD)

    async def test_is_nothing_for_managed_members(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        child = await add_managed(Context(store, ben, clock()), display_name="Zoe")

        with pytest.raises(Forbidden):
            await change_address(Context(store, child, clock()), NEW, password=PASSWORD)

    @pytest.mark.parametrize("change", [change_address, want_address])
    async def test_needs_the_password_and_lets_nobody_guess_it(
        self, store: Store, clock: Watch, ben: User, change: Change
    ) -> None:
        for _ in range(PASSWORD_AGAIN.tries):
            with pytest.raises(InvalidField) as caught:
                await change(Context(store, ben, clock()), NEW, password=ANOTHER)
            assert caught.value.field == "password"

        with pytest.raises(RateLimited):
            await change(Context(store, ben, clock()), NEW, password=PASSWORD)
        with pytest.raises(RateLimited):
            await change_password(Context(store, ben, clock()), old=PASSWORD, new=ANOTHER)
        assert await again(store, ben) == ben

        clock.forward(PASSWORD_AGAIN.seconds)
        await change(Context(store, ben, clock()), NEW, password=PASSWORD)

    @pytest.mark.parametrize("change", [change_address, want_address])
    async def test_is_refused_where_the_password_was_changed_meanwhile(
        self, store: Store, clock: Watch, ben: User, change: Change
    ) -> None:
        async def happens() -> None:
            await change_password(Context(store, ben, clock()), old=PASSWORD, new=ANOTHER)

        slow = Meanwhile(store, happens, before_writing=User)
        with pytest.raises(Forbidden):
            await change(Context(slow, ben, clock()), NEW, password=PASSWORD)

        kept = await again(store, ben)
        assert (kept.email, kept.new_email) == (ben.email, None)

    async def test_says_nothing_about_who_reads_the_new_one(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        ben = await confirmed(store, clock, ben)

        changed = await change_address(Context(store, ben, clock()), NEW, password=PASSWORD)

        assert changed.email_confirmed_at is None

    async def test_makes_links_of_before_worthless_even_if_the_old_one_comes_back(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        reset = await make_reset_link(store, clock(), ben)
        _, confirmation = await make_confirmation_link(Context(store, ben, clock()))
        assert await whose_reset_link(store, reset) == ben

        for email in (NEW, "ben@example.org"):
            ben = await change_address(Context(store, ben, clock()), email, password=PASSWORD)

            with pytest.raises(LinkExpired):
                await whose_reset_link(store, reset)
            with pytest.raises(LinkExpired):
                await choose_new_password(store, clock(), reset, ANOTHER)
            with pytest.raises(LinkExpired):
                await confirm_address(Context(store, ben, clock()), confirmation)

    async def test_beats_a_reset_link_that_is_used_in_this_very_moment(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        reset = await make_reset_link(store, clock(), ben)

        async def happens() -> None:
            await change_address(Context(store, ben, clock()), NEW, password=PASSWORD)

        slow = Meanwhile(store, happens, before_writing=User)
        with pytest.raises(LinkExpired):
            await choose_new_password(slow, clock(), reset, ANOTHER)
        await sign_in(store, clock(), email=NEW, password=PASSWORD)

    async def test_forgets_the_one_that_waited(self, store: Store, clock: Watch, ben: User) -> None:
        waiting, _ = await want_address(Context(store, ben, clock()), NEW, password=PASSWORD)

        for email in ("ben@example.org", "other@example.org"):
            waiting = replace(waiting, new_email=(await again(store, ben)).new_email)
            changed = await change_address(
                Context(store, waiting, clock()), email, password=PASSWORD
            )
            assert (changed.email, changed.new_email) == (email, None)


class TestConfirming:
    @pytest.fixture
    async def link(self, store: Store, clock: Watch, ben: User) -> str:
        """The secret in a letter to Ben."""
        address, secret = await make_confirmation_link(Context(store, ben, clock()))
        assert address == ben.email
        return secret

    async def test_shows_that_letters_arrive(
        self, store: Store, clock: Watch, ben: User, link: str
    ) -> None:
        assert await confirmed_by(Context(store, ben), link) == ben.email
        clock.forward(60)

        changed = await confirm_address(Context(store, ben, clock()), link)

        assert changed == replace(ben, email_confirmed_at=iso(clock()))
        assert changed == await again(store, ben)

    async def test_happens_once(self, store: Store, clock: Watch, ben: User, link: str) -> None:
        ben = await confirm_address(Context(store, ben, clock()), link)

        await is_worthless(store, clock, ben, link)
        with pytest.raises(AlreadyConfirmed):
            await make_confirmation_link(Context(store, ben, clock()))

    async def test_works_with_each_of_several_letters(
        self, store: Store, clock: Watch, ben: User, link: str
    ) -> None:
        _, second = await make_confirmation_link(Context(store, ben, clock()))

        ben = await confirm_address(Context(store, ben, clock()), second)
        assert (await confirm_address(Context(store, ben, clock()), link)).email_confirmed_at

    async def test_has_three_days(self, store: Store, clock: Watch, ben: User, link: str) -> None:
        clock.forward(CONFIRMATION_SECONDS - 1)
        await confirmed_by(Context(store, ben), link)

        clock.forward(1)
        await is_worthless(store, clock, ben, link)

    async def test_is_only_for_whom_the_letter_was_meant(
        self, store: Store, clock: Watch, ben: User, eve: User, link: str
    ) -> None:
        for check in (
            confirmed_by(Context(store, eve), link),
            confirm_address(Context(store, eve, clock()), link),
        ):
            with pytest.raises(Forbidden, match="another account"):
                await check
        assert await again(store, eve) == eve
        assert await again(store, ben) == ben

    async def test_is_worthless_after_a_change_of_password_or_signing_out_everywhere(
        self, store: Store, clock: Watch, ben: User, link: str
    ) -> None:
        changed = await change_password(Context(store, ben, clock()), old=PASSWORD, new=ANOTHER)
        await is_worthless(store, clock, changed, link)

        _, link = await make_confirmation_link(Context(store, changed, clock()))
        await end_all_sessions(store, changed)
        await is_worthless(store, clock, await again(store, ben), link)

    @pytest.mark.parametrize("wrong", ["", "a#b", "\ud800", "x" * 43])
    async def test_needs_a_link_that_was_made(
        self, store: Store, clock: Watch, ben: User, wrong: str
    ) -> None:
        await is_worthless(store, clock, ben, wrong)

    async def test_is_worthless_where_the_address_was_changed_in_this_very_moment(
        self, store: Store, clock: Watch, ben: User, link: str
    ) -> None:
        async def happens() -> None:
            await change_address(Context(store, ben, clock()), NEW, password=PASSWORD)

        slow = Meanwhile(store, happens, before_writing=User)
        with pytest.raises(LinkExpired):
            await confirm_address(Context(slow, ben, clock()), link)
        assert (await again(store, ben)).email_confirmed_at is None

    async def test_is_nothing_for_managed_members(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        child = await add_managed(Context(store, ben, clock()), display_name="Zoe")

        with pytest.raises(AlreadyConfirmed):
            await make_confirmation_link(Context(store, child, clock()))
        with pytest.raises(Forbidden):
            await want_address(Context(store, child, clock()), NEW, password=PASSWORD)

    async def test_leaves_neither_secret_nor_address_when_the_person_leaves(
        self, store: Store, clock: Watch, ben: User, link: str
    ) -> None:
        await delete_account(store, ben, typed=CONFIRMATION)

        left = repr(await everything(store))
        assert link not in left
        assert "ben@example.org" not in left

    async def test_letters_are_few_for_each_account_and_to_each_address(
        self, store: Store, clock: Watch, ben: User, eve: User
    ) -> None:
        for _ in range(CONFIRMATION_OF_ACCOUNT.tries):
            await make_confirmation_link(Context(store, ben, clock()))
        with pytest.raises(RateLimited):
            await make_confirmation_link(Context(store, ben, clock()))

        stranger = "stranger@example.org"
        for number in range(CONFIRMATION_TO_ADDRESS.tries):
            someone = await newly(store, clock, f"Someone {number}".replace(" ", "-"))
            await want_address(Context(store, someone, clock()), stranger, password=PASSWORD)
        with pytest.raises(RateLimited):
            await want_address(Context(store, eve, clock()), stranger, password=PASSWORD)
        assert await again(store, eve) == eve


class TestANewAddress:
    @pytest.fixture
    async def waiting(self, store: Store, clock: Watch, ben: User) -> tuple[User, str]:
        """Ben, who has confirmed his address and wants another, and the secret of its link."""
        ben = await confirmed(store, clock, ben)
        return await want_address(Context(store, ben, clock()), NEW, password=PASSWORD)

    async def test_waits_until_it_is_confirmed(
        self, store: Store, clock: Watch, waiting: tuple[User, str]
    ) -> None:
        ben, link = waiting
        assert (ben.email, ben.new_email) == ("ben@example.org", NEW)
        assert ben.email_confirmed_at
        await sign_in(store, clock(), email="ben@example.org", password=PASSWORD)
        assert await store.get(AddressClaim.at(address=NEW)) is None

        clock.forward(60)
        assert await confirmed_by(Context(store, ben), link) == NEW
        changed = await confirm_address(Context(store, ben, clock()), link)

        assert (changed.email, changed.new_email) == (NEW, None)
        assert changed.email_confirmed_at == iso(clock())
        await sign_in(store, clock(), email=NEW, password=PASSWORD)
        assert await store.get(AddressClaim.at(address="ben@example.org")) is None
        await is_worthless(store, clock, changed, link)

    async def test_can_be_written_to_again(
        self, store: Store, clock: Watch, waiting: tuple[User, str]
    ) -> None:
        ben, first = waiting
        address, second = await make_confirmation_link(Context(store, ben, clock()))

        assert address == NEW
        changed = await confirm_address(Context(store, ben, clock()), second)
        await is_worthless(store, clock, changed, first)

    async def test_can_be_given_up(
        self, store: Store, clock: Watch, waiting: tuple[User, str]
    ) -> None:
        ben, link = waiting

        kept = await keep_address(Context(store, ben))

        assert (kept.email, kept.new_email) == ("ben@example.org", None)
        assert kept.email_confirmed_at == ben.email_confirmed_at
        await is_worthless(store, clock, kept, link)

    async def test_is_forgotten_for_another(
        self, store: Store, clock: Watch, waiting: tuple[User, str]
    ) -> None:
        ben, mistyped = waiting

        ben, right = await want_address(
            Context(store, ben, clock()), "right@example.org", password=PASSWORD
        )

        await is_worthless(store, clock, ben, mistyped)
        assert (
            await confirm_address(Context(store, ben, clock()), right)
        ).email == "right@example.org"

    async def test_is_forgotten_with_the_password_of_whoever_wanted_it(
        self, store: Store, clock: Watch, waiting: tuple[User, str]
    ) -> None:
        ben, link = waiting

        changed = await change_password(Context(store, ben, clock()), old=PASSWORD, new=ANOTHER)

        assert changed.new_email is None
        await is_worthless(store, clock, changed, link)

    async def test_that_is_somebody_elses_is_told_only_to_who_reads_its_letters(
        self, store: Store, clock: Watch, ben: User, eve: User
    ) -> None:
        waiting, link = await want_address(
            Context(store, ben, clock()), "EVE@example.org", password=PASSWORD
        )

        with pytest.raises(EmailTaken) as caught:
            await confirm_address(Context(store, waiting, clock()), link)

        assert "account" not in caught.value.detail
        assert (await again(store, ben)).email == "ben@example.org"
        await sign_in(store, clock(), email="eve@example.org", password=PASSWORD)

    async def test_that_is_the_present_one_is_confirmed_as_such(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        waiting, link = await want_address(
            Context(store, ben, clock()), str(ben.email), password=PASSWORD
        )

        assert waiting == ben
        assert (await confirm_address(Context(store, ben, clock()), link)).email_confirmed_at

    async def test_in_other_letters_is_confirmed_too(
        self, store: Store, clock: Watch, ben: User
    ) -> None:
        waiting, link = await want_address(
            Context(store, ben, clock()), "BEN@example.org", password=PASSWORD
        )

        changed = await confirm_address(Context(store, waiting, clock()), link)

        assert changed.email == "BEN@example.org"
        await sign_in(store, clock(), email="ben@example.org", password=PASSWORD)

    async def test_is_not_taken_where_it_was_given_up_in_this_very_moment(
        self, store: Store, clock: Watch, waiting: tuple[User, str]
    ) -> None:
        ben, link = waiting

        async def happens() -> None:
            await keep_address(Context(store, ben))

        slow = Meanwhile(store, happens, before_writing=AddressClaim)
        with pytest.raises(Forbidden):
            await confirm_address(Context(slow, ben, clock()), link)
        assert await store.get(AddressClaim.at(address=NEW)) is None

    async def test_is_claimed_for_nobody_who_left(
        self, store: Store, clock: Watch, waiting: tuple[User, str]
    ) -> None:
        ben, link = waiting
        await delete_account(store, ben, typed=CONFIRMATION)

        with pytest.raises(NotFound):
            await confirm_address(Context(store, ben, clock()), link)
        with pytest.raises(NotFound):
            await keep_address(Context(store, ben))
        assert await store.get(AddressClaim.at(address=NEW)) is None


async def confirmed(store: Store, clock: Watch, user: User) -> User:
    """Somebody who has confirmed their address."""
    _, link = await make_confirmation_link(Context(store, user, clock()))
    return await confirm_address(Context(store, user, clock()), link)


async def is_worthless(store: Store, clock: Watch, user: User, link: str) -> None:
    with pytest.raises(LinkExpired):
        await confirmed_by(Context(store, user), link)
    with pytest.raises(LinkExpired):
        await confirm_address(Context(store, user, clock()), link)
