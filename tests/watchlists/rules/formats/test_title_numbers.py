"""Rows that mean one title are known to, whichever file they stand in."""

from __future__ import annotations

from commonroom.watchlists.rules.formats import OpinionRead, TitleRead, WatchlistRow
from commonroom.watchlists.rules.formats.contents import number_titles


def numbered(*titles: TitleRead) -> list[WatchlistRow]:
    """An opinion of each."""
    return number_titles(
        [WatchlistRow(number=1, of=of, opinion=OpinionRead(rating=5)) for of in titles]
    )


def test_every_title_has_one_number_however_many_rows_are_about_it() -> None:
    heat, alien = TitleRead("Heat", 1995), TitleRead("Alien", 1979)
    assert [row.title_number for row in numbered(heat, alien, heat, alien, heat)] == [0, 1, 0, 1, 0]


def test_a_row_without_ids_has_those_of_the_only_one_that_is_called_so() -> None:
    plain, known = (
        TitleRead("The Heat", 1995),
        TitleRead("Heat", 1995, "MOVIE", imdb_id="tt0113277"),
    )
    first, second = numbered(plain, known)
    assert first.of is not None
    assert (first.of.imdb_id, first.of.title) == ("tt0113277", "The Heat")
    assert first.title_number == second.title_number


def test_of_two_ids_neither_is_guessed_and_another_year_is_another_title() -> None:
    one = TitleRead("Heat", 1995, "MOVIE", imdb_id="tt0113277")
    two = TitleRead("Heat", 1995, "MOVIE", imdb_id="tt9999999")
    rows = numbered(one, two, TitleRead("Heat", 1995), TitleRead("Heat", 1996), TitleRead("Heat"))
    assert [row.of.imdb_id for row in rows if row.of][2:] == [None, None, None]
    assert [row.title_number for row in rows] == [0, 1, 2, 3, 4]
