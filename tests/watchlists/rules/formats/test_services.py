"""What other services export becomes lists, ratings and what was seen."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest

from commonroom.watchlists.rules.formats import ParsedWatchlistFiles, WatchlistRow
from commonroom.watchlists.rules.formats.files import read_files
from tests.watchlists.rules.formats import exports
from tests.watchlists.rules.formats.exports import zipped

NOW = 1_780_000_000.0
UTC = ZoneInfo("UTC")


def read(name: str, content: bytes | str, zone: ZoneInfo = UTC) -> ParsedWatchlistFiles:
    """One file."""
    return read_files(
        [(name, content.encode() if isinstance(content, str) else content)], NOW, zone
    )


def on_lists(found: ParsedWatchlistFiles) -> dict[str, list[tuple[str, str | None]]]:
    """What is on each list, with its notes."""
    titles = {row.list_number: row.listed.title for row in found.rows if row.listed}
    lists: dict[str, list[tuple[str, str | None]]] = {title: [] for title in titles.values()}
    for row in found.rows:
        if row.item is not None:
            lists[titles[row.list_number]].append((row.title, row.item.note))
    return lists


def opinions(found: ParsedWatchlistFiles) -> dict[str, tuple[int | None, bool, str | None]]:
    """How each title is rated, whether it was seen, and when."""
    return {
        row.title: (row.opinion.rating, row.opinion.is_seen, row.opinion.seen_on)
        for row in found.rows
        if row.opinion is not None
    }


def row_of(found: ParsedWatchlistFiles, title: str) -> WatchlistRow:
    """The first row about a title."""
    return next(row for row in found.rows if row.of is not None and row.title == title)


class TestLetterboxd:
    @pytest.mark.parametrize("first", ["\n", ""])
    def test_lists_of_older_exports_are_read(self, first: str) -> None:
        newer = exports.LETTERBOXD["lists/autumn-evenings.csv"]
        older = newer.replace("Letterboxd list export v7\n", first)
        found = read("autumn-evenings.csv", older)
        assert on_lists(found) == {"Autumn evenings": [("Heat", None), ("Alien", "Still holds up")]}
        assert found.formats == ["letterboxd"]

    def test_opinions_come_before_lists(self) -> None:
        found = read("letterboxd.zip", zipped(exports.LETTERBOXD))
        kinds = [row.opinion is not None for row in found.rows]
        assert kinds == sorted(kinds, reverse=True)

    @pytest.mark.parametrize("folder", ["", "letterboxd-mo-2026-01-01/"])
    def test_an_archive_is_lists_and_one_opinion_of_each_film(self, folder: str) -> None:
        found = read("letterboxd.zip", zipped(exports.LETTERBOXD, folder))
        assert found.formats == ["letterboxd"]
        assert on_lists(found) == {
            "Letterboxd watchlist": [("Alien", None), ("Crouching Tiger, Hidden Dragon", None)],
            "Letterboxd likes": [("Heat", None)],
            "Autumn evenings": [("Heat", None), ("Alien", "Still holds up")],
        }
        assert opinions(found) == {
            "The Matrix": (9, True, "2023-05-05"),
            "Heat": (1, True, None),
            "Alien": (None, True, None),
        }
        assert found.bad == []

    def test_the_rating_of_today_counts_and_not_the_diarys(self) -> None:
        found = read("letterboxd.zip", zipped(exports.LETTERBOXD))
        opinion = row_of(found, "The Matrix").opinion
        assert opinion is not None
        assert (opinion.rating, opinion.review) == (9, "Still good,\n& green.")

    def test_what_is_not_kept_is_named(self) -> None:
        found = read("letterboxd.zip", zipped(exports.LETTERBOXD))
        assert set(found.unkept) == {"profile.csv", "comments.csv", "Tags"}
        assert "Gigli" not in {row.title for row in found.rows}

    def test_a_list_has_a_header_in_two_parts(self) -> None:
        found = read("autumn.csv", exports.LETTERBOXD["lists/autumn-evenings.csv"])
        listed = found.rows[0].listed
        assert listed is not None
        assert listed.description == "Two lines,\nwith tea."
        assert listed.tags == ["rain", "tea"]
        assert [row.number for row in found.rows if not row.ends_list] == [3, 6, 7]

    def test_a_list_that_a_spreadsheet_saved_is_known(self) -> None:
        text = exports.LETTERBOXD["lists/autumn-evenings.csv"].replace(
            "Letterboxd list export v7\n", "\ufeffLetterboxd list export v7,,,,\n"
        )
        assert on_lists(read("a.csv", text)) == {
            "Autumn evenings": [("Heat", None), ("Alien", "Still holds up")]
        }
        semicolons = text.replace(
            "Date,Name,Tags,URL,Description", "Date;Name;Tags;URL;Description"
        )
        rows = "Position;Name;Year;URL;Description\n1;Heat;1995;u;\n"
        head, _, _ = semicolons.partition("Position,")
        assert on_lists(read("b.csv", head.replace(",,,,", ";;;;") + rows)).popitem()[1] == [
            ("Heat", None)
        ]

    @pytest.mark.parametrize(
        "name, lists",
        [
            ("watchlist.csv", ["Letterboxd watchlist"]),
            ("watchlist-mo-2026.csv", ["Letterboxd watchlist"]),
            ("watched.csv", []),
            ("films.csv", ["Letterboxd watchlist"]),
        ],
    )
    def test_the_name_tells_what_was_watched_from_what_is_to_be(
        self, name: str, lists: list[str]
    ) -> None:
        found = read(name, exports.LETTERBOXD["watched.csv"])
        assert list(on_lists(found)) == lists
        assert len(opinions(found)) == (0 if lists else 3)

    def test_half_stars_are_points_of_ten(self) -> None:
        head = "Date,Name,Year,Letterboxd URI,Rating\n"
        rows = "".join(f"2022-01-01,F{n},2000,u,{n / 2:g}\n" for n in range(1, 11))
        found = read("ratings.csv", head + rows + "2022-01-01,G,2000,u,0\n2022-01-01,H,2000,u,7\n")
        assert [one[0] for one in opinions(found).values()] == [*range(1, 11), None, None]
        assert [(one.field, one.title) for one in found.warnings] == [("rating", "H")]


class TestImdb:
    def test_a_list_is_in_order_and_may_say_how_one_rated(self) -> None:
        found = read("WATCHLIST.csv", exports.IMDB_LIST)
        assert found.formats == ["imdb"]
        assert on_lists(found) == {
            "IMDb watchlist": [("Alien", "In space"), ("Breaking Bad", None)]
        }
        assert opinions(found) == {"Breaking Bad": (9, True, None)}
        alien = row_of(found, "Alien").of
        assert alien is not None
        assert (alien.imdb_id, alien.content_type, alien.runtime) == ("tt0078748", "MOVIE", 117)
        assert (alien.genres, alien.makers) == (["Horror", "Sci-Fi"], ["Ridley Scott"])
        assert [(one.number, one.title) for one in found.bad] == [(4, "Pilot")]
        assert found.unkept == []

    def test_ratings_are_opinions(self) -> None:
        found = read("ratings.csv", exports.IMDB_RATINGS)
        assert (on_lists(found), opinions(found)) == ({}, {"The Matrix": (9, True, None)})
        opinion = row_of(found, "The Matrix").opinion
        assert opinion is not None
        assert opinion.rated_at == "2020-01-02T00:00:00.000Z"

    def test_the_columns_of_earlier_years_are_known(self) -> None:
        found = read("list.csv", exports.IMDB_OLD)
        assert on_lists(found) == {"IMDb list": [("Heat", None)]}
        assert opinions(found) == {"Heat": (8, True, None)}
        row = next(row for row in found.rows if row.item)
        assert row.item is not None
        assert row.item.added_at == "2015-01-05T00:00:00.000Z"
        assert on_lists(read("ratings.csv", exports.IMDB_OLD)) == {}

    def test_several_files_come_at_once(self) -> None:
        sent = [
            ("WATCHLIST.csv", exports.IMDB_LIST.encode()),
            ("ratings.csv", exports.IMDB_RATINGS.encode()),
        ]
        found = read_files(sent, NOW, UTC)
        assert set(opinions(found)) == {"Breaking Bad", "The Matrix"}
        assert {row.file for row in found.rows} == {"WATCHLIST.csv", "ratings.csv"}
        assert [one.file for one in found.bad] == ["WATCHLIST.csv"]


class TestTrakt:
    @pytest.mark.parametrize("folder", ["", "mo/"])
    def test_an_archive_is_lists_ratings_and_history(self, folder: str) -> None:
        found = read("trakt.zip", zipped(exports.TRAKT, folder))
        assert found.formats == ["trakt"]
        assert on_lists(found) == {
            "Trakt watchlist": [("Breaking Bad", "With popcorn")],
            "Mind benders": [("The Matrix", None), ("Breaking Bad", None)],
        }
        assert opinions(found) == {
            "The Matrix": (9, True, "2024-04-01"),
            "Breaking Bad": (None, False, "2024-03-02"),
        }
        matrix, show = row_of(found, "The Matrix"), row_of(found, "Breaking Bad")
        assert matrix.of is not None
        assert (matrix.of.tmdb_id, matrix.of.content_type) == (603, "MOVIE")
        assert show.of is not None
        assert (show.of.tmdb_id, show.of.content_type) == (1396, "SHOW")

    def test_a_list_keeps_its_description_and_numbers(self) -> None:
        found = read("trakt.zip", zipped(exports.TRAKT))
        (listed,) = [row.listed for row in found.rows if row.title == "Mind benders"]
        assert listed is not None
        assert (listed.description, listed.is_numbered) == ("Red pills.", True)
        assert [(one.number, one.why) for one in found.bad] == [(3, "This is not a film or show.")]

    def test_a_comment_is_a_review_and_what_has_no_place_is_named(self) -> None:
        found = read("trakt.zip", zipped(exports.TRAKT))
        opinion = next(
            row.opinion for row in found.rows if row.opinion and row.title == "The Matrix"
        )
        assert opinion is not None
        assert opinion.review == "Follow the rabbit."
        left = set(found.unkept)
        assert left >= {"your Trakt collection", "ratings and comments of episodes and seasons"}
        assert any(name.endswith("user-profile.json") for name in left)
        assert not any("hidden" in name for name in left)

    def test_episodes_say_that_a_show_was_begun(self) -> None:
        found = read("trakt.zip", zipped(exports.TRAKT))
        opinion = next(row.opinion for row in found.rows if row.opinion and "Bad" in row.title)
        assert opinion is not None
        assert (opinion.is_begun, opinion.is_seen) == (True, False)

    def test_a_day_is_that_of_the_place_where_one_lives(self) -> None:
        history = {"watched-history.json": exports.TRAKT["watched-history-1.json"]}
        far_east = ZoneInfo("Asia/Tokyo")
        assert opinions(read("h.zip", zipped(history)))["The Matrix"][2] == "2024-03-01"
        assert opinions(read("h.zip", zipped(history), far_east))["The Matrix"][2] == "2024-03-02"

    def test_each_file_can_come_alone(self) -> None:
        only = {"lists-watchlist.json": exports.TRAKT["lists-watchlist.json"]}
        assert on_lists(read("t.zip", zipped(only))) == {
            "Trakt watchlist": [("Breaking Bad", "With popcorn")]
        }

    def test_tables_are_known_by_their_columns(self) -> None:
        assert opinions(read("history.csv", exports.TRAKT_HISTORY)) == {
            "The Matrix": (None, True, "2024-03-01")
        }
        assert opinions(read("ratings.csv", exports.TRAKT_RATINGS)) == {
            "Breaking Bad": (10, True, None)
        }
        found = read("watchlist.csv", exports.TRAKT_LIST)
        assert on_lists(found) == {
            "Trakt watchlist": [("The Matrix", None), ("Breaking Bad", None)]
        }
        assert found.unkept == []
