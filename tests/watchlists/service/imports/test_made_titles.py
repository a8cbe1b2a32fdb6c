"""Titles that imports make: each once, with the ids that files know, and no two as one."""

from __future__ import annotations

import pytest

from commonroom.accounts.tables import User
from commonroom.store import Store
from commonroom.titles.stored_titles import Stored
from commonroom.titles.tables import Movie
from commonroom.watchlists.service.imports import matching
from commonroom.watchlists.tables import Rating
from tests.accounts.people import Watch
from tests.support.fixtures import either
from tests.watchlists.examples import everything_of
from tests.watchlists.import_files import NOW, check_watchlists, imported, own_list, ratings_now
from tests.watchlists.rules.formats.exports import zipped

store = either

LETTERBOXD = "Date,Name,Year,Letterboxd URI,Rating\n"
IMDB = "Const,Your Rating,Date Rated,Title,Title Type,Year\n"


async def films(store: Store) -> list[tuple[str, int | None, str | None]]:
    """What is in the catalogue: title, year and IMDb's id."""
    found: list[Stored] = await everything_of(store.engine, Movie)
    return sorted((one.title, one.release_year, one.imdb_id) for one in found)  # type: ignore[union-attr]


@pytest.fixture(autouse=True)
def _today(clock: Watch) -> None:
    clock.now = NOW


async def test_a_row_with_an_id_takes_no_title_of_another_year(
    store: Store, clock: Watch, ben: User
) -> None:
    made = f"{LETTERBOXD}2024-01-01,Winterfall,1983,u,2\n".encode()
    await imported(store, clock, ben, made, "ratings.csv")
    other = f"{IMDB}tt7000001,9,2024-02-02,Winterfall,Movie,1984\n".encode()
    await imported(store, clock, ben, other, "ratings.csv", rated="replace")
    assert await films(store) == [
        ("Winterfall", 1983, None),
        ("Winterfall", 1984, "tt7000001"),
    ]
    await check_watchlists(store)


async def test_ids_are_kept_on_titles_that_lack_them_and_tell_others_apart(
    store: Store, clock: Watch, ben: User
) -> None:
    made = f"{LETTERBOXD}2024-01-01,Winterfall,1983,u,2\n".encode()
    await imported(store, clock, ben, made, "ratings.csv")
    rows = (
        "tt7000001,9,2024-02-02,Winterfall,Movie,1983\n"
        "tt7000002,5,2024-02-03,Winterfall,Movie,1983\n"
    )
    seen = await imported(
        store, clock, ben, f"{IMDB}{rows}".encode(), "ratings.csv", rated="replace"
    )
    assert (seen.added, seen.failed) == (2, 0)
    assert await films(store) == [
        ("Winterfall", 1983, "tt7000001"),
        ("Winterfall", 1983, "tt7000002"),
    ]
    again = await imported(store, clock, ben, f"{IMDB}{rows}".encode(), "ratings.csv", rated="keep")
    assert (again.added, again.skipped) == (0, 2)
    await check_watchlists(store)


async def test_one_id_is_one_title_whatever_its_name_is_in_another_language(
    store: Store, clock: Watch, ben: User, ada: User
) -> None:
    made = f"{LETTERBOXD}2024-01-01,Winterfall,1983,u,2\n".encode()
    await imported(store, clock, ben, made, "ratings.csv")
    english = f"{IMDB}tt7000001,9,2024-02-02,Winterfall,Movie,1983\n".encode()
    await imported(store, clock, ada, english, "ratings.csv")
    italian = f"{IMDB}tt7000001,7,2024-02-02,Caduta d'inverno,Movie,1983\n".encode()
    await imported(store, clock, ben, italian, "ratings.csv", rated="replace")
    assert [one for one in await films(store) if one[2]] == [("Winterfall", 1983, "tt7000001")]
    found = await everything_of(store.engine, Rating)
    assert sorted(one.rating or 0 for one in found) == [7, 9]


async def test_two_of_a_name_from_years_beside_each_other_are_two(
    store: Store, clock: Watch, ben: User
) -> None:
    rows = "2024-01-01,The Matrix,1999,u,5\n2024-01-01,The Matrix,1998,u,2\n"
    await imported(store, clock, ben, f"{LETTERBOXD}{rows}".encode(), "ratings.csv")
    assert {one[:2] for one in await films(store)} >= {("The Matrix", 1999), ("The Matrix", 1998)}
    found = await everything_of(store.engine, Rating)
    assert sorted(one.rating or 0 for one in found) == [4, 10]


async def test_a_row_without_a_year_finds_what_was_made_of_it_beside_namesakes(
    store: Store, clock: Watch, ben: User
) -> None:
    rows = "2024-01-01,Winterfall,1983,u,5\n2024-01-01,Winterfall,,u,2\n"
    file = f"{LETTERBOXD}{rows}".encode()
    await imported(store, clock, ben, file, "ratings.csv")
    again = await imported(store, clock, ben, file, "ratings.csv")
    assert again.preview is not None
    assert (again.preview.unmatched, again.preview.outcome.already) == (0, 2)
    assert (again.added, again.skipped) == (0, 2)


async def test_the_bound_counts_titles_not_rows(
    store: Store, clock: Watch, ben: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matching, "MAX_MADE", 2)
    lists = [
        own_list(name, "film,Winterfall,1983,,,,,,,,", "film,Summerfall,1984,,,,,,,,")
        for name in ("One", "Two", "Three")
    ]
    ready = await imported(store, clock, ben, b"\r\n".join(lists), "list.csv")
    assert (ready.added, ready.unmatched) == (6, 0)
    await imported(store, clock, ben, own_list("Four", *(f"film,T{n},2000,,,,,,,," for n in "abc")))
    assert len(await films(store)) == 4, "the third is put aside"


async def test_ratings_of_a_large_import_come_before_its_lists(
    store: Store, clock: Watch, ben: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matching, "MAX_MADE", 1)
    file = {
        "watchlist.csv": "Date,Name,Year,Letterboxd URI\n2024-01-01,Summerfall,1984,u\n",
        "ratings.csv": f"{LETTERBOXD}2024-01-01,Winterfall,1983,u,2\n",
    }
    seen = await imported(store, clock, ben, zipped(file), "letterboxd.zip")
    assert await ratings_now(store) == {"Winterfall": (4, None)}
    assert seen.unmatched == 1
