"""What public lists are found under, and what their cards show."""

from __future__ import annotations

from typing import Any

from commonroom.watchlists.rules import facets
from commonroom.watchlists.tables import Watchlist, WatchlistItem


def watchlist(**fields: Any) -> Watchlist:
    return Watchlist(
        watchlist_id="w", curator_id="ada", title="T", created_at="", updated_at="", **fields
    )


def item(number: int, year: int | None = 1994, genres: tuple[str, ...] = ()) -> WatchlistItem:
    return WatchlistItem(
        watchlist_id="w",
        content_type="MOVIE",
        content_id=str(number),
        position=number,
        added_at="",
        title=f"Film {number}",
        year=year,
        genres=list(genres),
    )


def test_a_list_is_found_under_curator_tags_genres_decades_and_titles() -> None:
    found = facets.facets_of(
        watchlist(tags=["Noir"]), [item(1, 1994, ("Drama",)), item(2, 2003, ("Drama", "Crime"))]
    )
    assert found == {
        "curator#ada",
        "tag#noir",
        "genre#drama",
        "genre#crime",
        "decade#1990",
        "decade#2000",
        "MOVIE#1",
        "MOVIE#2",
    }


def test_nobody_finds_private_lists_those_of_suspended_curators_and_empty_ones() -> None:
    assert facets.facets_of(watchlist(is_public=False), [item(1)]) == set()
    assert facets.facets_of(watchlist(curator_status="suspended"), [item(1)]) == set()
    assert facets.facets_of(watchlist(tags=["Noir"]), []) == set()


def test_a_genre_or_decade_counts_where_one_in_five_titles_has_it() -> None:
    many = [item(number, 1994, ("Drama",)) for number in range(8)]
    two = [item(10, 2003, ("Crime",)), item(11, 2003, ("Crime",))]
    one = [item(12, 1987, ("War",))]
    found = facets.facets_of(watchlist(), [*many, *two])
    assert {"genre#crime", "decade#2000"} <= found
    found = facets.facets_of(watchlist(), [*many, *two, *one])
    assert {"genre#war", "decade#1980"}.isdisjoint(found)
    assert facets.genres_of([*many, *two]) == ["Drama", "Crime"]


def test_a_title_without_a_year_or_with_odd_genres_does_no_harm() -> None:
    found = facets.facets_of(watchlist(), [item(1, None, ("A#B",))])
    assert found == {"curator#ada", "MOVIE#1"}


def test_a_card_shows_the_first_titles_and_before_them_the_chosen_one() -> None:
    items = [item(number) for number in range(8, 0, -1)]
    shown = facets.posters_of(watchlist(), items)
    assert [one.content_id for one in shown] == ["1", "2", "3", "4", "5"]
    shown = facets.posters_of(watchlist(cover_title="MOVIE#7"), items)
    assert [one.content_id for one in shown] == ["7", "1", "2", "3", "4"]
    shown = facets.posters_of(watchlist(cover_title="MOVIE#99"), items)
    assert shown[0].content_id == "1"


def test_an_entry_is_under_its_facet() -> None:
    made = facets.entry("tag#noir", "2026-01-20T14:00:00.000Z", "w")
    assert made.to_item()["PK"] == "BROWSE#tag#noir"
