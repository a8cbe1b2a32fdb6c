"""Bringing a file into a library: it is looked at, worked through, and there is a report."""

from __future__ import annotations

import re
import time
from pathlib import Path

import httpx
import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.service.profiles import add_managed
from commonroom.imports.files import MAX_FILE
from commonroom.library.service.imports.lifecycle import IMPORTS
from commonroom.library.tables import Book, Library, LibraryImport
from commonroom.moments import iso
from commonroom.store import delete, update
from commonroom.timers.tables import BUCKETS, waiting_timers
from tests.accounts.people import Watch
from tests.library.bookcase import now_of, tidied
from tests.library.pages.lender import Lender
from tests.library.pages.site import Site, shelf
from tests.support.pages import Browser, requests_for, said, tag, text, wrong

EXPORTS = Path(__file__).parents[1] / "rules" / "formats" / "exports"
GOODREADS = (EXPORTS / "goodreads.csv").read_bytes()


@pytest.fixture
def here(home: Library) -> str:
    """Where files come into Ada's library."""
    return f"{shelf(home)}/import"


async def bring(
    browser: Browser, here: str, file: bytes = GOODREADS, name: str = "goodreads.csv"
) -> httpx.Response:
    """A file that is sent off."""
    return await browser.client.post(here, files={"file": (name, file, "text/csv")})


def import_id(answer: httpx.Response) -> str:
    """Which import a page would start."""
    found = re.search(r'name="import_id" value="([^"]+)"', answer.text)
    assert found
    return found[1]


async def begun(browser: Browser, here: str, **choices: str) -> httpx.Response:
    """The page of an import that was looked at and started."""
    answer = await browser.follow(await bring(browser, here))
    sent = {"import_id": import_id(answer), **choices}
    return await browser.follow(await browser.send(f"{here}/start", **sent))


async def done(lender: Lender) -> None:
    """Lets what runs come to its end."""
    clock = Watch()
    clock.now = time.time() + 10
    await tidied(lender.store, clock)


async def give_up(lender: Lender) -> None:
    """Leaves an import standing that began a while ago, as when a disk was full too long."""
    for number in range(BUCKETS):
        async for waits in lender.store.all(waiting_timers(bucket=f"due#{number}")):
            if waits.kind == IMPORTS.run_timer:
                await lender.store.write(delete(waits))
    at = LibraryImport.at(owner_id=lender.home.owner_id, library_id=lender.home.library_id)
    await lender.store.write(update(at, started_at=iso(time.time() - 600)))


class TestWhoMay:
    async def test_a_guest_signs_in_first(self, guest: Browser, here: str) -> None:
        for path in (here, "/library/import"):
            assert (await guest.get(path)).headers["location"] == f"/sign-in?next={path}"
        assert (await bring(guest, here)).status_code in {303, 401}

    async def test_it_is_the_owners_alone(
        self, bens: Browser, eves: Browser, shared: Library, here: str
    ) -> None:
        for browser in (bens, eves):
            assert (await browser.get(here)).status_code == 404
            assert (await bring(browser, here)).status_code == 404
            assert (await browser.send(f"{here}/start", import_id="X")).status_code == 404
            assert (await browser.send(f"{here}/cancel")).status_code == 404

    async def test_whoever_acts_for_a_child_brings_nothing_in(
        self, room: Site, lender: Lender, here: str
    ) -> None:
        child = await add_managed(
            Context(lender.store, lender.ada, lender.clock()), display_name="Mia"
        )
        browser = await room.browser(lender.ada, acting_as=child)
        assert (await bring(browser, here)).status_code == 403
        shown = await browser.get("/library/import")
        assert "Home" in text(shown)
        assert here not in shown.text
        assert "/export." not in shown.text


class TestWhereTo:
    async def test_one_chooses_among_ones_own_libraries(
        self, adas: Browser, bens: Browser, shared: Library, here: str
    ) -> None:
        assert f'href="{here}"' in (await adas.get("/library/import")).text
        assert "Create a library first." in text(await bens.get("/library/import"))

    async def test_it_takes_one_request(self, adas: Browser, home: Library) -> None:
        assert await requests_for(adas, "/library/import") == 1


class TestLooking:
    async def test_it_begins_with_a_file(self, adas: Browser, here: str) -> None:
        answer = await adas.get(here)
        assert 'type="file"' in tag(answer, "file")
        assert "nothing is added until you confirm" in text(answer)

    async def test_it_shows_what_would_happen_and_adds_nothing(
        self, adas: Browser, lender: Lender, here: str
    ) -> None:
        await lender.book("The Two Towers", isbn="9780261102361")
        shown = text(await adas.follow(await bring(adas, here)))
        assert "goodreads.csv, from Goodreads" in shown
        assert (
            "2 The Fellowship of the Ring J.R.R. Tolkien · 2011 · The Lord of the Rings 1" in shown
        )
        assert "The Two Towers already in the library" in shown
        assert "4 will be added" in shown
        assert "1 skipped: already in the library" in shown
        assert "2 skipped: by shelf" in shown
        assert (await now_of(lender.store, lender.home)).total_items == 1

    async def test_rows_that_cannot_be_read_are_named_by_their_number(
        self, adas: Browser, here: str
    ) -> None:
        header = GOODREADS.split(b"\n", 1)[0]
        rows = b"1,,Nobody,,,,,,,,,,,,,,,,,,,,,\n2,Emma,Jane Austen,,,,,,,,,,,,,,,,,,,,,\n"
        shown = text(await adas.follow(await bring(adas, here, header + b"\n" + rows)))
        assert "1 unreadable row" in shown
        assert "Row 2" in shown
        assert "Emma" in shown

    @pytest.mark.parametrize(
        "file, status, words",
        [
            (b"", 422, "This file is empty."),
            (b"just,some\nwords,here", 422, "This file is not supported."),
            (b"x" * (MAX_FILE + 1), 413, "A file can have up to 8 MB."),
        ],
    )
    async def test_what_is_wrong_with_a_file_stands_beside_the_field(
        self, adas: Browser, here: str, *, file: bytes, status: int, words: str
    ) -> None:
        answer = await bring(adas, here, file)
        assert answer.status_code == status
        assert words in wrong(answer, "file")

    async def test_what_is_wrong_with_another_one_is_said_while_one_waits(
        self, adas: Browser, here: str
    ) -> None:
        await bring(adas, here)
        answer = await bring(adas, here, b"just,some\nwords,here")
        assert answer.status_code == 422
        assert "This file is not supported." in text(answer)
        assert "The Fellowship of the Ring" in text(answer)

    async def test_a_far_larger_one_is_refused_unread(self, adas: Browser, here: str) -> None:
        assert (await bring(adas, here, b"x" * (2 * MAX_FILE + 1))).status_code == 413

    async def test_a_form_without_a_file_is_refused(self, adas: Browser, here: str) -> None:
        assert (await adas.client.post(here, files={"other": b"x"})).status_code == 400

    async def test_what_waits_is_forgotten_on_request(self, adas: Browser, here: str) -> None:
        await bring(adas, here)
        answer = await adas.follow(await adas.send(f"{here}/cancel"))
        assert said(answer) == "Import cancelled. Nothing was added."
        assert 'type="file"' in tag(answer, "file")
        assert (await adas.send(f"{here}/cancel")).headers["location"] == here


class TestRunning:
    async def test_it_shows_how_far_it_is_and_asks_again_by_itself(
        self, adas: Browser, here: str
    ) -> None:
        answer = await begun(adas, here)
        assert said(answer).startswith("The import has started.")
        assert 'value="0"' in answer.text.partition("<progress")[2].partition(">")[0]
        assert 'hx-trigger="every 1s"' in tag(answer, "import-ask")
        assert "Refresh" in text(answer)

    async def test_a_second_file_waits_until_it_is_over(self, adas: Browser, here: str) -> None:
        await begun(adas, here)
        answer = await bring(adas, here)
        assert answer.status_code == 409
        assert "An import into this library is still running." in text(answer)

    async def test_what_was_not_looked_at_is_not_started(self, adas: Browser, here: str) -> None:
        first = import_id(await adas.follow(await bring(adas, here)))
        await bring(adas, here)
        answer = await adas.send(f"{here}/start", import_id=first)
        assert answer.status_code == 409
        assert "Another file was chosen in the meantime." in text(answer)
        assert import_id(answer) != first

    async def test_one_that_was_given_up_goes_on_where_it_stopped(
        self, adas: Browser, lender: Lender, here: str
    ) -> None:
        answer = await begun(adas, here)
        assert "Continue" not in text(answer), "it has only just begun"
        await give_up(lender)
        answer = await adas.get(here)
        assert "Continue" in text(answer)
        sent = {"import_id": import_id(answer), "goes_on": "true"}
        answer = await adas.follow(await adas.send(f"{here}/start", **sent))
        assert said(answer) == "The import continues."
        await done(lender)
        assert "Import finished" in text(await adas.get(here))

    async def test_it_is_stopped_and_says_so(self, adas: Browser, here: str) -> None:
        await begun(adas, here)
        answer = await adas.follow(await adas.send(f"{here}/cancel"))
        assert said(answer) == "Import stopped. What was added before stays."
        assert "Import stopped" in text(answer)


class TestTheEnd:
    async def test_it_ends_with_a_report_that_can_be_closed(
        self, adas: Browser, lender: Lender, here: str
    ) -> None:
        await begun(adas, here)
        await done(lender)
        answer = await adas.get(here)
        added = (await now_of(lender.store, lender.home)).total_items
        assert added > 3
        assert f"{added} added" in text(answer)
        assert "import-ask" not in answer.text
        answer = await adas.follow(await adas.send(f"{here}/cancel"))
        assert said(answer) == "Report closed."
        assert "added" not in text(answer).partition("Choose a file")[0]

    async def test_rows_that_could_not_be_read_are_still_named_in_it(
        self, adas: Browser, lender: Lender, here: str
    ) -> None:
        header = GOODREADS.split(b"\n", 1)[0]
        rows = b"1,,Nobody,,,,,,,,,,,,,,,,,,,,,\n2,Emma,Jane Austen,,,,,,,,,,,,,,,,,,,,,\n"
        answer = await adas.follow(await bring(adas, here, header + b"\n" + rows))
        await adas.send(f"{here}/start", import_id=import_id(answer))
        await done(lender)
        shown = text(await adas.get(here))
        assert "1 added 1 unreadable" in shown
        assert "Row 2" in shown

    @pytest.mark.parametrize("duplicates, more", [("skip", 0), ("add", 1)])
    async def test_what_is_there_already_is_left_out_or_added_as_one_likes(
        self, adas: Browser, lender: Lender, here: str, *, duplicates: str, more: int
    ) -> None:
        book: Book = await lender.book("Emma", authors=["Jane Austen"])
        header = GOODREADS.split(b"\n", 1)[0]
        row = b"2,Emma,Jane Austen,,,,,,,,,,,,,,,,,,,,,\n"
        answer = await adas.follow(await bring(adas, here, header + b"\n" + row))
        assert "Duplicates" in text(answer)
        sent = {"import_id": import_id(answer), "duplicates": duplicates}
        await adas.send(f"{here}/start", **sent)
        await done(lender)
        assert (await now_of(lender.store, lender.home)).total_items == 1 + more, book

    async def test_shelves_of_wishes_are_left_out_unless_one_says_otherwise(
        self, adas: Browser, here: str
    ) -> None:
        answer = await adas.follow(await bring(adas, here))
        boxes = re.findall(r'name="without" value="([^"]+)"( checked)?', answer.text)
        assert ("to-read", " checked") in boxes
        assert any(not ticked for _, ticked in boxes)

    async def test_it_still_says_what_was_left_out_of_which_row(
        self, adas: Browser, lender: Lender, here: str
    ) -> None:
        await begun(adas, here)
        await done(lender)
        shown = text(await adas.get(here))
        assert "Row 4 The Colour of Magic , Collection: Only the first series is kept" in shown
        assert "Row 8 The Golden Compass , ISBN: “9780440238600” is not an ISBN." in shown
        assert "Not supported here: Average Rating, Original Publication Year" in shown


class TestChoosing:
    async def test_the_numbers_follow_what_is_chosen(self, adas: Browser, here: str) -> None:
        answer = await adas.follow(await bring(adas, here))
        assert "5 will be added" in text(answer)
        sent = {"import_id": import_id(answer), "without": ["read", "to-read"]}
        answer = await adas.send(f"{here}/outcome", **sent)
        assert answer.status_code == 200
        assert "1 will be added" in text(answer)
        assert "6 skipped: by shelf" in text(answer)
        boxes = re.findall(r'name="without" value="([^"]+)"( checked)?', answer.text)
        assert sorted(name for name, ticked in boxes if ticked) == ["read", "to-read"]

    async def test_what_was_replaced_is_not_counted(self, adas: Browser, here: str) -> None:
        await bring(adas, here)
        assert (await adas.send(f"{here}/outcome", import_id="X")).status_code == 409


class TestUndo:
    async def test_it_is_offered_in_the_report_and_says_what_came_of_it(
        self, adas: Browser, lender: Lender, here: str
    ) -> None:
        await begun(adas, here)
        await done(lender)
        answer = await adas.get(here)
        assert "Undo this import" in text(answer)
        assert "can then no longer be undone" in text(answer)
        answer = await adas.follow(await adas.send(f"{here}/undo", import_id=import_id(answer)))
        assert said(answer).startswith("The import is being undone.")
        assert 'hx-trigger="every 1s"' in tag(answer, "import-ask")
        await done(lender)
        answer = await adas.get(here)
        assert "Import undone" in text(answer)
        assert "7 added 7 removed again" in text(answer)
        assert "Undo this import" not in text(answer)
        assert (await now_of(lender.store, lender.home)).total_items == 0

    async def test_what_waits_or_runs_is_not_undone(self, adas: Browser, here: str) -> None:
        waits = import_id(await adas.follow(await bring(adas, here)))
        assert (await adas.send(f"{here}/undo", import_id=waits)).status_code == 409
        await adas.send(f"{here}/start", import_id=waits)
        answer = await adas.send(f"{here}/undo", import_id=waits)
        assert answer.status_code == 409
        assert "Only a finished import can be undone" in text(answer)


class TestExport:
    async def test_links_lead_to_both_files(self, adas: Browser, home: Library, here: str) -> None:
        for path in (here, "/library/import"):
            shown = (await adas.get(path)).text
            for kind in ("csv", "json"):
                assert f'href="/api/v1/libraries/{home.library_id}/export.{kind}"' in shown


async def test_the_page_takes_four_requests(adas: Browser, here: str) -> None:
    await bring(adas, here)
    assert await requests_for(adas, here) == 4
