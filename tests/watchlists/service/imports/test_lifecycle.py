"""Files are kept, looked up, started, stopped and forgotten; there is one import at a time."""

from __future__ import annotations

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import Conflict, NotFound, RateLimited
from commonroom.imports.files import UnreadableFile
from commonroom.store import Store, counting, delete
from commonroom.timers import Scheduler
from commonroom.titles.builtin import Catalogue
from commonroom.titles.service import Titles
from commonroom.titles.sources import TitleSearchResult
from commonroom.watchlists.rules.imports import WatchlistImportChoices
from commonroom.watchlists.service.imports.lifecycle import (
    IMPORTS,
    SENT_BY_PERSON,
    WatchlistImports,
)
from commonroom.watchlists.service.imports.matching import look_up
from commonroom.watchlists.tables import WatchlistImport, WatchlistImportRows
from tests.accounts.people import Watch
from tests.support.fixtures import either
from tests.watchlists.examples import HANDLERS, asks, everything_of, left_of_room, tidied
from tests.watchlists.import_files import LETTERBOXD, NOW, finished, imported, own_list, prepared
from tests.watchlists.rules.formats import exports

store = either
FILES = [("letterboxd.zip", LETTERBOXD)]


@pytest.fixture(autouse=True)
def today(clock: Watch) -> None:
    """When the files were exported."""
    clock.now = NOW


async def test_files_wait_until_their_titles_were_looked_up(
    store: Store, clock: Watch, ben: User
) -> None:
    sent = await WatchlistImports(asks(store, clock, ben)).prepare(FILES)
    assert (sent.state, sent.looked_up, sent.of) == ("arriving", 0, 8)
    with pytest.raises(Conflict, match="still being uploaded"):
        await WatchlistImports(asks(store, clock, ben)).start(
            sent.import_id, WatchlistImportChoices()
        )
    ready = await finished(store, clock, ben)
    assert (ready.state, ready.looked_up) == ("ready", 8)


async def test_the_preview_says_exactly_what_happens(store: Store, clock: Watch, ben: User) -> None:
    ready = await prepared(store, clock, ben, LETTERBOXD, "letterboxd.zip")
    assert ready.preview is not None
    said = ready.preview.outcome
    assert (said.new_lists, said.listed, said.rated, said.seen) == (3, 5, 2, 3)
    assert (said.reviewed, said.made, said.unmatched, said.already) == (1, 1, 0, 0)
    assert [(one.title, one.items, one.unmatched) for one in ready.preview.lists] == [
        ("Letterboxd likes", 1, 1),
        ("Autumn evenings", 2, 1),
        ("Letterboxd watchlist", 2, 0),
    ]
    assert [one.title for one in ready.preview.first_unmatched] == ["Heat"] * 3


class Silent(Catalogue):
    """A film source that is asked for names, and does not answer."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def called(self, title: str) -> TitleSearchResult:
        self.asked.append(title)
        return TitleSearchResult((await super().called(title)).titles, answered=False)


async def test_what_the_film_source_did_not_answer_and_nothing_else_is_looked_up_again(
    store: Store, clock: Watch, ben: User
) -> None:
    silent = Silent()
    await WatchlistImports(asks(store, clock, ben)).prepare(FILES)
    (kept,) = await everything_of(store.engine, WatchlistImport)
    await look_up(Titles(silent), asks(store, clock, ben), kept)
    ready = await WatchlistImports(asks(store, clock, ben)).see()
    assert (ready.state, ready.unanswered, len(silent.asked)) == ("ready", 3, 8)

    again = await WatchlistImports(asks(store, clock, ben)).look_up_again(ready.import_id)
    assert (again.state, again.looked_up, again.unanswered) == ("arriving", 0, 0)
    silent.asked.clear()
    (kept,) = await everything_of(store.engine, WatchlistImport)
    await look_up(Titles(silent), asks(store, clock, ben), kept)
    assert silent.asked == ["Heat"] * 3

    await WatchlistImports(asks(store, clock, ben)).look_up_again(ready.import_id)
    whole = await finished(store, clock, ben)
    assert (whole.state, whole.unanswered, whole.looked_up) == ("ready", 0, 8)
    assert whole.preview is not None
    assert (whole.preview.outcome.new_lists, whole.preview.outcome.made) == (3, 1)
    with pytest.raises(Conflict, match="looked up already"):
        await WatchlistImports(asks(store, clock, ben)).look_up_again(ready.import_id)


async def test_other_choices_are_foreseen_by_the_same_rule(
    store: Store, clock: Watch, ben: User
) -> None:
    ready = await prepared(store, clock, ben, LETTERBOXD, "letterboxd.zip")
    left = WatchlistImportChoices(unknown="leave", without=frozenset({"seen"}))
    said = await WatchlistImports(asks(store, clock, ben)).preview_outcome(ready.import_id, left)
    assert (said.listed, said.rated, said.seen, said.unmatched) == (3, 1, 1, 3)
    await WatchlistImports(asks(store, clock, ben)).start(ready.import_id, left)
    done = await finished(store, clock, ben)
    assert (done.unmatched, done.added, done.skipped) == (3, 4, said.left_out)
    with pytest.raises(Conflict):
        await WatchlistImports(asks(store, clock, ben)).preview_outcome(ready.import_id, left)


async def test_seeing_an_import_takes_two_requests(store: Store, clock: Watch, ben: User) -> None:
    await prepared(store, clock, ben, LETTERBOXD, "letterboxd.zip")
    with counting() as tally:
        await WatchlistImports(Context(store, ben)).see()
    assert tally.requests == 2


async def test_new_files_take_the_place_of_those_that_wait(
    store: Store, clock: Watch, ben: User
) -> None:
    first = await WatchlistImports(asks(store, clock, ben)).prepare(FILES)
    second = await prepared(store, clock, ben, exports.IMDB_RATINGS.encode(), "ratings.csv")
    assert first.import_id != second.import_id
    with pytest.raises(Conflict, match="Another file"):
        await WatchlistImports(asks(store, clock, ben)).start(
            first.import_id, WatchlistImportChoices()
        )
    kept = await everything_of(store.engine, WatchlistImportRows)
    assert {one.import_id for one in kept} == {second.import_id}


async def test_while_one_runs_there_is_no_other(store: Store, clock: Watch, ben: User) -> None:
    ready = await prepared(store, clock, ben, LETTERBOXD, "letterboxd.zip")
    await WatchlistImports(asks(store, clock, ben)).start(ready.import_id, WatchlistImportChoices())
    with pytest.raises(Conflict, match="still running"):
        await WatchlistImports(asks(store, clock, ben)).prepare(FILES)


async def test_one_that_waits_is_forgotten_and_one_that_runs_is_stopped(
    store: Store, clock: Watch, ben: User
) -> None:
    ready = await prepared(store, clock, ben, LETTERBOXD, "letterboxd.zip")
    await WatchlistImports(asks(store, clock, ben)).cancel()
    with pytest.raises(NotFound):
        await WatchlistImports(asks(store, clock, ben)).see()
    ready = await prepared(store, clock, ben, LETTERBOXD, "letterboxd.zip")
    await WatchlistImports(asks(store, clock, ben)).start(ready.import_id, WatchlistImportChoices())
    await WatchlistImports(asks(store, clock, ben)).cancel()
    await tidied(store, clock)
    assert (await WatchlistImports(asks(store, clock, ben)).see()).state == "cancelled"
    assert await everything_of(store.engine, WatchlistImportRows) == []


async def test_a_report_is_kept_for_a_month(store: Store, clock: Watch, ben: User) -> None:
    await imported(store, clock, ben, LETTERBOXD, "letterboxd.zip", unknown="leave")
    clock.now += IMPORTS.kept_seconds - 10_000
    await tidied(store, clock)
    assert (await WatchlistImports(asks(store, clock, ben)).see()).state == "done"
    clock.now += 20_000
    await tidied(store, clock)
    left = await left_of_room(store.engine)
    assert not {name for name in left if "Import" in name or "Unmatched" in name}


async def test_one_that_was_given_up_goes_on(store: Store, clock: Watch, ben: User) -> None:
    ready = await prepared(store, clock, ben, LETTERBOXD, "letterboxd.zip")
    await WatchlistImports(asks(store, clock, ben)).start(ready.import_id, WatchlistImportChoices())
    again = await WatchlistImports(asks(store, clock, ben)).start(
        ready.import_id, WatchlistImportChoices()
    )
    assert again.state == "running"
    assert (await finished(store, clock, ben)).added == 8


async def test_unreadable_files_leave_what_was_there(store: Store, clock: Watch, ben: User) -> None:
    ready = await prepared(store, clock, ben, LETTERBOXD, "letterboxd.zip")
    with pytest.raises(UnreadableFile):
        await WatchlistImports(asks(store, clock, ben)).prepare(
            [("a.csv", b"just,some\nwords,here")]
        )
    assert (await WatchlistImports(asks(store, clock, ben)).see()).import_id == ready.import_id


async def test_nobody_sends_files_all_day(store: Store, clock: Watch, ben: User) -> None:
    file = [("list.csv", own_list("A"))]
    for _ in range(SENT_BY_PERSON.tries):
        await WatchlistImports(asks(store, clock, ben)).prepare(file)
    with pytest.raises(RateLimited):
        await WatchlistImports(asks(store, clock, ben)).prepare(file)


async def test_whoever_leaves_takes_it_along(store: Store, clock: Watch, ben: User) -> None:
    ready = await prepared(store, clock, ben, LETTERBOXD, "letterboxd.zip")
    await WatchlistImports(asks(store, clock, ben)).start(
        ready.import_id, WatchlistImportChoices(unknown="leave")
    )
    await Scheduler(store, HANDLERS, clock=clock).once()
    await store.write(delete(ben))
    for _ in range(3):
        clock.now += 100
        await tidied(store, clock)
    assert await left_of_room(store.engine) == {}
    with pytest.raises(NotFound):
        await WatchlistImports(asks(store, clock, ben)).undo(ready.import_id)


async def test_an_import_of_somebody_else_is_not_there(
    store: Store, clock: Watch, ben: User, eve: User
) -> None:
    await prepared(store, clock, ben, LETTERBOXD, "letterboxd.zip")
    for action in (WatchlistImports.see, WatchlistImports.cancel):
        with pytest.raises(NotFound):
            await action(WatchlistImports(asks(store, clock, eve)))
    assert len(await everything_of(store.engine, WatchlistImport)) == 1
