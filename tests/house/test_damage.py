"""What is damaged: pages and lists leave an entry out and say so; a damaged file names no path."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from pathlib import Path

import apsw
import pytest

from commonroom.library.tables import Book, Library
from commonroom.store import update
from commonroom.store.embedded.data_file import damaged_files
from tests.accounts.people import Watch
from tests.house.whole import Whole, whole
from tests.library.bookcase import book_of, library_of
from tests.support.pages import text
from tests.support.sample_data import ruin

NOTE = "One entry is damaged and is not shown here. Please tell whoever runs this Commonroom."


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[Whole]:
    async with whole(tmp_path) as made:
        yield made
    damaged_files.clear()


@pytest.fixture
def clock() -> Watch:
    watch = Watch()
    watch.now = time.time() - 3600
    return watch


@pytest.fixture
async def home(house: Whole, clock: Watch) -> Library:
    return await library_of(house.store, clock, house.ada)


@pytest.fixture
async def damaged(house: Whole, clock: Watch, home: Library, tmp_path: Path) -> Book:
    """One of three books, which cannot be decoded."""
    books = [
        await book_of(house.store, clock, house.ada, home, title)
        for title in ("Emma", "Middlemarch", "Villette")
    ]
    ruin(tmp_path / "house.db", books[1])
    return books[1]


class TestADamagedEntry:
    async def test_is_left_out_of_a_page_which_says_so(
        self, house: Whole, home: Library, damaged: Book
    ) -> None:
        ada = await house.browser()

        answer = await ada.get(f"/library/{home.library_id}")

        assert answer.status_code == 200
        assert "Emma" in answer.text
        assert "Villette" in answer.text
        assert "Middlemarch" not in answer.text
        assert NOTE in text(answer)
        assert answer.headers["damaged-items"] == "1"

    async def test_is_left_out_of_a_list_of_the_api_whose_header_says_so(
        self, house: Whole, home: Library, damaged: Book
    ) -> None:
        ada = await house.browser(accept="application/json")

        answer = await ada.get(f"/api/v1/libraries/{home.library_id}/items")

        shown = [item["title"] for group in answer.json()["items"] for item in group["items"]]
        assert shown == ["Emma", "Villette"]
        assert answer.headers["damaged-items"] == "1"

    async def test_alone_is_an_error_that_says_what_it_is(
        self, house: Whole, home: Library, damaged: Book
    ) -> None:
        page, program = await house.browser(), await house.browser(accept="application/json")
        here = f"{home.library_id}/items/{damaged.item_id}"

        shown = await page.get(f"/library/{here}")
        told = await program.get(f"/api/v1/libraries/{here}")

        assert (shown.status_code, told.status_code) == (500, 500)
        assert "This entry is damaged" in text(shown)
        assert told.json()["title"] == "This entry is damaged"
        assert "Everything else works" in told.json()["detail"]
        assert "MediaLibrary" not in shown.text + told.text

    async def test_is_not_mentioned_where_it_does_not_belong(
        self, house: Whole, damaged: Book
    ) -> None:
        answer = await (await house.browser()).get("/me")

        assert "damaged" not in answer.text
        assert "damaged-items" not in answer.headers


class TestADamagedPage:
    """Of the file: whatever stands on another page goes on."""

    @pytest.fixture
    async def library(self, house: Whole, clock: Watch, home: Library, tmp_path: Path) -> str:
        """The path of a library whose table is damaged."""
        for number in range(20):
            await book_of(house.store, clock, house.ada, home, f"Book {number}")
        connection = apsw.Connection(str(tmp_path / "house.db"))
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        root = connection.execute(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'MediaLibrary'"
        ).get
        connection.close()
        with (tmp_path / "house.db").open("r+b") as file:
            file.seek((root - 1) * 4096)
            file.write(b"\xff" * 4096)
        return f"/library/{home.library_id}"

    async def test_is_a_503_that_names_no_path(
        self, house: Whole, library: str, tmp_path: Path
    ) -> None:
        ada = await house.browser()

        answer = await ada.get(library)

        assert answer.status_code == 503
        assert "cannot be read or saved right now" in text(answer)
        assert "house.db" not in answer.text
        assert str(tmp_path) not in answer.text

    async def test_leaves_other_tables_alone(self, house: Whole, library: str) -> None:
        ada = await house.browser()
        assert (await ada.get(library)).status_code == 503

        assert (await ada.get("/me")).status_code == 200
        await house.store.write(update(house.ada, display_name="Adele"))
        assert "Adele" in (await ada.get("/me")).text

    async def test_makes_the_server_say_that_it_is_not_ready(
        self, house: Whole, library: str, tmp_path: Path
    ) -> None:
        ada, watcher = await house.browser(), await house.guest(accept="application/json")
        assert (await watcher.get("/health/ready")).status_code == 200
        assert (await ada.get(library)).status_code == 503
        assert tmp_path / "house.db" in damaged_files

        damaged_files.add(tmp_path / "commonroom.db")  # as the file of a server is called
        answer = await watcher.get("/health/ready")

        assert answer.status_code == 503
        assert answer.json() == {"status": "not ready", "detail": "The data file is damaged"}
