"""What pages without an account take together: counted exactly, and never over the limit."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import asdict, replace

from commonroom.accounts.tables import User
from commonroom.moments import iso
from commonroom.shareables.errors import GuestStorageFull
from commonroom.shareables.room import SHAREABLES
from commonroom.shareables.rules.events import TypedEventRsvp, event_fields
from commonroom.shareables.rules.limits import RSVP_BYTES, USUAL, page_bytes
from commonroom.shareables.service import events, polls
from commonroom.shareables.service.edit import delete_page, save
from commonroom.shareables.service.guest_storage import (
    SHARDS,
    GuestStorageCheck,
    Usage,
    entry_of,
    usage,
)
from commonroom.shareables.service.listing import claim_as_mine
from commonroom.shareables.tables import (
    AnswerNetwork,
    Event,
    EventRsvp,
    GuestPage,
    GuestStorage,
    Poll,
    PollVote,
    shareables,
)
from commonroom.store import Store, create, delete, update
from commonroom.store.checking import CheckSummary, ReportedProblem, check_store
from commonroom.store.streams import Worker
from tests.accounts.people import DAY, Watch, again, at_once
from tests.shareables.furniture import (
    BIRTHDAY,
    PASSES,
    SHOPPING,
    SUMMER,
    everything_of,
    let_in,
    let_in_to,
    made,
)
from tests.shareables.voting import ballot
from tests.support.context import at

KEYS = PASSES.answer_keys
BO = TypedEventRsvp(name="Bo", response="going")
SMALL = page_bytes(event_fields(BIRTHDAY)) + 100
"""A little more than a birthday takes."""


async def checked(store: Store, *, repair: bool = False) -> tuple[CheckSummary, list[str]]:
    """What `commonroom check` says of it."""
    told: list[ReportedProblem] = []
    outcome = await check_store(
        store,
        [shareables],
        [GuestStorageCheck()],
        repair=repair,
        report=told.append,
        progress=lambda *_: None,
    )
    return outcome, [one.detail for one in told]


async def check_counted(store: Store) -> Usage:
    """That all is counted as it is; gives how much that is."""
    outcome, told = await checked(store)
    assert outcome.found == 0, told
    return await usage(store)


class TestAPageOfAGuest:
    async def test_counts_with_everything_on_it(self, store: Store, clock: Watch) -> None:
        party = await made(store, clock, BIRTHDAY)
        bare = await check_counted(store)
        assert bare == Usage(page_bytes(asdict(party.page)), 1)
        gate = await let_in_to(Event, store, clock, party)
        given = await events.answer(at(store, clock(), gate), BO)
        assert await check_counted(store) == Usage(bare.bytes + RSVP_BYTES, 1)
        await events.withdraw_answer(at(store, clock(), gate), given.code)
        assert await check_counted(store) == bare

        poll = await made(store, clock, SUMMER)
        voting = await let_in_to(Poll, store, clock, poll)
        vote = await polls.vote(at(store, clock(), voting), ballot(voting.page, 0))
        first = await check_counted(store)
        await polls.change_vote(at(store, clock(), voting), vote.code, ballot(voting.page, 0, 0, 1))
        assert (await check_counted(store)).pages == first.pages == 2

    async def test_gives_back_what_whoever_runs_it_removes(
        self, store: Store, clock: Watch
    ) -> None:
        party, poll = [await made(store, clock, typed) for typed in (BIRTHDAY, SUMMER)]
        bare = await check_counted(store)
        # A network that is counted first and once more, and an account, which has a pointer.
        for account_id in (None, None, "ada"):
            shown: dict[str, Any] = {"address": "10.0.0.1", "account_id": account_id}
            seen = await let_in_to(Event, store, clock, party, **shown)
            await events.answer(at(store, clock(), seen), BO)
            asked = await let_in_to(Poll, store, clock, poll, **shown)
            await polls.vote(at(store, clock(), asked), ballot(asked.page, 0))
        full = await check_counted(store)
        assert full.bytes > bare.bytes + 6 * RSVP_BYTES

        party_gate = await let_in_to(Event, store, clock, party, want="admin")
        poll_gate = await let_in_to(Poll, store, clock, poll, want="admin")
        for rsvp in await everything_of(store.engine, EventRsvp):
            answer_id = KEYS.answer_id(rsvp.short_id, rsvp.code)
            await events.remove_answer(at(store, clock(), party_gate), answer_id)
        for vote in await everything_of(store.engine, PollVote):
            answer_id = KEYS.answer_id(vote.short_id, vote.code)
            await polls.remove_vote(at(store, clock(), poll_gate), answer_id)
        assert await check_counted(store) == bare
        assert not await everything_of(store.engine, AnswerNetwork)

    async def test_gives_back_what_an_account_left_that_is_gone(
        self, store: Store, clock: Watch
    ) -> None:
        ada = User(user_id="ada", display_name="Ada", created_at=iso(clock()))
        await store.write(create(ada))
        party, poll = [await made(store, clock, typed) for typed in (BIRTHDAY, SUMMER)]
        asked = await let_in_to(Poll, store, clock, poll, account_id="ada")
        await polls.vote(at(store, clock(), asked), ballot(asked.page, 0))
        without = await check_counted(store)
        seen = await let_in_to(Event, store, clock, party, account_id="ada")
        await events.answer(at(store, clock(), seen), BO)
        await store.write(delete(ada))
        await Worker(store, SHAREABLES.data.consumers, clock=clock).drain()
        assert not await everything_of(store.engine, EventRsvp)
        assert await check_counted(store) == without, "the vote stays, without a name"

    async def test_counts_what_an_edit_adds(self, store: Store, clock: Watch) -> None:
        new = await made(store, clock)
        before = await check_counted(store)
        gate = await let_in(store, clock, new.page, new.token, want="admin")
        await save(at(store, clock(), gate), 1, replace(SHOPPING, note="é" * 1000))
        grown = await check_counted(store)
        assert grown.bytes == before.bytes + 2000 - len(SHOPPING.note or "")

    async def test_counts_no_more_once_it_is_deleted_or_somebodys(
        self, store: Store, clock: Watch
    ) -> None:
        await store.write(create(User(user_id="ada", display_name="Ada", created_at=iso(clock()))))
        for number in range(2):
            new = await made(store, clock, BIRTHDAY)
            seen = await let_in_to(Event, store, clock, new)
            await events.answer(at(store, clock(), seen), BO)
            gate = await let_in_to(Event, store, clock, new, want="admin")
            if number:
                await delete_page(at(store, clock(), gate))
            else:
                await claim_as_mine(at(store, clock(), gate), "ada")
            assert await check_counted(store) == Usage(0, 0)
        seen = await let_in_to(Event, store, clock, await made(store, clock, BIRTHDAY))
        assert (await check_counted(store)).pages == 1

    async def test_counts_no_more_once_the_database_has_removed_it_however_often_that_is_told(
        self, store: Store, clock: Watch
    ) -> None:
        new = await made(store, clock, BIRTHDAY)
        gate = await let_in_to(Event, store, clock, new)
        await events.answer(at(store, clock(), gate), BO)
        clock.forward(400 * DAY)
        kept = await made(store, clock, SHOPPING)
        await store.engine.sweep(1000)
        for name in ("first", "second"):
            twice = [replace(one, name=f"{one.name}-{name}") for one in SHAREABLES.data.consumers]
            await Worker(store, twice, clock=clock).drain()
        (left,) = await everything_of(store.engine, GuestPage)
        assert left.short_id == kept.page.short_id
        assert (await check_counted(store)).pages == 1

    async def test_of_somebody_with_an_account_does_not_count(
        self, store: Store, clock: Watch
    ) -> None:
        new = await made(store, clock, BIRTHDAY, account_id="ada")
        gate = await let_in_to(Event, store, clock, new)
        await events.answer(at(store, clock(), gate), BO)
        assert await check_counted(store) == Usage(0, 0)

    async def test_from_before_takes_answers_and_does_not_count(
        self, store: Store, clock: Watch
    ) -> None:
        new = await made(store, clock, BIRTHDAY)
        gate = await let_in_to(Event, store, clock, new, want="admin")
        await store.write(update(new.page, is_counted=False), delete(entry_of(new.page.short_id)))
        gate = await let_in_to(Event, store, clock, new, want="admin")
        assert not gate.page.is_counted
        await events.answer(at(store, clock(), gate), BO)
        await save(at(store, clock(), gate), 1, replace(BIRTHDAY, name="Party"))
        await delete_page(at(store, clock(), gate))


class TestTheLimit:
    async def test_holds_for_all_who_make_pages_at_once(self, store: Store, clock: Watch) -> None:
        limits = replace(USUAL, guest_bytes=3 * SHARDS * SMALL)
        _, refusals = await at_once(
            *(made(store, clock, BIRTHDAY, limits=limits) for _ in range(40))
        )
        assert {type(one) for one in refusals} == {GuestStorageFull}
        assert refusals[0].status == 507
        used = await check_counted(store)
        assert used.bytes <= limits.guest_bytes
        assert used.pages == 40 - len(refusals) > 2 * SHARDS

    async def test_holds_for_all_who_answer_at_once(self, store: Store, clock: Watch) -> None:
        limits = replace(USUAL, guest_bytes=SHARDS * (SMALL + 4 * RSVP_BYTES))
        new = await made(store, clock, BIRTHDAY, limits=limits)
        gate = await let_in_to(Event, store, clock, new)
        gate = replace(gate, caller=replace(gate.caller, limits=limits))
        given, refusals = await at_once(
            *(events.answer(at(store, clock(), gate), BO) for _ in range(12))
        )
        assert {type(one) for one in refusals} == {GuestStorageFull}
        assert len(given) == 4 == len(await everything_of(store.engine, EventRsvp))
        await check_counted(store)

    async def test_keeps_nobody_from_taking_something_away(
        self, store: Store, clock: Watch
    ) -> None:
        new = await made(store, clock, replace(BIRTHDAY, description="x" * 5000))
        gate = await let_in_to(Event, store, clock, new, want="admin")
        full = replace(gate, caller=replace(gate.caller, limits=replace(USUAL, guest_bytes=1)))
        with pytest.raises(GuestStorageFull):
            await save(at(store, clock(), full), 1, replace(BIRTHDAY, description="x" * 6000))
        await save(at(store, clock(), full), 1, BIRTHDAY)
        await check_counted(store)

    async def test_leaves_room_for_those_with_an_account(self, store: Store, clock: Watch) -> None:
        limits = replace(USUAL, guest_bytes=1)
        with pytest.raises(GuestStorageFull):
            await made(store, clock, limits=limits)
        await made(store, clock, limits=limits, account_id="ada")


async def test_what_was_changed_by_hand_is_found_and_mended(store: Store, clock: Watch) -> None:
    pages = [(await made(store, clock, typed)).page for typed in (BIRTHDAY, SHOPPING, SUMMER)]
    true = await check_counted(store)
    await store.write(update(entry_of(pages[0].short_id), bytes=5))
    await store.write(delete(entry_of(pages[1].short_id)))
    await store.write(update(GuestStorage.at(shard=0), bytes=-7))
    await store.write(delete(pages[2]))
    outcome, told = await checked(store, repair=True)
    assert outcome.found >= 4, told
    await checked(store, repair=True)
    mended = await check_counted(store)
    assert mended == Usage(true.bytes - page_bytes(asdict(pages[2])), 2)


async def test_a_page_that_is_claimed_while_somebody_answers_is_counted_right(
    store: Store, clock: Watch
) -> None:
    await store.write(create(User(user_id="ada", display_name="Ada", created_at=iso(clock()))))
    new = await made(store, clock, BIRTHDAY)
    seen = await let_in_to(Event, store, clock, new)
    gate = await let_in_to(Event, store, clock, new, want="admin")
    _, refusals = await at_once(
        *(events.answer(at(store, clock(), seen), BO) for _ in range(5)),
        claim_as_mine(at(store, clock(), gate), "ada"),
    )
    assert not refusals
    assert await check_counted(store) == Usage(0, 0)
    assert (await again(store, seen.page)).rsvp_count == 5
