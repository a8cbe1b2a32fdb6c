"""Exporting a library, and that what comes out goes in again without loss."""

from __future__ import annotations

import csv
import io
import tempfile
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import InvalidField, NotFound
from commonroom.library.rules import items as rules
from commonroom.library.rules.items import thirteen
from commonroom.library.service import exports
from commonroom.library.service.collections import create_collection
from commonroom.library.service.items import add_item
from commonroom.library.service.libraries import change_library, share
from commonroom.library.service.loans import change_due_date, lend, return_item
from commonroom.library.service.moves import move_item
from commonroom.library.tables import Book, Library, Video
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from commonroom.texts import collation_key, fit_line, fit_lines
from tests.accounts.people import Watch
from tests.library.bookcase import (
    TABLES,
    book_of,
    check_bookcases,
    collection_of,
    drift,
    library_of,
    somebody,
    video_of,
)
from tests.library.import_files import exported_csv, exported_json, imported

THIS_YEAR = 1_770_000_000.0


@pytest.fixture
def clock() -> Watch:
    """A time at which things can be due."""
    clock = Watch()
    clock.now = THIS_YEAR
    return clock


def cells_of(file: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(file.decode("utf-8-sig"), newline="")))


class TestCsv:
    async def test_has_every_field_and_opens_in_a_spreadsheet(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        made = await create_collection(
            Context(store, ada, clock()), home.library_id, name="=Set", description="Of\ntwo"
        )
        book = await book_of(
            store,
            clock,
            ada,
            home,
            "@home",
            authors=["Ann; Bo", "+Cy"],
            isbn="0261103253",
            collection_id=made.collection_id,
        )
        await video_of(store, clock, ada, home, "Film", duration=90, tmdb_id=5, cast=["A", "B"])
        await lend(
            Context(store, ada, clock()), home.library_id, book.item_id, to="-Ben", due="2033-01-01"
        )

        file = await exported_csv(store, ada, home)

        assert file.startswith("\ufefftype,title,".encode())
        collection, *things = cells_of(file)
        assert (collection["type"], collection["title"], collection["summary"]) == (
            "collection",
            "'=Set",
            "Of\ntwo",
        )
        told = {one["title"]: one for one in things}
        home_ = told["'@home"]
        assert (home_["collection"], home_["order"], home_["authors"], home_["isbn"]) == (
            "'=Set",
            "1",
            "Ann\\; Bo; +Cy",
            "0261103253",
        )
        assert (home_["lent_to"], home_["due_date"]) == ("'-Ben", "2033-01-01")
        assert (told["Film"]["duration"], told["Film"]["cast"]) == ("90", "A; B")
        assert not any(cell[:1] in "=+-@" for one in things for cell in one.values() if cell)


class TestJson:
    async def test_has_the_library_its_collections_loans_and_history(
        self, store: Store, clock: Watch, ada: User, ben: User, home: Library
    ) -> None:
        await change_library(Context(store, ada, clock()), home.library_id, description="Ours")
        await collection_of(store, clock, ada, home, "Empty")
        book = await book_of(store, clock, ada, home, "Book")
        at = (home.library_id, book.item_id)
        await lend(Context(store, ada, clock()), *at, to="Ben", email="ben@example.org")
        await return_item(Context(store, ada, clock() + 60), *at)
        await lend(Context(store, ada, clock() + 120), *at, to="Eve", due="2033-01-01")
        await change_due_date(Context(store, ada, clock() + 180), *at, due="2033-02-01")

        told = msgspec.json.decode(await exported_json(store, ada, home))

        assert (told["format"], told["version"]) == ("commonroom-library", 1)
        assert told["library"] == {"name": "Home", "description": "Ours"}
        assert told["collections"] == [{"name": "Empty"}]
        (item,) = told["items"]
        assert (item["lent_to"], item["due_date"]) == ("Eve", "2033-02-01")
        assert [(one["type"], one["borrower"]) for one in item["history"]] == [
            ("lent", "Ben"),
            ("returned", "Ben"),
            ("lent", "Eve"),
        ]
        assert ben.user_id not in str(told), "the borrower's account stays out of the file"

    async def test_of_an_empty_library_is_whole(
        self, store: Store, ada: User, home: Library
    ) -> None:
        told = msgspec.json.decode(await exported_json(store, ada, home))
        assert (told["collections"], told["items"]) == ([], [])

    async def test_has_the_history_that_has_not_followed_its_item_yet(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        attic = await library_of(store, clock, ada, "Attic")
        book = await book_of(store, clock, ada, home, "Book")
        for n in range(60):
            await lend(Context(store, ada, clock() + n), home.library_id, book.item_id, to="Ben")
            await return_item(Context(store, ada, clock() + n), home.library_id, book.item_id)
        store.engine.write, whole = _first_write_of(store), store.engine.write  # type: ignore[method-assign] # the process ends there
        with pytest.raises(ConnectionError):
            await move_item(
                Context(store, ada, clock()), home.library_id, book.item_id, to=attic.library_id
            )
        store.engine.write = whole  # type: ignore[method-assign] # and begins again

        (item,) = msgspec.json.decode(await exported_json(store, ada, attic))["items"]
        assert len(item["history"]) == 120


class TestWhoMay:
    async def test_only_the_owner(
        self, store: Store, clock: Watch, ada: User, ben: User, home: Library
    ) -> None:
        await share(Context(store, ada, clock()), home.library_id, "ben@example.org")
        eve = await somebody(store, clock, "Eve")
        for person in (ben, eve):
            for export in (exports.export_csv, exports.export_json):
                with pytest.raises(NotFound):
                    await export(Context(store, person), home.library_id)


LINES = st.one_of(
    st.text(min_size=1, max_size=20),
    st.text(alphabet="'=+-@;\\\"#,aé ", min_size=1, max_size=8),
    st.sampled_from(["Dune", "Été", "=1+1", "'@", "a;b\\", "“Quoted”", "x" * 100]),
)
CODES = ["9780261103573", "0261103571", "9782070612758", "037571457X"]


def fitting(text: str, longest: int = 100) -> str | None:
    try:
        return fit_line("title", text, longest)
    except InvalidField:
        return None


NAMES = LINES.map(fitting).filter(lambda name: name is not None)
BORROWERS = LINES.map(lambda text: fitting(text, 50)).filter(lambda name: name is not None)
SUMMARIES = st.text(max_size=60).map(lambda text: fit_lines("summary", text, 4000))
PICTURES = st.sampled_from([None, "https://example.org/a.jpg?b=c,d;e"])
DAYS = st.none() | st.dates(date(1930, 1, 1), date(2030, 12, 31)).map(date.isoformat)
TAGS = LINES.map(lambda text: fitting(text.replace(",", "."), 50)).filter(bool)
COMMON: dict[str, Any] = {
    "title": NAMES,
    "summary": SUMMARIES,
    "picture_url": PICTURES,
}
BEYOND: dict[str, Any] = {
    "contributors": st.lists(NAMES, max_size=2),
    "publisher": st.none() | NAMES,
    "language": st.none() | NAMES,
    "format": st.none() | NAMES,
    "location": st.none() | NAMES,
    "tags": st.lists(TAGS, max_size=4, unique_by=str.casefold),
    "copies": st.integers(1, 1000),
    "rating": st.none() | st.integers(1, 10).map(lambda halves: halves / 2),
    "review": SUMMARIES,
    "started_on": DAYS,
    "finished_on": DAYS,
}
BOOKS = st.fixed_dictionaries(
    {
        **COMMON,
        "authors": st.lists(NAMES, max_size=4),
        "isbn": st.sampled_from([None, *CODES]),
    },
    optional=BEYOND
    | {
        "year": st.integers(1400, 2100),
        "pages": st.integers(1, 100_000),
        "status": st.sampled_from(rules.statuses(Book)),
    },
)
VIDEOS = st.fixed_dictionaries(
    {
        **COMMON,
        "directors": st.lists(NAMES, max_size=3),
        "cast": st.lists(NAMES, max_size=5),
        "release_year": st.none() | st.integers(1800, 2100),
        "duration": st.none() | st.integers(0, 1000),
        "tmdb_id": st.none() | st.integers(1, rules.MAX_TMDB_ID),
    },
    optional=BEYOND | {"status": st.sampled_from(rules.statuses(Video))},
)
DUES = st.sampled_from([None, "2020-02-29", "2033-12-31"])
LOANS = st.lists(st.tuples(BORROWERS, DUES), max_size=3)
PLACES = st.tuples(
    st.integers(0, 3), st.none() | st.integers(1, 1000) | st.sampled_from([0.5, 1.5, 2.25, 999.99])
)
ITEMS = st.tuples(BOOKS | VIDEOS, PLACES, LOANS, st.booleans())
COLLECTIONS = st.lists(
    st.tuples(NAMES, SUMMARIES), max_size=3, unique_by=lambda one: collation_key(one[0] or "")
)


async def furnished(
    store: Store, clock: Watch, ada: User, sets: list[Any], things: list[Any]
) -> Library:
    """A library with these collections and items, lent and returned as told."""
    library = await library_of(store, clock, ada, "Home")
    at = (Context(store, ada, clock()), library.library_id)
    ids = [
        (await create_collection(*at, name=name, description=text)).collection_id
        for name, text in sets
    ]
    for fields, (place, order), loans, returned in things:
        given = dict(fields)
        if place < len(ids):
            given |= {"collection_id": ids[place], "order": order}
        kind = Book if "authors" in given else Video
        item = (await add_item(*at, kind=kind, given=given)).item
        for number, (borrower, due) in enumerate(loans):
            now = clock() - 1000 + number
            where = (library.library_id, item.item_id)
            ctx = Context(store, ada, now)
            await lend(ctx, *where, to=borrower, due=due, past_due=True)
            if returned or number + 1 < len(loans):
                await return_item(Context(store, ada, now + 0.5), *where)
    return library


def contents(file: bytes) -> Any:
    """What a file of ours holds, however it is ordered."""
    if file.startswith(b"{"):
        told = msgspec.json.decode(file)
        told["collections"].sort(key=msgspec.json.encode)
        told["items"].sort(key=msgspec.json.encode)
        return told
    return sorted(cells_of(file), key=msgspec.json.encode)


@pytest.mark.parametrize("export", [exported_csv, exported_json])
@settings(max_examples=25)
@given(sets=COLLECTIONS, things=st.lists(ITEMS, max_size=5))
async def test_what_is_exported_comes_in_again_without_loss(
    export: Any, sets: list[Any], things: list[Any]
) -> None:
    clock = Watch()
    clock.now = THIS_YEAR
    with tempfile.TemporaryDirectory() as folder:
        store = Store(EmbeddedEngine(Path(folder) / "a.db", TABLES, durability="OFF", clock=clock))
        ada = await somebody(store, clock, "Ada")
        first = await furnished(store, clock, ada, sets, things)
        file = await export(store, ada, first)

        copies: list[bytes] = []
        for source in (file, None):
            copy = await library_of(store, clock, ada, "Home")
            seen = await imported(store, clock, ada, copy, source or copies[0])
            assert (seen.failed, seen.notes, seen.added) == (0, [], len(things))
            assert seen.preview is not None
            assert (seen.preview.bad, seen.preview.warnings, seen.preview.unkept) == ([], [], [])
            copies.append(await export(store, ada, copy))

        assert contents(copies[0]) == contents(file)
        assert contents(copies[1]) == contents(file)
        await check_bookcases(store.engine)
        assert await drift(store) == []
        await store.close()


async def test_items_stay_in_the_order_of_the_file(
    store: Store, clock: Watch, ada: User, home: Library
) -> None:
    for n in range(30):
        await book_of(store, clock, ada, home, f"Book {n % 7}", isbn=thirteen("0261103571"))
    file = await exported_json(store, ada, home)
    copy = await library_of(store, clock, ada)
    await imported(store, clock, ada, copy, file)
    assert await exported_json(store, ada, copy) == file


def _first_write_of(store: Store) -> Any:
    """A way to write that ends after the first time."""
    write, done = store.engine.write, False

    async def once(operations: Any) -> None:
        nonlocal done
        if done:
            raise ConnectionError
        done = True
        await write(operations)

    return once
