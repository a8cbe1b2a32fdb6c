"""Guessing at a page: what everybody may try, who is kept waiting, and what that adds up to."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import pytest
from msgspec.structs import replace

from commonroom.accounts.service.signup import set_up
from commonroom.accounts.service.throttle import GuessLimits, count_try
from commonroom.date_bounds import MAX_AHEAD
from commonroom.errors import RateLimited
from commonroom.notifications.tables import Notification
from commonroom.settings import Settings
from commonroom.shareables.errors import WrongCode, WrongPasscode
from commonroom.shareables.notifications import GUESSED
from commonroom.shareables.room import SHAREABLES
from commonroom.shareables.rules import access
from commonroom.shareables.rules.access import MIN_NUMBER, MIN_PASSCODE
from commonroom.shareables.rules.lifecycle import GUEST_EVENT_DAYS
from commonroom.shareables.service.create import Created, Passcodes
from commonroom.shareables.service.gate import ShareableVisitor
from commonroom.shareables.service.passcodes import (
    CODES,
    CODES_IN_LIFE,
    PASSCODES,
    PASSCODES_IN_LIFE,
    Group,
    Tried,
    change_passcode,
    enter,
    group_of,
    guessing,
    passcodes_of,
)
from commonroom.shareables.tables.not_known import AFTER_EVENT, DAY, KEPT_DAYS
from commonroom.store import Store
from commonroom.timers import Scheduler
from tests.accounts.people import Watch, newcomer, newly
from tests.shareables.furniture import (
    PASSES,
    SHOPPING,
    VIEW,
    everything_of,
    let_in,
    made,
    protected,
)
from tests.support.context import at

GROUPS: tuple[Group, ...] = ("guest", "visitor", "account")
NEWCOMER = "192.0.2.77"


@pytest.fixture
async def page(store: Store, clock: Watch) -> Created:
    """A page with both passcodes."""
    return await protected(store, clock)


async def guess(store: Store, clock: Watch, page: Created, address: str) -> None:
    await enter(
        ShareableVisitor(store, PASSES, clock(), address=address), page.page.short_id, "a guess"
    )


async def come_in(
    store: Store, clock: Watch, page: Created, typed: str = VIEW, **more: Any
) -> None:
    """Somebody knows the passcode."""
    shown: dict[str, Any] = {"address": NEWCOMER} | more
    entered = await enter(
        ShareableVisitor(store, PASSES, clock(), **shown), page.page.short_id, typed
    )
    assert entered.role == "view"


async def use_up(store: Store, clock: Watch, page: Created, group: Group = "guest") -> None:
    """All the world has guessed at a page, faster than anybody could."""
    limit, who = PASSCODES.of(page.page.short_id, "", group=group)[-1]
    for _ in range(limit.tries):
        await count_try(store, clock(), limit, who)
    with pytest.raises(RateLimited):
        await count_try(store, clock(), limit, who)


class TestARightPasscodeFromANewAddress:
    async def test_gets_in_while_one_network_guesses(
        self, store: Store, clock: Watch, page: Created
    ) -> None:
        for number in range(60):
            with suppress(WrongPasscode, RateLimited):
                await guess(store, clock, page, f"2001:db8::{number:x}")

        with pytest.raises(RateLimited):
            await guess(store, clock, page, "2001:db8::ffff")
        await come_in(store, clock, page, address="2001:db8:9:1::1")

    async def test_gets_in_while_a_provider_s_customer_guesses_from_all_their_networks(
        self, store: Store, clock: Watch, page: Created
    ) -> None:
        came = await asyncio.gather(
            *(guess(store, clock, page, f"2001:db8:1:{number:x}::1") for number in range(200)),
            return_exceptions=True,
        )
        tried = sum(isinstance(one, WrongPasscode) for one in came)
        assert tried == PASSCODES.from_neighbourhood.tries

        for address in (NEWCOMER, "2001:db8:2::1"):
            await come_in(store, clock, page, address=address)

    async def test_gets_in_when_a_city_has_guessed(
        self, store: Store, clock: Watch, page: Created
    ) -> None:
        for number in range(100):
            with pytest.raises(WrongPasscode):
                await guess(store, clock, page, f"10.{number}.0.1")
        await come_in(store, clock, page)

    async def test_waits_for_a_moment_where_all_the_world_guesses(
        self, store: Store, clock: Watch, page: Created
    ) -> None:
        await use_up(store, clock, page)

        with pytest.raises(RateLimited) as refused:
            await come_in(store, clock, page)
        assert refused.value.retry_after <= 36
        clock.forward(refused.value.retry_after)
        await come_in(store, clock, page)

    async def test_gets_in_at_once_even_then_with_an_account(
        self, store: Store, clock: Watch, page: Created
    ) -> None:
        await use_up(store, clock, page)
        await come_in(store, clock, page, account_id="ben")

    async def test_gets_in_at_once_even_then_where_the_device_was_let_in_before(
        self, store: Store, clock: Watch, page: Created
    ) -> None:
        short_id = page.page.short_id
        had = (
            await enter(ShareableVisitor(store, PASSES, clock(), address=NEWCOMER), short_id, VIEW)
        ).token
        gate = await let_in(store, clock, page.page, page.token, want="admin")
        clock.forward(1)
        await change_passcode(at(store, clock(), gate), "view", typed="another fig")
        await use_up(store, clock, page)

        await come_in(store, clock, page, "another fig", tokens=[had])
        other = (await protected(store, clock)).token
        with pytest.raises(RateLimited):
            await come_in(store, clock, page, "another fig", tokens=[other])


class TestInLife:
    """Guesses of years add up: then they are few, and the maker is told and can begin anew."""

    async def spend(
        self, store: Store, clock: Watch, page: Created, group: Group = "guest"
    ) -> None:
        """As many wrong ones as are free in a page's life, in one stroke."""
        all_at_once = replace(PASSCODES_IN_LIFE, tries=1)
        who = Tried(page.page.short_id, group, passcodes_of(page.page)).in_life
        await count_try(store, clock(), all_at_once, who)

    async def test_strangers_wait_for_minutes_and_not_for_ever(
        self, store: Store, clock: Watch, page: Created
    ) -> None:
        await self.spend(store, clock, page)
        with pytest.raises(RateLimited) as refused:
            await come_in(store, clock, page)
        assert refused.value.retry_after <= PASSCODES_IN_LIFE.forgets_one == 410
        clock.forward(refused.value.retry_after)
        await come_in(store, clock, page)
        await come_in(store, clock, page, address="198.51.100.9")  # a right one does not count

    async def test_wrong_ones_count_from_all_addresses_together(
        self, store: Store, clock: Watch, page: Created
    ) -> None:
        await self.spend(store, clock, page)
        clock.forward(PASSCODES_IN_LIFE.forgets_one)
        with pytest.raises(WrongPasscode):
            await guess(store, clock, page, "10.1.0.1")
        with pytest.raises(RateLimited):
            await guess(store, clock, page, "10.2.0.1")

    async def test_the_others_and_the_maker_come_in_at_once(
        self, store: Store, clock: Watch, page: Created
    ) -> None:
        await self.spend(store, clock, page)
        await come_in(store, clock, page, account_id="ben")
        gate = await let_in(store, clock, page.page, page.token, want="admin")
        assert gate.standing == "creator"

    async def test_another_passcode_begins_anew(
        self, store: Store, clock: Watch, page: Created
    ) -> None:
        await self.spend(store, clock, page)
        gate = await let_in(store, clock, page.page, page.token, want="admin")
        clock.forward(1)
        await change_passcode(at(store, clock(), gate), "view", typed="another fig")
        await come_in(store, clock, page, "another fig")

    async def test_a_refusal_counts_for_nothing_else(
        self, store: Store, clock: Watch, page: Created
    ) -> None:
        await self.spend(store, clock, page)
        for _ in range(PASSCODES.from_network.tries + 5):
            with pytest.raises(RateLimited):
                await guess(store, clock, page, NEWCOMER)
        clock.forward(PASSCODES_IN_LIFE.forgets_one)
        await come_in(store, clock, page)

    async def test_the_maker_is_told_once(self, store: Store, clock: Watch) -> None:
        await set_up(store, clock(), newcomer("Root"))
        ada = await newly(store, clock, "Ada")
        page = await made(store, clock, SHOPPING, account_id=ada.user_id, passcodes=Passcodes(VIEW))
        await self.spend(store, clock, page)
        for _ in range(3):
            with pytest.raises(RateLimited):
                await guess(store, clock, page, NEWCOMER)
            clock.forward(1)
            await Scheduler(store, SHAREABLES.data.timer_handlers, clock=clock).once()
        (one,) = await everything_of(store.engine, Notification)
        assert (one.user_id, one.kind) == (ada.user_id, GUESSED.name)
        assert "guessing the passcode" in GUESSED.words(one.facts).title


class TestCodes:
    async def guess(self, store: Store, clock: Watch, address: str) -> None:
        tried = Tried("abcdef12345", "guest")
        async with guessing(store, clock(), CODES, tried, address=address):
            raise WrongCode

    async def test_are_guessed_at_as_slowly(self, store: Store, clock: Watch) -> None:
        for _ in range(CODES.from_network.tries):
            with pytest.raises(WrongCode):
                await self.guess(store, clock, "2001:db8::1")

        with pytest.raises(RateLimited):
            await self.guess(store, clock, "2001:db8::2")
        with pytest.raises(WrongCode):
            await self.guess(store, clock, NEWCOMER)


@pytest.mark.parametrize(
    "account_id, had_pass, group",
    [(None, False, "guest"), (None, True, "visitor"), ("ben", False, "account")],
)
def test_each_group_has_its_own_budget(
    account_id: str | None, had_pass: bool, group: Group
) -> None:
    assert group_of(account_id, had_pass=had_pass) == group
    keys = {PASSCODES.of("abc", NEWCOMER, group=one)[-1] for one in GROUPS}
    assert len(keys) == len(GROUPS)


class TestTheArithmetic:
    """Why nobody gets through all passcodes: no guess is looked at that these do not count."""

    LIFE = (30 + KEPT_DAYS) * DAY
    """The longest life without being extended, the year in which it is closed included.

    An event that is far ahead lives until after its end, like a page that is extended.
    """
    YEAR = 365 * DAY

    EVENT = int(MAX_AHEAD.total_seconds()) + AFTER_EVENT + KEPT_DAYS * DAY
    """The longest life of an event of an account, until after its end."""

    def guesses(self, limits: GuessLimits, seconds: int) -> int:
        """The most that any number of networks gets through, of all three groups together."""
        in_life = PASSCODES_IN_LIFE if limits is PASSCODES else CODES_IN_LIFE
        both = (limits.overall, in_life)
        return len(GROUPS) * min(one.most + seconds // one.forgets_one for one in both)

    def test_all_guesses_of_a_page_s_life_are_a_hundredth_of_the_shortest_passcodes(self) -> None:
        # Six small letters are the fewest that a passcode can be chosen from.
        least = min(26**MIN_PASSCODE, 10**MIN_NUMBER)
        assert least == 308_915_776
        assert self.guesses(PASSCODES, self.LIFE) == 549_717
        assert self.guesses(PASSCODES, self.LIFE) < least / 500

    def test_an_event_of_guests_ends_before_a_three_hundredth_is_guessed(self) -> None:
        life = GUEST_EVENT_DAYS * DAY + AFTER_EVENT + KEPT_DAYS * DAY
        assert self.guesses(PASSCODES, life) < 26**MIN_PASSCODE / 300

    def test_no_event_lives_until_a_hundredth_is_guessed(self) -> None:
        assert self.guesses(PASSCODES, self.EVENT) < 26**MIN_PASSCODE / 100

    def test_a_page_that_is_extended_or_an_event_far_ahead_holds_a_hundred_years(self) -> None:
        assert self.guesses(PASSCODES, 100 * self.YEAR) < 26**MIN_PASSCODE

    def test_one_network_makes_a_hundred_guesses_a_day(self) -> None:
        limit = PASSCODES.from_network
        assert limit.most + DAY // limit.forgets_one <= 112
        assert DAY // limit.forgets_one == 96

    def test_strangers_of_fewer_than_25_neighbourhoods_never_use_up_a_page_s_budget(self) -> None:
        around, overall = PASSCODES.from_neighbourhood, PASSCODES.overall
        assert 25 * around.most <= overall.most
        assert around.forgets_one == 25 * overall.forgets_one

    def test_any_code_of_a_page_full_of_answers_is_hardly_ever_hit(self) -> None:
        hit = self.guesses(CODES, self.EVENT) * Settings().answers_per_page
        assert hit < 0.02 * len(access.CODE_ALPHABET) ** access.CODE_LENGTH
