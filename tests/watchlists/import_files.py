"""Files that come into watchlists, and what they become."""

from __future__ import annotations

from typing import Any

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.store import Store
from commonroom.store.checking import ReportedProblem, check_store
from commonroom.titles.stored_titles import load_title
from commonroom.titles.titles import TitleId
from commonroom.watchlists.checks import checks
from commonroom.watchlists.rules.imports import WatchlistImportChoices
from commonroom.watchlists.service.access import get_contents
from commonroom.watchlists.service.imports import WatchlistImportStatus
from commonroom.watchlists.service.imports.lifecycle import WatchlistImports
from commonroom.watchlists.tables import Rating, Seen, Watchlist
from tests.accounts.people import Watch
from tests.support.transfers import ignore
from tests.watchlists.examples import TABLES, everything_of, tidied
from tests.watchlists.rules.formats import exports
from tests.watchlists.rules.formats.exports import zipped

NOW = 1_780_000_000.0
LETTERBOXD = zipped(exports.LETTERBOXD)
OWN_HEADER = "Type,Title,Year,tmdbID,imdbID,ID,Description,Tags,Numbered,Cover,Added\r\n"


def own_list(title: str, *rows: str) -> bytes:
    """A list of ours with these rows."""
    return (OWN_HEADER + f"list,{title},,,,,,,no,,\r\n" + "\r\n".join(rows)).encode()


async def prepared(
    store: Store, clock: Watch, person: User, file: bytes, name: str = "file.csv"
) -> WatchlistImportStatus:
    """A file whose titles were looked up."""
    await WatchlistImports(Context(store, person, clock())).prepare([(name, file)])
    return await finished(store, clock, person)


async def imported(
    store: Store,
    clock: Watch,
    person: User,
    file: bytes,
    name: str = "file.csv",
    **choices: Any,
) -> WatchlistImportStatus:
    """A file that was worked through."""
    ready = await prepared(store, clock, person, file, name)
    await WatchlistImports(Context(store, person, clock())).start(
        ready.import_id, WatchlistImportChoices(**choices)
    )
    return await finished(store, clock, person)


async def finished(store: Store, clock: Watch, person: User) -> WatchlistImportStatus:
    """An import once nothing happens to it any more."""
    while True:
        await tidied(store, clock)
        seen = await WatchlistImports(Context(store, person)).see()
        if seen.state not in ("arriving", "running", "undoing"):
            return seen
        clock.now += 100


async def undone(store: Store, clock: Watch, person: User) -> WatchlistImportStatus:
    """An import once it is undone."""
    seen = await WatchlistImports(Context(store, person)).see()
    await WatchlistImports(Context(store, person, clock())).undo(seen.import_id)
    return await finished(store, clock, person)


async def lists_now(store: Store) -> dict[str, list[tuple[str, str | None]]]:
    """All lists by name, with what is on them and why."""
    found: dict[str, list[tuple[str, str | None]]] = {}
    for one in await everything_of(store.engine, Watchlist):
        whole = await get_contents(store, one.watchlist_id)
        assert whole.watchlist.item_count == len(whole.items)
        found[one.title] = [(item.title, item.curator_note) for item in whole.items]
    return found


async def ratings_now(store: Store) -> dict[str, tuple[int | None, str | None]]:
    """All ratings by the names of titles."""
    found = await everything_of(store.engine, Rating)
    return {await _name(store, one): (one.rating, one.review) for one in found}


async def seen_now(store: Store, person: User | None = None) -> dict[str, str | None]:
    """All that was seen by the names of titles, and when."""
    found = await everything_of(store.engine, Seen)
    return {
        await _name(store, one): one.seen_on
        for one in found
        if one.is_seen and (person is None or one.user_id == person.user_id)
    }


async def _name(store: Store, one: Rating | Seen) -> str:
    title = await load_title(store, TitleId(one.content_type, one.content_id))
    assert title is not None
    return title.title


async def check_watchlists(store: Store) -> None:
    """Everything that is counted is what is there."""
    problems: list[ReportedProblem] = []
    await check_store(
        store, TABLES, checks(), repair=False, report=problems.append, progress=ignore
    )
    # Titles that tests put into the catalogue have no claims, and a list's card follows behind it.
    wrong = [one for one in problems if "TMDB" not in one.detail and one.check != "facets"]
    assert wrong == []
    await lists_now(store)
