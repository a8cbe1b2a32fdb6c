"""Everything that somebody has lent and borrowed, with what is overdue."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, InvalidField, NeedsConfirmation, NotFound
from commonroom.library.service.items import delete_item
from commonroom.library.service.libraries import share
from commonroom.library.service.loans import (
    borrowed_by_me,
    change_due_date,
    lend,
    lent_by_me,
    return_item,
)
from commonroom.library.tables import Book, BorrowedItem, Library, LoanEvent, history, owner_id_of
from commonroom.moments import seconds
from commonroom.store import Store, counting, update
from commonroom.timers.tables import Timer
from tests.accounts.people import Meanwhile, Watch
from tests.library.bookcase import (
    book_of,
    check_bookcases,
    everything_of,
    library_of,
    now_of,
    somebody,
    video_of,
)


async def test_lent_is_across_libraries_by_due_date_in_one_request(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    clock.now = seconds("2026-05-31T12:00:00.000Z")
    attic = await library_of(store, clock, ada, "Attic")
    for library, title, due in [
        (home, "open end", None),
        (home, "late", "2026-05-30"),
        (attic, "today", "2026-05-31"),
        (attic, "back", "2026-05-29"),
    ]:
        book = await book_of(store, clock, ada, library, title)
        at = (Context(store, ada, clock()), library.library_id, book.item_id)
        await lend(*at, to="Ben", due=due, past_due=True)
        if title == "back":
            await return_item(*at)

    with counting() as tally:
        seen = await lent_by_me(Context(store, ada, clock()))

    assert [(one.item.title, one.is_overdue) for one in seen.items] == [
        ("late", True),
        ("today", False),
        ("open end", False),
    ]
    assert tally.reads == 1


async def test_borrowed_says_what_whose_and_until_when_and_nothing_else(
    store: Store, clock: Watch, ada: User, ben: User, home: Library
) -> None:
    clock.now = seconds("2026-05-31T12:00:00.000Z")
    book = await book_of(store, clock, ada, home, "Angelo")
    video = await video_of(store, clock, ada, home, "Zebra")
    for item in (book, video):
        at = (Context(store, ada, clock()), home.library_id, item.item_id)
        await lend(*at, to="my dear Ben", due="2026-05-30", past_due=True, email="ben@example.org")

    with counting() as tally:
        seen = await borrowed_by_me(Context(store, ben, clock()))

    assert tally.reads == 2
    assert sorted(one.title for one in seen.items) == ["Angelo", "Zebra"]
    assert {(one.owner_name, one.due_date, one.is_overdue) for one in seen.items} == {
        ("Ada", "2026-05-30", True)
    }
    eve = await somebody(store, clock, "Eve")
    for other in (ada, eve):
        assert (await borrowed_by_me(Context(store, other, clock()))).items == []
    await return_item(Context(store, ada, clock()), home.library_id, book.item_id)
    after = await borrowed_by_me(Context(store, ben, clock()))
    assert [one.title for one in after.items] == ["Zebra"]


async def test_a_pointer_shows_nothing_of_what_is_lent_to_somebody_else(
    store: Store, clock: Watch, ada: User, ben: User, home: Library
) -> None:
    book = await book_of(store, clock, ada, home, "Angelo")
    at = (Context(store, ada, clock()), home.library_id, book.item_id)
    lent = await lend(*at, to="Ben", email="ben@example.org")
    await store.write(update(lent, borrower_id="somebody else"))
    assert (await borrowed_by_me(Context(store, ben, clock()))).items == []


At = tuple[Context, str, str]
THEN = seconds("2026-05-01T12:00:00.000Z")


@pytest.fixture
async def book(store: Store, clock: Watch, ada: User, home: Library) -> Book:
    """A book of Ada's, in our time."""
    clock.now = THEN
    return await book_of(store, clock, ada, home, "Angelo")


@pytest.fixture
def at(store: Store, clock: Watch, ada: User, home: Library, book: Book) -> At:
    """What everything here is asked with."""
    return Context(store, ada, clock()), home.library_id, book.item_id


async def events_of(store: Store, book: Book) -> list[LoanEvent]:
    """The newest first."""
    key: dict[str, Any] = {"owner_id": book.owner_id, "library_id": book.library_id}
    return (await store.page(history(**key, item_id=book.item_id))).items


class TestLending:
    async def test_says_who_has_it_since_when_and_until_when(
        self, store: Store, at: At, book: Book, home: Library
    ) -> None:
        lent = await lend(*at, to="  Ben \n", due="2026-05-31")

        assert await now_of(store, book) == lent
        assert (lent.lent_to, lent.due_date) == ("Ben", "2026-05-31")
        (event,) = await events_of(store, book)
        assert (event.type, event.event, event.updated_at) == ("LENT", "Ben", lent.lent_at)
        assert (await now_of(store, home)).lent_items == 1
        await check_bookcases(store.engine)

    async def test_of_what_is_lent_is_refused_and_says_to_whom(self, store: Store, at: At) -> None:
        await lend(*at, to="Ben")
        with pytest.raises(Conflict, match="Ben"):
            await lend(*at, to="Eve")
        await check_bookcases(store.engine)

    async def test_of_what_is_lent_in_that_moment_is_refused(
        self, store: Store, clock: Watch, at: At
    ) -> None:
        quicker = Meanwhile(store, lambda: lend(*at, to="Ben"), before_writing=Book)
        with pytest.raises(Conflict, match="Ben"):
            await lend(replace(at[0], store=quicker), *at[1:], to="Eve")

    async def test_of_what_is_deleted_in_that_moment_is_refused(self, store: Store, at: At) -> None:
        gone = Meanwhile(store, lambda: delete_item(*at), before_writing=Book)
        with pytest.raises(NotFound):
            await lend(replace(at[0], store=gone), *at[1:], to="Eve")
        assert await everything_of(store.engine, LoanEvent) == []

    @pytest.mark.parametrize("to", ["", "   ", "x" * 51])
    async def test_to_a_name_of_other_than_1_to_50_characters_is_refused(
        self, at: At, to: str
    ) -> None:
        with pytest.raises(InvalidField, match=r"who borrows|at most 50"):
            await lend(*at, to=to)

    async def test_until_no_day_is_refused(self, at: At) -> None:
        with pytest.raises(InvalidField):
            await lend(*at, to="Ben", due="soon")

    async def test_of_somebody_elses_is_refused(
        self, store: Store, clock: Watch, at: At, ben: User, home: Library
    ) -> None:
        await share(at[0], home.library_id, "ben@example.org")
        with pytest.raises(NotFound):
            await lend(Context(store, ben, clock()), *at[1:], to="Ben")

    async def test_to_an_account_points_the_borrower_to_it(
        self, store: Store, at: At, ben: User
    ) -> None:
        lent = await lend(*at, to="Benny", email=" BEN@example.org")
        (pointer,) = await everything_of(store.engine, BorrowedItem)
        assert pointer.borrower_id == owner_id_of(ben.user_id)
        assert lent.borrower_id == ben.user_id
        await check_bookcases(store.engine)

    async def test_to_an_address_without_an_account_is_refused(self, at: At) -> None:
        for email in ("nobody@example.org", "nobody"):
            with pytest.raises(InvalidField):
                await lend(*at, to="Ben", email=email)

    async def test_sets_a_timer_for_the_end_of_the_due_day(self, store: Store, at: At) -> None:
        await lend(*at, to="Ben", due="2026-05-31")
        (timer,) = await everything_of(store.engine, Timer)
        assert timer.due_at == "2026-06-01T00:00:00.000Z"

    async def test_without_a_due_date_or_with_one_that_is_over_sets_none(
        self, store: Store, at: At
    ) -> None:
        await lend(*at, to="Ben")
        await return_item(*at)
        await lend(*at, to="Ben", due="2026-04-01", past_due=True)
        assert await everything_of(store.engine, Timer) == []

    async def test_takes_two_reads_and_one_write(self, at: At) -> None:
        with counting() as tally:
            await lend(*at, to="Ben")
        assert (tally.reads, tally.writes) == (2, 1)


class TestReturning:
    async def test_says_what_came_back_from_whom(
        self, store: Store, at: At, book: Book, home: Library, ben: User
    ) -> None:
        lent = await lend(*at, to="Ben", due="2026-05-31", email="ben@example.org")
        back = await return_item(*at)

        assert await now_of(store, book) == back
        told = (back.lent_to, back.lent_at, back.due_date, back.borrower_id, back.overdue_at)
        assert told == (None,) * 5
        returned, _ = await events_of(store, book)
        assert (returned.type, returned.event) == ("RETURNED", "Ben")
        assert returned.lent_at == lent.lent_at
        assert (await now_of(store, home)).lent_items == 0
        assert await everything_of(store.engine, Timer) == []
        await check_bookcases(store.engine)

    async def test_of_what_is_not_lent_is_refused(self, at: At) -> None:
        with pytest.raises(Conflict, match="not lent"):
            await return_item(*at)

    async def test_twice_at_once_is_once(self, store: Store, at: At, book: Book) -> None:
        await lend(*at, to="Ben")
        quicker = Meanwhile(store, lambda: return_item(*at), before_writing=Book)
        with pytest.raises(Conflict, match="not lent"):
            await return_item(replace(at[0], store=quicker), *at[1:])
        assert len(await events_of(store, book)) == 2

    async def test_and_lending_in_one_instant_are_events_of_their_own_in_order(
        self, store: Store, at: At, book: Book
    ) -> None:
        for _ in range(5):
            await lend(*at, to="Ben")
            await return_item(*at)
        events = await events_of(store, book)
        assert [one.type for one in events] == ["RETURNED", "LENT"] * 5
        await check_bookcases(store.engine)

    async def test_by_a_clock_that_is_behind_still_comes_after_lending(
        self, store: Store, at: At, book: Book
    ) -> None:
        await lend(*at, to="Ben")
        await return_item(replace(at[0], now=at[0].now - 3600), *at[1:])
        assert [one.type for one in await events_of(store, book)] == ["RETURNED", "LENT"]


class TestAnotherDueDate:
    async def test_moves_the_timer(self, store: Store, at: At, book: Book) -> None:
        await lend(*at, to="Ben", due="2026-05-31")
        longer = await change_due_date(*at, due="2026-06-30")
        assert await now_of(store, book) == longer
        (timer,) = await everything_of(store.engine, Timer)
        assert timer.due_at == "2026-07-01T00:00:00.000Z"

        await change_due_date(*at, due="2026-06-30")
        assert len(await everything_of(store.engine, Timer)) == 1
        await change_due_date(*at, due=None)
        assert await everything_of(store.engine, Timer) == []

    async def test_of_what_is_not_lent_is_refused(self, at: At) -> None:
        with pytest.raises(Conflict):
            await change_due_date(*at, due="2026-06-30")


class TestDueInThePast:
    async def test_is_asked_about_when_it_is_lent(self, store: Store, at: At, book: Book) -> None:
        with pytest.raises(NeedsConfirmation) as asked:
            await lend(*at, to="Ben", due="2026-04-30")
        assert asked.value.extensions["field"] == "due_date"
        assert (await now_of(store, book)).lent_to is None
        await lend(*at, to="Ben", due="2026-04-30", past_due=True)

    async def test_is_what_is_over_where_the_owner_lives(
        self, store: Store, ada: User, at: At
    ) -> None:
        await store.write(update(ada.ref, time_zone="Pacific/Kiritimati"))
        with pytest.raises(NeedsConfirmation):
            await lend(*at, to="Ben", due="2026-05-01")
        await lend(*at, to="Ben", due="2026-05-02")

    async def test_is_asked_about_when_a_loan_gets_it_but_not_when_it_has_it(self, at: At) -> None:
        await lend(*at, to="Ben")
        with pytest.raises(NeedsConfirmation):
            await change_due_date(*at, due="2026-04-01")
        await change_due_date(*at, due="2026-04-01", past_due=True)
        assert (await change_due_date(*at, due="2026-04-01")).due_date == "2026-04-01"
