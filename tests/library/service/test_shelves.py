"""A library's shelf: one alphabet, grouped, in pages."""

from __future__ import annotations

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import InvalidField, NotFound
from commonroom.library.service.libraries import share
from commonroom.library.service.loans import lend
from commonroom.library.service.shelves import see_shelf
from commonroom.library.tables import Library
from commonroom.store import Store, counting
from tests.accounts.people import Watch
from tests.library.bookcase import book_of, collection_of, library_of

IN_ORDER = [
    (None, ["Angelo"]),
    ("Chroniques", ["automne", "hiver", "printemps"]),
    ("Cycle", ["Les 9 princes", "Prince du Chaos"]),
    (None, ["Cycle !"]),
    (None, ["Effondrement"]),
]


@pytest.fixture
async def home(store: Store, clock: Watch, ada: User) -> Library:
    """A library much like the data model's example."""
    library = await library_of(store, clock, ada)
    for name, titles in reversed(IN_ORDER):
        into = {}
        if name is not None:
            made = await collection_of(store, clock, ada, library, name)
            into = {"collection_id": made.collection_id}
        for title in titles:
            await book_of(store, clock, ada, library, title, **into)
    return library


async def test_is_in_one_alphabet_with_members_behind_their_collections(
    store: Store, ada: User, home: Library
) -> None:
    seen = await see_shelf(Context(store, ada), home.library_id, limit=50)
    assert [(one.name, [item.title for item in one.items]) for one in seen.groups] == IN_ORDER
    assert seen.cursor is None


async def test_is_alphabetical_whatever_the_letters_are(
    store: Store, clock: Watch, ada: User
) -> None:
    titles = ["1984", "###", "Ångström", "C#", "C sharp", "Éclair", "eclipse", "É" * 100, "Emma"]
    titles += ["Foo!", "FOO BAR", "foobar", "Straße", "strasser", "x" * 100, "🎬", "🎬 Night"]
    library = await library_of(store, clock, ada)
    made = await collection_of(store, clock, ada, library, "Fóo")
    for title in reversed(titles):
        await book_of(store, clock, ada, library, title)
    for title in ("Zebra", "🎬", "a"):
        await book_of(store, clock, ada, library, title, collection_id=made.collection_id)
    seen = await see_shelf(Context(store, ada), library.library_id, limit=50)
    shown = [(one.name, [item.title for item in one.items]) for one in seen.groups]
    place = titles.index("Foo!")
    assert shown == [
        *((None, [title]) for title in titles[:place]),
        ("Fóo", ["Zebra", "🎬", "a"]),
        *((None, [title]) for title in titles[place:]),
    ]


async def test_has_pages_of_ten_or_as_many_as_are_wanted_up_to_50(
    store: Store, ada: User, home: Library
) -> None:
    seen = await see_shelf(Context(store, ada), home.library_id)
    assert sum(len(one.items) + (one.collection is not None) for one in seen.groups) == 10
    for limit in (0, 51):
        with pytest.raises(InvalidField):
            await see_shelf(Context(store, ada), home.library_id, limit=limit)


@pytest.mark.parametrize("limit", range(1, 10))
async def test_cut_anywhere_shows_everything_once_and_marks_what_goes_on(
    store: Store, ada: User, home: Library, limit: int
) -> None:
    titles: list[str] = []
    continued: str | None = None
    cursor = None
    while True:
        seen = await see_shelf(Context(store, ada), home.library_id, limit=limit, cursor=cursor)
        for n, group in enumerate(seen.groups):
            assert group.continued is (n == 0 and continued is not None)
            assert not group.continues or n == len(seen.groups) - 1
            titles += [one.title for one in group.items]
        last = seen.groups[-1] if seen.groups else None
        continued = last.collection_id if last is not None and last.continues else None
        cursor = seen.cursor
        if cursor is None:
            break
    assert titles == [title for _, some in IN_ORDER for title in some]


async def test_takes_the_same_few_requests_wherever_it_is_cut(
    store: Store, clock: Watch, ada: User, ben: User, home: Library
) -> None:
    await share(Context(store, ada, clock()), home.library_id, "ben@example.org")
    for person, limit, most in ((ada, 50, 2), (ada, 3, 2), (ben, 50, 3), (ben, 3, 3)):
        with counting() as tally:
            await see_shelf(Context(store, person), home.library_id, limit=limit)
        assert tally.reads == most


async def test_shows_recipients_no_loans_and_strangers_nothing(
    store: Store, clock: Watch, ada: User, ben: User, home: Library
) -> None:
    first = (await see_shelf(Context(store, ada), home.library_id)).groups[0].items[0]
    at = (Context(store, ada, clock()), home.library_id, first.item_id)
    await lend(*at, to="Zoe", due="2290-01-01", past_due=True)
    with pytest.raises(NotFound):
        await see_shelf(Context(store, ben), home.library_id)
    await share(Context(store, ada, clock()), home.library_id, "ben@example.org")

    mine = (await see_shelf(Context(store, ada), home.library_id)).groups[0].items[0]
    theirs = (await see_shelf(Context(store, ben), home.library_id)).groups[0].items[0]

    assert (mine.lent_to, mine.due_date) == ("Zoe", "2290-01-01")
    assert (theirs.title, theirs.lent_to, theirs.due_date) == ("Angelo", None, None)


async def test_begins_where_a_title_of_some_letters_would_stand(
    store: Store, ada: User, home: Library
) -> None:
    for start, first in (("c", "Chroniques"), ("CY", "Cycle"), ("d", None), ("É", None)):
        seen = await see_shelf(Context(store, ada), home.library_id, start=start)
        assert seen.groups[0].name == first
        assert seen.groups[-1].items[0].title == "Effondrement"
    pages = await see_shelf(Context(store, ada), home.library_id, start="c", limit=5)
    rest = await see_shelf(
        Context(store, ada), home.library_id, start="c", limit=50, cursor=pages.cursor
    )
    titles = [one.title for page in (pages, rest) for group in page.groups for one in group.items]
    assert titles == [title for _, some in IN_ORDER[1:] for title in some]
    assert (await see_shelf(Context(store, ada), home.library_id, start="z")).groups == []
