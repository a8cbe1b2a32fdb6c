"""Working through an import: every row once, counts exact, and nothing stops the rest."""

from __future__ import annotations

import zlib

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, InvalidField
from commonroom.imports.kinds import MAX_NOTES
from commonroom.library.service.collections import delete_collection
from commonroom.library.service.imports import LibraryImportChoices
from commonroom.library.service.imports.lifecycle import LibraryImports
from commonroom.library.service.imports.worker import LibraryImportRun
from commonroom.library.service.items import delete_item
from commonroom.library.service.libraries import delete_library
from commonroom.library.service.loans import lent_by_me, return_item
from commonroom.library.tables import (
    Book,
    Collection,
    Library,
    LibraryImport,
    LibraryImportRows,
    Video,
)
from commonroom.notifications.tables import Notification
from commonroom.store import ConditionFailed, Store, Write, counting, delete, update
from commonroom.store.engine import Engine
from commonroom.store.limits import OPERATIONS
from commonroom.timers.tables import Timer
from tests.accounts.people import Watch
from tests.library.bookcase import (
    ISBN,
    book_of,
    check_bookcases,
    collection_of,
    drift,
    everything_of,
    left_of_room,
    now_of,
    tidied,
)
from tests.library.import_files import books, finished, imported, prepared

THIS_YEAR = 1_770_000_000.0


class Recording(Store):
    """A store that remembers what was written with books."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self.written: list[tuple[Write, ...]] = []

    async def write(self, *writes: Write) -> None:
        await super().write(*writes)
        if any(one.entity_type is Book for one in writes):
            self.written.append(writes)


MANY = [f"book,T{n:04d},C{n // 20},,Ann,,,,,," for n in range(450)]


async def items_of(store: Store) -> list[Book | Video]:
    found: list[Book | Video] = [
        *await everything_of(store.engine, Book),
        *await everything_of(store.engine, Video),
    ]
    return sorted(found, key=lambda one: one.item_id)


class TestAdding:
    async def test_rows_become_items_in_collections(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        there = await collection_of(store, clock, ada, home, "Été")
        file = books(
            "collection,Empty,,,,,,,,,",
            "book,One,ete,,Ann; Bo,,9780261103252,,,,",
            "video,Two,New,7,,Cy,,5,,,",
            "book,Three,NEW,,,,,,,,",
        )

        seen = await imported(store, clock, ada, home, file)

        assert (seen.state, seen.of, seen.done, seen.added) == ("done", 3, 3, 3)
        one, two, three = await items_of(store)
        assert isinstance(one, Book)
        assert isinstance(two, Video)
        assert (one.title, one.authors, one.isbn) == ("One", ["Ann", "Bo"], ISBN)
        assert (one.collection_id, one.order) == (there.collection_id, 1)
        assert (two.directors, two.tmdb_id, two.collection_name, two.order) == (
            ["Cy"],
            5,
            "New",
            7,
        )
        assert (three.collection_name, three.order) == ("New", 8)
        names = {c.name: c.item_count for c in await everything_of(store.engine, Collection)}
        assert names == {"Été": 1, "Empty": 0, "New": 2}
        assert (await now_of(store, home)).total_items == 3
        await check_bookcases(store.engine)
        assert await drift(store) == []

    async def test_many_rows_take_several_parts(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        await prepared(store, clock, ada, home, books(*MANY))
        assert len(await everything_of(store.engine, LibraryImportRows)) == 3

        seen = await imported(store, clock, ada, home, books(*MANY))

        assert (seen.added, seen.failed) == (450, 0)
        assert [one.title for one in await items_of(store)] == [f"T{n:04d}" for n in range(450)]
        assert await everything_of(store.engine, LibraryImportRows) == []
        await check_bookcases(store.engine)

    async def test_a_loan_comes_along_with_its_timer(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        clock.now = THIS_YEAR
        file = books(
            "book,Late,,,,,,,Ben,2020-01-02T03:04:05.678Z,2020-02-01",
            "book,Soon,,,,,,,Eve,,2033-01-01",
        )
        await imported(store, clock, ada, home, file)

        late, soon = await items_of(store)
        assert (late.lent_to, late.lent_at, late.due_date) == (
            "Ben",
            "2020-01-02T03:04:05.678Z",
            "2020-02-01",
        )
        assert late.overdue_at is None, "nobody is told once more of what was late before"
        assert soon.overdue_at is not None
        assert (await now_of(store, home)).lent_items == 2
        lent = await lent_by_me(Context(store, ada, clock()))
        assert [(one.item.title, one.is_overdue) for one in lent.items] == [
            ("Late", True),
            ("Soon", False),
        ]
        kinds = [one.kind for one in await everything_of(store.engine, Timer)]
        assert kinds.count("library.overdue") == 1
        assert await everything_of(store.engine, Notification) == []
        await return_item(Context(store, ada, clock()), home.library_id, soon.item_id)
        await tidied(store, clock)
        await check_bookcases(store.engine)

    async def test_rows_together_cost_one_write_and_a_look_at_library_and_collection(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        rows = [f"book,T{n},{'Set' if n < 50 else ''},,,,9780261103252,,,," for n in range(75)]
        course = await begun(store, clock, ada, home, *rows)
        await course.step()
        for reads in (2, 1):
            with counting() as tally:
                await course.step()
            assert (tally.reads, tally.writes) == (reads, 1)
        assert [one.order for one in await items_of(store)] == [*range(1, 51), *[None] * 25]
        await check_bookcases(store.engine)

    async def test_rows_that_bring_much_along_are_fewer_at_a_time(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        clock.now = THIS_YEAR
        rows = [f"book,T{n},C{n},,,,9780261103252,,Ben,,2033-01-01" for n in range(50)]
        recording = Recording(store.engine)
        seen = await imported(recording, clock, ada, home, books(*rows))

        assert (seen.added, seen.failed) == (50, 0)
        taken = [len(one) for one in recording.written if len(one) > 10]
        assert len(taken) == 3
        assert max(taken) > OPERATIONS - 5, "as many as there is room for"
        await check_bookcases(store.engine)


class TestChoosing:
    async def test_what_is_there_is_skipped_or_added_with_a_note(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        await book_of(store, clock, ada, home, "Old", isbn=ISBN)
        file = books("book,Again,,,,,9780261103252,,,,", "book,New,,,,,,,,,")

        seen = await imported(store, clock, ada, home, file)
        assert (seen.added, seen.skipped, seen.warned, seen.notes) == (1, 1, 0, [])
        seen = await imported(store, clock, ada, home, file, duplicates="add")
        assert (seen.added, seen.skipped, seen.warned) == (2, 0, 2)
        assert [(one.number, one.title) for one in seen.notes] == [(2, "Again"), (3, "New")]
        assert "“Old” is already in the library." in seen.notes[0].why
        assert (await now_of(store, home)).total_items == 4

    async def test_notes_are_kept_as_far_as_a_page_can_show_them(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        await book_of(store, clock, ada, home, "Old", isbn=ISBN)
        file = books(*[f"book,T{n},,,,,9780261103252,,,," for n in range(MAX_NOTES + 30)])
        ready = await prepared(store, clock, ada, home, file)
        ctx = Context(store, ada, clock())
        await LibraryImports(ctx, home.library_id).start(
            ready.import_id, LibraryImportChoices(duplicates="add")
        )

        going_on = True
        while going_on:  # each step by another process
            (kept,) = await everything_of(store.engine, LibraryImport)
            going_on = await LibraryImportRun(ctx, kept).step()

        seen = await LibraryImports(Context(store, ada), home.library_id).see()
        assert (seen.added, seen.warned) == (MAX_NOTES + 30, MAX_NOTES + 30)
        assert [one.number for one in seen.notes] == [*range(2, MAX_NOTES + 2)]

    async def test_rows_that_are_all_left_out_touch_nothing(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        await book_of(store, clock, ada, home, "Old", isbn=ISBN)
        before = await now_of(store, home)
        file = books(*[f"book,T{n},New,,,,9780261103252,,,," for n in range(30)])

        seen = await imported(store, clock, ada, home, file)

        assert (seen.added, seen.skipped, seen.done) == (0, 30, 30)
        assert await now_of(store, home) == before
        assert await everything_of(store.engine, Collection) == []

    async def test_shelves_can_be_left_out(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        header = "Title,Primary Author,Secondary Author,Collections\n"
        rows = ["A,,,Your library", "B,,,Wishlist", 'C,,,"Your library, Wishlist"', "D,,,"]
        file = (header + "\n".join(rows)).encode()

        seen = await imported(store, clock, ada, home, file, without=["Wishlist"])

        assert (seen.added, seen.skipped) == (3, 1)
        assert [one.title for one in await items_of(store)] == ["A", "C", "D"]

    async def test_too_many_shelves_are_refused(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        ready = await prepared(store, clock, ada, home, books("book,A,,,,,,,,,"))
        with pytest.raises(InvalidField):
            await LibraryImports(Context(store, ada, clock()), home.library_id).start(
                ready.import_id, LibraryImportChoices(without=frozenset(map(str, range(51))))
            )


class TestFailing:
    async def test_of_rows_that_come_together_only_the_bad_one_fails(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        rows = [f"book,T{n:02d},Set,,,,,,,," for n in range(20)]
        await begun(store, clock, ada, home, *rows)
        (part,) = await everything_of(store.engine, LibraryImportRows)
        # As of an older version that let something through which is refused today.
        bad = zlib.decompress(part.rows).replace(b'"T07"', b'"' + b"x" * 301 + b'"')
        await store.write(update(part.ref, rows=zlib.compress(bad)))

        seen = await finished(store, clock, ada, home)

        assert (seen.added, seen.failed, seen.done) == (19, 1, 20)
        assert [(one.number, one.field) for one in seen.notes] == [(9, "title")]
        titles = [one.title for one in await items_of(store)]
        assert titles == [f"T{n:02d}" for n in range(20) if n != 7]
        await check_bookcases(store.engine)

    async def test_a_row_that_fails_is_told_and_does_not_stop_the_rest(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        full = [f"book,T{n},Full,{n + 1},,,,,,," for n in range(1000)]
        file = books(*full, "book,Over,Full,,,,,,,,", "book,After,,,,,,,,,")

        seen = await imported(store, clock, ada, home, file)

        assert (seen.added, seen.failed, seen.done) == (1001, 1, 1002)
        assert [(one.number, one.title) for one in seen.notes] == [(1002, "Over")]
        assert "numbers" in seen.notes[0].why
        await check_bookcases(store.engine)

    async def test_a_collection_that_is_deleted_meanwhile_is_made_anew(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        course = await begun(store, clock, ada, home, *["book,A,Set,,,,,,,,"] * 75)
        await course.step()
        (old,) = await everything_of(store.engine, Collection)
        await delete_collection(Context(store, ada), home.library_id, old.collection_id)
        while await course.step():
            pass
        await tidied(store, clock)

        seen = await LibraryImports(Context(store, ada), home.library_id).see()
        assert (seen.state, seen.added, seen.failed) == ("done", 75, 0)
        (new,) = await everything_of(store.engine, Collection)
        assert (new.collection_id == old.collection_id, new.item_count) == (False, 50)
        await check_bookcases(store.engine)


class TestStopping:
    async def test_a_running_import_can_be_cancelled_and_keeps_what_it_added(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        course = await begun(store, clock, ada, home, *MANY)
        for _ in range(3):
            await course.step()
        await LibraryImports(Context(store, ada, clock()), home.library_id).cancel()
        with pytest.raises(ConditionFailed):
            await course.step()
        seen = await finished(store, clock, ada, home)

        assert (seen.state, seen.added, seen.done, seen.of) == ("cancelled", 75, 75, 450)
        assert seen.finished_at is not None
        assert (await now_of(store, home)).total_items == 75
        assert await everything_of(store.engine, LibraryImportRows) == []
        with pytest.raises(Conflict):
            await LibraryImports(Context(store, ada, clock()), home.library_id).start(
                seen.import_id, LibraryImportChoices()
            )
        await LibraryImports(Context(store, ada, clock()), home.library_id).cancel()
        await tidied(store, clock)
        assert "LibraryImport" not in await left_of_room(store.engine)

    async def test_no_other_file_comes_in_between(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        await begun(store, clock, ada, home, *MANY)
        with pytest.raises(Conflict, match="still running"):
            await prepared(store, clock, ada, home, books("book,A,,,,,,,,,"))

    @pytest.mark.parametrize("gone", ["library", "account"])
    async def test_it_ends_with_the_library_and_with_the_account(
        self, store: Store, clock: Watch, ada: User, home: Library, gone: str
    ) -> None:
        course = await begun(store, clock, ada, home, *MANY)
        for _ in range(3):
            await course.step()
        if gone == "library":
            await delete_library(Context(store, ada), home.library_id)
        else:
            await store.write(delete(ada))
        for _ in range(3):
            clock.now += 100
            await tidied(store, clock)

        assert await left_of_room(store.engine) == {}
        kinds = {one.kind for one in await everything_of(store.engine, Timer)}
        assert "library.import" not in kinds

    async def test_what_its_owner_deletes_meanwhile_does_not_come_back(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        course = await begun(store, clock, ada, home, *MANY)
        await course.step()
        first, *_ = await items_of(store)
        await delete_item(Context(store, ada, clock()), home.library_id, first.item_id)
        seen = await finished(store, clock, ada, home)

        assert seen.added == 450
        assert first.item_id not in {one.item_id for one in await items_of(store)}
        await check_bookcases(store.engine)


class TestTwoAtOnce:
    async def test_a_process_that_lags_behind_adds_nothing_twice(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        quick = await begun(store, clock, ada, home, *MANY[:30])
        kept = (await everything_of(store.engine, LibraryImport))[0]
        slow = LibraryImportRun(Context(store, ada, clock()), kept)
        await quick.step()
        with pytest.raises(ConditionFailed):
            await slow.step()
        seen = await finished(store, clock, ada, home)

        assert (seen.added, seen.failed, len(await items_of(store))) == (30, 0, 30)

    async def test_nobody_goes_on_with_a_file_that_another_took_the_place_of(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        slow = await begun(store, clock, ada, home, *MANY[:30])
        await LibraryImports(Context(store, ada, clock()), home.library_id).cancel()
        await begun(store, clock, ada, home, "book,New,,,,,,,,,")
        with pytest.raises(ConditionFailed):
            await slow.step()
        assert (await finished(store, clock, ada, home)).added == 1
        assert [one.title for one in await items_of(store)] == ["New"]

    async def test_starting_again_lets_one_go_on_that_was_given_up(
        self, store: Store, clock: Watch, ada: User, home: Library
    ) -> None:
        await begun(store, clock, ada, home, *MANY[:30])
        for timer in await everything_of(store.engine, Timer):
            await store.write(delete(timer))
        seen = await LibraryImports(Context(store, ada), home.library_id).see()
        await LibraryImports(Context(store, ada, clock()), home.library_id).start(
            seen.import_id, LibraryImportChoices()
        )
        assert (await finished(store, clock, ada, home)).added == 30


async def begun(
    store: Store, clock: Watch, ada: User, home: Library, *rows: str
) -> LibraryImportRun:
    """An import that was started, and somebody who works on it."""
    ready = await prepared(store, clock, ada, home, books(*rows))
    await LibraryImports(Context(store, ada, clock()), home.library_id).start(
        ready.import_id, LibraryImportChoices()
    )
    kept = (await everything_of(store.engine, LibraryImport))[0]
    return LibraryImportRun(Context(store, ada, clock()), kept)
