"""Importing in a browser: files are looked up, previewed, worked through, settled, and undone."""

from __future__ import annotations

import re
import time
from pathlib import Path

import httpx
import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.service.profiles import add_managed
from commonroom.accounts.tables import User
from commonroom.house.search import open_indexer
from commonroom.imports.files import MAX_FILE
from commonroom.moments import iso
from commonroom.search.opening import open_index
from commonroom.settings import Settings
from commonroom.store import Store, delete, update
from commonroom.timers import Scheduler
from commonroom.timers.tables import BUCKETS, waiting_timers
from commonroom.titles.builtin import Catalogue
from commonroom.titles.service import Titles
from commonroom.titles.sources import TitleSearchResult
from commonroom.titles.stored_titles import id_of
from commonroom.titles.title_edits import make_title
from commonroom.titles.title_fields import TitleDraft
from commonroom.watchlists.consumers import imports
from commonroom.watchlists.room import WATCHLISTS
from commonroom.watchlists.tables import WatchlistImport
from tests.accounts.people import Watch
from tests.support.pages import Browser, requests_for, said, tag, text, wrong
from tests.watchlists.examples import TITLES, everything_of, tidied
from tests.watchlists.import_files import LETTERBOXD, lists_now, ratings_now
from tests.watchlists.pages.site import Site
from tests.watchlists.rules.formats import exports

HERE = "/watchlists/import"


async def bring(
    browser: Browser, file: bytes = LETTERBOXD, name: str = "letterboxd.zip"
) -> httpx.Response:
    """A file that is sent off."""
    return await browser.client.post(HERE, files={"file": (name, file, "application/zip")})


def import_id(answer: httpx.Response) -> str:
    """Which import a page is about."""
    found = re.search(r'name="import_id" value="([^"]+)"', answer.text)
    assert found, text(answer)
    return found[1]


async def worked(store: Store, titles: Titles = TITLES) -> None:
    """Lets everything be done that is due."""
    clock = Watch()
    clock.now = time.time() + 10
    handlers = {**WATCHLISTS.data.timer_handlers, **imports.handlers(titles)}
    scheduler = Scheduler(store, handlers, clock=clock)
    for _ in range(5):
        await scheduler.once()
        await tidied(store, clock)
        clock.now += 100


async def previewed(browser: Browser, store: Store) -> httpx.Response:
    """The page of files whose titles were looked up."""
    await bring(browser)
    await worked(store)
    return await browser.get(HERE)


async def imported(browser: Browser, store: Store, **choices: str) -> httpx.Response:
    """The report of files that were imported."""
    sent = {"import_id": import_id(await previewed(browser, store)), **choices}
    await browser.follow(await browser.send(f"{HERE}/start", **sent))
    await worked(store)
    return await browser.get(HERE)


class Silent(Catalogue):
    """A film source that does not answer for what it does not know by heart."""

    async def called(self, title: str) -> TitleSearchResult:
        return TitleSearchResult((await super().called(title)).titles, answered=False)


class TestWhoMay:
    async def test_a_guest_signs_in_first(self, guest: Browser) -> None:
        assert (await guest.get(HERE)).headers["location"] == f"/sign-in?next={HERE}"
        assert (await bring(guest)).status_code in {303, 401}

    async def test_everybody_sees_their_own(
        self, adas: Browser, bens: Browser, store: Store
    ) -> None:
        await previewed(bens, store)
        assert "letterboxd.zip" not in text(await adas.get(HERE))
        assert (await adas.get(f"{HERE}/rows/0-0")).status_code == 404

    async def test_whoever_acts_for_a_child_brings_nothing_in(
        self, room: Site, store: Store, clock: Watch, ada: User
    ) -> None:
        child = await add_managed(Context(store, ada, clock()), display_name="Mia")
        assert (await bring(await room.browser(ada, acting_as=child))).status_code == 403


class TestSending:
    async def test_my_lists_lead_there(self, bens: Browser) -> None:
        shown = await bens.get("/watchlists/mine")
        assert shown.text.count(f'href="{HERE}"') == 2, "at the top, and where there is no list yet"
        assert "multiple" in tag(await bens.get(HERE), "file")

    async def test_titles_are_looked_up_while_one_looks_on(
        self, bens: Browser, store: Store
    ) -> None:
        answer = await bens.follow(await bring(bens))
        assert "Looking up titles" in text(answer)
        assert "0 of 8" in text(answer)
        assert 'hx-trigger="every 1s"' in tag(answer, "import-ask")
        assert "Continue" not in text(answer), "it has only just begun"
        await worked(store)
        assert "Looking up titles" not in text(await bens.get(HERE))

    async def test_several_files_come_together(self, bens: Browser, store: Store) -> None:
        files = [
            ("file", ("list.csv", exports.IMDB_LIST.encode(), "text/csv")),
            ("file", ("ratings.csv", exports.IMDB_RATINGS.encode(), "text/csv")),
        ]
        await bens.client.post(HERE, files=files)
        await worked(store)
        shown = text(await bens.get(HERE))
        assert "list.csv, ratings.csv, from IMDb" in shown
        assert "2 ratings" in shown

    @pytest.mark.parametrize(
        "file, status, words",
        [
            (b"", 422, "This file is empty."),
            (b"just,some\nwords,here", 422, "This file is not supported."),
            (b"x" * (MAX_FILE + 1), 413, "A file can have up to 8 MB."),
        ],
    )
    async def test_what_is_wrong_with_a_file_stands_beside_the_field(
        self, bens: Browser, *, file: bytes, status: int, words: str
    ) -> None:
        answer = await bring(bens, file, "file.csv")
        assert answer.status_code == status
        assert words in wrong(answer, "file")

    @pytest.mark.parametrize("is_looked_up", [False, True])
    async def test_what_is_wrong_with_another_file_is_said_while_one_waits(
        self, bens: Browser, store: Store, *, is_looked_up: bool
    ) -> None:
        await bring(bens)
        if is_looked_up:
            await worked(store)
        answer = await bring(bens, b"just,some\nwords,here", "file.csv")
        assert answer.status_code == 422
        assert "This file is not supported." in text(answer)

    async def test_more_files_than_are_taken_are_refused(self, bens: Browser) -> None:
        files = [("file", (f"{n}.csv", b"x", "text/csv")) for n in range(21)]
        answer = await bens.client.post(HERE, files=files)
        assert "You can choose up to 20 files at once." in wrong(answer, "file")

    async def test_a_form_without_a_file_is_refused(self, bens: Browser) -> None:
        assert (await bens.client.post(HERE, files={"other": b"x"})).status_code == 400

    async def test_looking_up_that_was_given_up_goes_on(
        self, bens: Browser, store: Store, ben: User
    ) -> None:
        await bring(bens)
        for number in range(BUCKETS):
            async for waits in store.all(waiting_timers(bucket=f"due#{number}")):
                await store.write(delete(waits))
        at = WatchlistImport.at(account_id=ben.user_id)
        await store.write(update(at, created_at=iso(time.time() - 600)))
        answer = await bens.get(HERE)
        assert "Continue" in text(answer)
        await bens.send(f"{HERE}/look-up", import_id=import_id(answer))
        await worked(store)
        assert "In this file" in text(await bens.get(HERE))


class TestPreview:
    async def test_it_shows_what_would_happen_and_adds_nothing(
        self, bens: Browser, store: Store
    ) -> None:
        shown = text(await previewed(bens, store))
        assert "letterboxd.zip, from Letterboxd" in shown
        assert "3 lists 5 titles on lists 2 ratings 1 review" in shown
        assert "Heat 1995 No match found" in shown
        assert "3 new lists 5 titles put on lists" in shown
        assert "1 title added to the catalogue" in shown
        assert "Publish new lists" not in shown, "only curators may"
        assert await lists_now(store) == {}

    async def test_the_numbers_follow_what_is_chosen(self, bens: Browser, store: Store) -> None:
        answer = await previewed(bens, store)
        sent = {"import_id": import_id(answer), "unknown": "leave", "without": ["ratings", "0"]}
        answer = await bens.send(f"{HERE}/outcome", **sent)
        assert answer.status_code == 200
        assert "2 new lists" in text(answer)
        assert "rows without a match, for later" in text(answer)
        boxes = re.findall(r'name="without" value="([^"]+)"( checked)?', answer.text)
        assert sorted(name for name, ticked in boxes if ticked) == ["0", "ratings"]

    async def test_curators_may_publish_what_they_bring(self, adas: Browser, store: Store) -> None:
        assert "Publish new lists" in text(await previewed(adas, store))
        await imported(adas, store, publishes="true")
        assert "public" in text(await adas.get("/watchlists/mine"))

    async def test_lists_of_the_same_name_are_asked_about(
        self, bens: Browser, store: Store
    ) -> None:
        await imported(bens, store)
        answer = await previewed(bens, store)
        assert "Lists you already have" in text(answer)
        assert "2 titles that you have rated here" in text(answer)
        assert "3 lists extended" in text(answer)

    async def test_what_waits_is_forgotten_on_request(self, bens: Browser, store: Store) -> None:
        await previewed(bens, store)
        answer = await bens.follow(await bens.send(f"{HERE}/cancel"))
        assert said(answer) == "Import cancelled. Nothing was added."
        assert (await bens.send(f"{HERE}/cancel")).headers["location"] == HERE

    async def test_titles_are_looked_up_again_for_which_the_source_did_not_answer(
        self, bens: Browser, store: Store
    ) -> None:
        await bring(bens)
        await worked(store, Titles(Silent()))
        answer = await bens.get(HERE)
        assert "The film database did not answer for 3 titles." in text(answer)
        answer = await bens.follow(await bens.send(f"{HERE}/look-up", import_id=import_id(answer)))
        assert said(answer) == "The titles are looked up again."
        await worked(store)
        answer = await bens.get(HERE)
        assert "did not answer" not in text(answer)
        assert "3 new lists 5 titles put on lists" in text(answer)
        again = await bens.send(f"{HERE}/look-up", import_id=import_id(answer))
        assert again.status_code == 409, "all answered"

    async def test_it_takes_three_requests(self, bens: Browser, store: Store) -> None:
        await previewed(bens, store)
        assert await requests_for(bens, HERE) == 3


class TestRunning:
    async def test_it_shows_how_far_it_is_and_can_be_stopped(
        self, bens: Browser, store: Store
    ) -> None:
        sent = {"import_id": import_id(await previewed(bens, store))}
        answer = await bens.follow(await bens.send(f"{HERE}/start", **sent))
        assert said(answer).startswith("The import has started.")
        assert "0 of 8" in text(answer)
        assert 'hx-trigger="every 1s"' in tag(answer, "import-ask")
        again = await bring(bens)
        assert again.status_code == 409
        assert "An import into your lists is still running." in text(again)
        answer = await bens.follow(await bens.send(f"{HERE}/cancel"))
        assert said(answer) == "Import stopped. What was added before stays."

    async def test_what_was_not_looked_at_is_not_started(self, bens: Browser, store: Store) -> None:
        first = import_id(await previewed(bens, store))
        await previewed(bens, store)
        answer = await bens.send(f"{HERE}/start", import_id=first)
        assert answer.status_code == 409
        assert "Another file was chosen in the meantime." in text(answer)


class TestReport:
    async def test_it_says_what_came_and_leads_to_the_lists(
        self, bens: Browser, store: Store
    ) -> None:
        answer = await imported(bens, store)
        assert "Import finished" in text(answer)
        assert "8 imported" in text(answer)
        assert "import-ask" not in answer.text
        assert "Autumn evenings" in text(await bens.get("/watchlists/mine"))
        answer = await bens.follow(await bens.send(f"{HERE}/cancel"))
        assert said(answer) == "Report closed."

    async def test_rows_without_a_match_are_found_one_after_the_other(
        self, bens: Browser, store: Store
    ) -> None:
        answer = await imported(bens, store, unknown="leave")
        assert "3 without a match" in text(answer)
        rows = re.findall(rf'href="({HERE}/rows/[^"]+)"', answer.text)
        assert len(rows) == 3
        page = await bens.get(rows[0])
        assert "Find “Heat”" in text(page)
        assert "3 rows left" in text(page)
        page = await bens.get(f"{rows[0]}?q=matrix")
        assert "The Matrix" in text(page)
        chosen = {"import_id": import_id(page), "content_type": "MOVIE", "content_id": "603"}
        page = await bens.follow(
            await bens.send(f"{rows[0]}/dismiss", import_id=chosen["import_id"])
        )
        assert said(page) == "Skipped."
        assert "for “Letterboxd likes”" in text(await bens.get(rows[1]))
        sent = await bens.send(rows[1], **chosen)
        assert sent.headers["location"] == rows[2], "the next one"
        page = await bens.follow(sent)
        assert said(page) == "Imported."
        assert (await lists_now(store))["Letterboxd likes"] == [("The Matrix", None)]
        assert "1 row left" in text(page)
        sent = await bens.send(rows[2], **chosen)
        assert sent.headers["location"] == HERE, "that was the last"
        assert "0 without a match" in text(await bens.follow(sent))

    async def test_a_row_is_settled_with_a_title_that_was_made_here(
        self, room: Site, bens: Browser, ada: User, tmp_path: Path
    ) -> None:
        draft, store = TitleDraft(title="Heat at home", year=2024), room.store
        made = id_of(await make_title(Context(store, ada, time.time()), "MOVIE", draft))
        settings = Settings(data=tmp_path)
        async with open_indexer(settings, store) as indexer:
            await indexer.refresh([("film", made.content_id)])
        index = open_index(settings)
        room.app.state.update(search=index)
        answer = await imported(bens, store, unknown="leave")
        row = re.findall(rf'href="({HERE}/rows/[^"]+)"', answer.text)[1]
        page = await bens.get(f"{row}?q=heat+at+home")
        assert made.content_id in page.text
        chosen = {"import_id": import_id(page), "content_type": "MOVIE"}
        await bens.send(row, **chosen, content_id=made.content_id)
        assert (await lists_now(store))["Letterboxd likes"] == [("Heat at home", None)]
        await index.close()

    async def test_a_title_that_nobody_knows_is_added_as_the_row_names_it(
        self, bens: Browser, store: Store
    ) -> None:
        answer = await imported(bens, store, unknown="leave")
        row = re.findall(rf'href="({HERE}/rows/[^"]+)"', answer.text)[1]
        page = await bens.get(row)
        assert "Add “Heat” (1995)" in text(page)
        sent = await bens.follow(await bens.send(f"{row}/add", import_id=import_id(page)))
        assert said(sent) == "Imported."
        assert (await lists_now(store))["Letterboxd likes"] == [("Heat", None)]

    async def test_a_row_that_is_settled_is_there_no_more(
        self, bens: Browser, store: Store
    ) -> None:
        answer = await imported(bens, store, unknown="leave")
        row = re.findall(rf'href="({HERE}/rows/[^"]+)"', answer.text)[0]
        chosen = {"import_id": import_id(answer), "content_type": "MOVIE", "content_id": "603"}
        await bens.send(row, **chosen)
        assert (await bens.get(row)).status_code == 404
        assert (await bens.send(row, **chosen)).status_code == 404

    async def test_it_takes_four_requests(self, bens: Browser, store: Store) -> None:
        await imported(bens, store, unknown="leave")
        assert await requests_for(bens, HERE) == 4


class TestUndo:
    async def test_all_is_taken_back(self, bens: Browser, store: Store) -> None:
        answer = await imported(bens, store)
        assert "Undo this import" in text(answer)
        assert "can then no longer be undone" in text(answer)
        answer = await bens.follow(await bens.send(f"{HERE}/undo", import_id=import_id(answer)))
        assert said(answer).startswith("The import is being undone.")
        await worked(store)
        assert "Import undone" in text(await bens.get(HERE))
        assert await lists_now(store) == {}
        assert await ratings_now(store) == {}
        assert await everything_of(store.engine, WatchlistImport)
