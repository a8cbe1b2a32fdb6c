"""Answers to an event."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from commonroom.errors import Forbidden, InvalidField, RateLimited
from commonroom.moments import iso, seconds
from commonroom.shareables.errors import AnswersClosed, PageClosed, PageFull, WrongCode
from commonroom.shareables.rules.access import Receipt
from commonroom.shareables.rules.events import TypedEventRsvp
from commonroom.shareables.rules.lifecycle import HOUR
from commonroom.shareables.rules.limits import USUAL
from commonroom.shareables.service import events
from commonroom.shareables.service.create import Created
from commonroom.shareables.service.edit import save
from commonroom.shareables.service.gate import PageAccess
from commonroom.shareables.service.passcodes import CODES
from commonroom.shareables.tables import Event, EventRsvp
from commonroom.store import Store, counting, update
from tests.accounts.people import DAY, Meanwhile, Watch, again
from tests.shareables.furniture import BIRTHDAY, everything_of, let_in_to, made
from tests.support.context import at

GOING = TypedEventRsvp(name="Bo", response="going", guest_count=2)
MAYBE = TypedEventRsvp(name="Bo", response="maybe", guest_count=1)
NOT = TypedEventRsvp(name="Bo", response="notGoing")


@pytest.fixture
async def party(store: Store, clock: Watch) -> Created:
    """An event that takes answers for two days."""
    typed = replace(BIRTHDAY, rsvp_deadline=iso(clock() + 2 * DAY))
    return await made(store, clock, typed)


@pytest.fixture
async def gate(store: Store, clock: Watch, party: Created) -> PageAccess[Event]:
    """The event, opened to a guest."""
    return await let_in_to(Event, store, clock, party)


async def counts(store: Store, gate: PageAccess[Event]) -> dict[str, int]:
    """The event's counters that are not 0."""
    event: Any = msgspec.structs.asdict(await again(store, gate.page))
    return {name: event[name] for name in event if name.endswith("_count") and event[name]}


class TestAnAnswer:
    async def test_has_a_code_that_can_be_read_aloud(
        self, store: Store, clock: Watch, gate: PageAccess[Event]
    ) -> None:
        await events.answer(at(store, clock(), gate), GOING)
        with counting() as tally:
            given = await events.answer(at(store, clock(), gate), GOING)
        assert tally.requests == 2, "one for the answer, and one that counts where it comes from"
        assert re.fullmatch("[a-hjkmnp-z2-9]{8}", given.code)
        assert await events.my_answer(at(store, clock(), gate), given.code.upper()) == given
        assert given.ttl == gate.page.ttl, "it goes with its page"

    async def test_is_counted_changed_and_withdrawn(
        self, store: Store, clock: Watch, gate: PageAccess[Event]
    ) -> None:
        given = await events.answer(at(store, clock(), gate), GOING)
        assert await counts(store, gate) == {"rsvp_count": 1, "going_count": 1, "guest_count": 2}
        changed = await events.change_answer(at(store, clock(), gate), given.code, MAYBE)
        assert changed == await events.my_answer(at(store, clock(), gate), given.code)
        assert await counts(store, gate) == {"rsvp_count": 1, "maybe_count": 1}
        await events.change_answer(at(store, clock(), gate), given.code, NOT)
        assert await counts(store, gate) == {"rsvp_count": 1, "not_going_count": 1}
        again_ = await events.change_answer(
            at(store, clock(), gate), given.code, replace(NOT, name="Bob")
        )
        assert again_.name == "Bob"
        await events.withdraw_answer(at(store, clock(), gate), given.code)
        assert await counts(store, gate) == {}
        with pytest.raises(WrongCode):
            await events.withdraw_answer(at(store, clock(), gate), given.code)

    @pytest.mark.parametrize(
        "typed",
        [
            replace(GOING, name=""),
            replace(GOING, name="x" * 61),
            replace(GOING, guest_count=21),
            replace(GOING, guest_count=-1),
            replace(NOT, guest_count=1),
        ],
    )
    async def test_that_is_unfit_is_refused(
        self, store: Store, clock: Watch, gate: PageAccess[Event], typed: TypedEventRsvp
    ) -> None:
        with pytest.raises(InvalidField):
            await events.answer(at(store, clock(), gate), typed)

    async def test_is_taken_until_the_deadline(
        self, store: Store, clock: Watch, gate: PageAccess[Event]
    ) -> None:
        given = await events.answer(at(store, clock(), gate), GOING)
        clock.forward(2 * DAY - 1)
        await events.change_answer(at(store, clock(), gate), given.code, MAYBE)
        clock.forward(1)
        for late in (
            events.answer(at(store, clock(), gate), GOING),
            events.change_answer(at(store, clock(), gate), given.code, GOING),
            events.withdraw_answer(at(store, clock(), gate), given.code),
        ):
            with pytest.raises(AnswersClosed):
                await late
        assert await counts(store, gate) == {"rsvp_count": 1, "maybe_count": 1}

    @pytest.mark.parametrize("hours, end", [(2, None), (5, 5)])
    async def test_is_taken_until_the_event_is_over(
        self, store: Store, clock: Watch, hours: int, end: int | None
    ) -> None:
        start = clock() + DAY
        ends = None if end is None else iso(start + end * HOUR)
        new = await made(store, clock, replace(BIRTHDAY, start_time=iso(start), end_time=ends))
        gate = await let_in_to(Event, store, clock, new)
        clock.forward(DAY + hours * HOUR - 1)
        given = await events.answer(at(store, clock(), gate), GOING)
        clock.forward(1)
        for late in (
            events.answer(at(store, clock(), gate), GOING),
            events.change_answer(at(store, clock(), gate), given.code, MAYBE),
        ):
            with pytest.raises(AnswersClosed, match="over"):
                await late

    async def test_is_taken_only_where_the_event_asks_for_it(
        self, store: Store, clock: Watch
    ) -> None:
        new = await made(store, clock, replace(BIRTHDAY, is_rsvp_required=False))
        with pytest.raises(AnswersClosed):
            await events.answer(
                at(store, clock(), await let_in_to(Event, store, clock, new)), GOING
            )

    async def test_in_the_moment_in_which_answers_are_switched_off_is_refused(
        self, store: Store, clock: Watch, party: Created, gate: PageAccess[Event]
    ) -> None:
        admin = await let_in_to(Event, store, clock, party, want="admin")

        async def switched_off() -> None:
            off = replace(BIRTHDAY, is_rsvp_required=False)
            await save(at(store, clock(), admin), 1, off)

        slow = Meanwhile(store, switched_off, before_writing=Event)
        with pytest.raises(AnswersClosed):
            await events.answer(at(slow, clock(), gate), GOING)
        assert not await everything_of(store.engine, EventRsvp)

    async def test_comes_too_late_once_the_page_is_closed(self, store: Store, clock: Watch) -> None:
        new = await made(store, clock, BIRTHDAY)
        clock.now = seconds(BIRTHDAY.start_time) + 7 * DAY + 1
        gate = await let_in_to(Event, store, clock, new, want="admin")
        with pytest.raises(PageClosed):
            await events.answer(at(store, clock(), gate), GOING)

    async def test_is_one_of_so_many(
        self, store: Store, clock: Watch, gate: PageAccess[Event], party: Created
    ) -> None:
        await store.write(update(gate.page, rsvp_count=USUAL.answers - 1))
        await events.answer(at(store, clock(), await let_in_to(Event, store, clock, party)), GOING)
        with pytest.raises(PageFull):
            await events.answer(
                at(store, clock(), await let_in_to(Event, store, clock, party)), GOING
            )

    async def test_that_its_giver_changes_elsewhere_is_counted_once(
        self, store: Store, clock: Watch, gate: PageAccess[Event]
    ) -> None:
        given = await events.answer(at(store, clock(), gate), GOING)

        async def elsewhere() -> None:
            await events.change_answer(at(store, clock(), gate), given.code, NOT)

        slow = Meanwhile(store, elsewhere, before_writing=EventRsvp)
        await events.change_answer(at(slow, clock(), gate), given.code, MAYBE)
        assert await counts(store, gate) == {"rsvp_count": 1, "maybe_count": 1}

    async def test_that_its_giver_withdraws_elsewhere_is_gone(
        self, store: Store, clock: Watch, gate: PageAccess[Event]
    ) -> None:
        given = await events.answer(at(store, clock(), gate), GOING)

        async def elsewhere() -> None:
            await events.withdraw_answer(at(store, clock(), gate), given.code)

        slow = Meanwhile(store, elsewhere, before_writing=EventRsvp)
        with pytest.raises(WrongCode):
            await events.change_answer(at(slow, clock(), gate), given.code, MAYBE)
        assert await counts(store, gate) == {}


class TestCodes:
    async def test_that_are_wrong_are_throttled_and_right_ones_are_not(
        self, store: Store, clock: Watch, gate: PageAccess[Event]
    ) -> None:
        given = await events.answer(at(store, clock(), gate), GOING)
        for _ in range(CODES.from_network.tries):
            await events.my_answer(at(store, clock(), gate), given.code)
            with pytest.raises(WrongCode):
                await events.my_answer(at(store, clock(), gate), "aaaaaaaa")
        with pytest.raises(RateLimited):
            await events.my_answer(at(store, clock(), gate), given.code)

    async def test_of_another_page_are_wrong(
        self, store: Store, clock: Watch, gate: PageAccess[Event]
    ) -> None:
        other = await let_in_to(Event, store, clock, await made(store, clock, BIRTHDAY))
        given = await events.answer(at(store, clock(), other), GOING)
        with pytest.raises(WrongCode):
            await events.my_answer(at(store, clock(), gate), given.code)

    async def test_are_not_guessed_by_whoever_has_a_receipt(
        self, store: Store, clock: Watch, gate: PageAccess[Event]
    ) -> None:
        given = await events.answer(at(store, clock(), gate), GOING)
        for _ in range(CODES.from_network.tries):
            with pytest.raises(WrongCode):
                await events.my_answer(at(store, clock(), gate), "aaaaaaaa")
        receipt = Receipt(given.short_id, given.code)
        assert await events.my_answer(at(store, clock(), gate), receipt) == given
        moved = Receipt("abc-def-12345", given.code)
        with pytest.raises(WrongCode):
            await events.my_answer(at(store, clock(), gate), moved)


class TestWhoComes:
    @pytest.mark.parametrize(
        "visibility, names, numbers",
        [("everyone", True, True), ("countsOnly", False, True), ("admin", False, False)],
    )
    async def test_is_seen_by_those_whom_the_event_lets_see_it(
        self, store: Store, clock: Watch, visibility: Any, names: bool, numbers: bool
    ) -> None:
        new = await made(store, clock, replace(BIRTHDAY, rsvp_visibility=visibility))
        await events.answer(at(store, clock(), await let_in_to(Event, store, clock, new)), GOING)
        seen = await let_in_to(Event, store, clock, new)
        admin = await let_in_to(Event, store, clock, new, want="admin")

        assert (events.counts(seen) is not None) is numbers
        assert events.counts(admin) == events.RsvpCounts(going=1, maybe=0, not_going=0, guests=2)
        if names:
            assert len((await events.guests(seen)).items) == 1
        else:
            with pytest.raises(Forbidden):
                await events.guests(seen)
        assert len((await events.guests(admin)).items) == 1

    async def test_comes_in_parts_of_any_length(
        self, store: Store, clock: Watch, gate: PageAccess[Event]
    ) -> None:
        for _ in range(3):
            await events.answer(at(store, clock(), gate), GOING)
        first = await events.guests(gate, limit=2)
        rest = await events.guests(gate, limit=2, cursor=first.cursor)
        assert [len(one.items) for one in (first, rest)] == [2, 1]

    async def test_counts_every_change_of_an_answer_for_those_who_listen(
        self, store: Store, clock: Watch, party: Created, gate: PageAccess[Event]
    ) -> None:
        given = await events.answer(at(store, clock(), gate), GOING)
        await events.change_answer(
            at(store, clock(), gate), given.code, replace(GOING, name="Otto")
        )
        await events.withdraw_answer(at(store, clock(), gate), given.code)
        page = (await let_in_to(Event, store, clock, party)).page
        assert page.rsvp_changes == 3
        assert page.version == party.page.version, "nobody’s edit is stale for that"

    async def test_never_shows_a_code_not_even_to_an_admin(
        self, store: Store, clock: Watch, party: Created, gate: PageAccess[Event]
    ) -> None:
        codes = [(await events.answer(at(store, clock(), gate), GOING)).code for _ in range(101)]
        admin = await let_in_to(Event, store, clock, party, want="admin")
        first = await events.guests(admin)
        rest = await events.guests(admin, cursor=first.cursor)
        assert len(first.items) + len(rest.items) == 101
        told = msgspec.json.encode([first.items, rest.items, admin.page]).decode()
        assert not [code for code in codes if code in told]
