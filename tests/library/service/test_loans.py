"""Everything that somebody has lent and borrowed, with what is overdue."""

from __future__ import annotations

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.library.service.loans import borrowed_by_me, lend, lent_by_me, return_item
from commonroom.library.tables import Library
from commonroom.moments import seconds
from commonroom.store import Store, counting, update
from tests.accounts.people import Watch
from tests.library.bookcase import book_of, library_of, somebody, video_of


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

    assert [(one.item.title, one.is_overdue) for one in seen.lent] == [
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
    assert sorted(one.title for one in seen.borrowed) == ["Angelo", "Zebra"]
    assert {(one.owner_name, one.due_date, one.is_overdue) for one in seen.borrowed} == {
        ("Ada", "2026-05-30", True)
    }
    eve = await somebody(store, clock, "Eve")
    for other in (ada, eve):
        assert (await borrowed_by_me(Context(store, other, clock()))).borrowed == []
    await return_item(Context(store, ada, clock()), home.library_id, book.item_id)
    after = await borrowed_by_me(Context(store, ben, clock()))
    assert [one.title for one in after.borrowed] == ["Zebra"]


async def test_a_pointer_shows_nothing_of_what_is_lent_to_somebody_else(
    store: Store, clock: Watch, ada: User, ben: User, home: Library
) -> None:
    book = await book_of(store, clock, ada, home, "Angelo")
    at = (Context(store, ada, clock()), home.library_id, book.item_id)
    lent = await lend(*at, to="Ben", email="ben@example.org")
    await store.write(update(lent, borrower_id="somebody else"))
    assert (await borrowed_by_me(Context(store, ben, clock()))).borrowed == []
