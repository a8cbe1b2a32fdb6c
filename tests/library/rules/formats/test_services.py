"""Files as Goodreads, LibraryThing and Libib export them: real books of invented people."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from commonroom.library.rules.formats.reading import read_file
from commonroom.library.rules.formats.rows import FileRead, Row

EXPORTS = Path(__file__).parent / "exports"
NOW = 1_770_000_000.0


def exported(name: str) -> FileRead:
    return read_file((EXPORTS / name).read_bytes(), NOW)


def row(found: FileRead, title: str) -> Row:
    return next(one for one in found.rows if one.title == title)


def people(one: Row) -> Any:
    return one.fields["authors" if one.kind == "book" else "directors"]


class TestGoodreads:
    @pytest.fixture
    def found(self) -> FileRead:
        return exported("goodreads.csv")

    def test_is_known_by_its_header(self, found: FileRead) -> None:
        assert found.format == "goodreads"
        assert [one.number for one in found.rows] == [2, 3, 4, 5, 6, 7, 8]
        assert found.bad == []

    def test_a_series_in_the_title_is_a_collection_and_a_place(self, found: FileRead) -> None:
        towers = row(found, "The Two Towers")
        assert (towers.collection, towers.order) == ("The Lord of the Rings", 2)
        assert row(found, "Le Petit Prince").collection is None

    def test_of_two_series_the_first_counts_and_of_several_volumes_the_first(
        self, found: FileRead
    ) -> None:
        magic, compass = row(found, "The Colour of Magic"), row(found, "The Golden Compass")
        assert (magic.collection, magic.order) == ("Discworld", 1)
        assert (compass.collection, compass.order) == ("His Dark Materials", 1)

    def test_authors_are_the_first_and_the_additional_ones(self, found: FileRead) -> None:
        assert people(row(found, "The Two Towers")) == ["J.R.R. Tolkien"]
        assert people(found.rows[3]) == ["Terry Pratchett", "Neil Gaiman"]
        assert people(row(found, "A Canticle for Leibowitz")) == [
            "Walter M. Miller Jr.",
            "Mary Doria Russell",
            "Tom Weiner, Jr.",
        ]

    def test_isbns_lose_what_keeps_them_from_being_numbers(self, found: FileRead) -> None:
        assert found.rows[0].fields["isbn"] == "9780261103573"
        assert row(found, "Le Petit Prince").fields["isbn"] == "2070612759"
        assert "isbn" not in row(found, "A Canticle for Leibowitz").fields

    def test_an_isbn_that_is_none_is_left_out_and_told(self, found: FileRead) -> None:
        assert "isbn" not in row(found, "The Golden Compass").fields
        assert [(one.number, one.field) for one in found.warnings] == [(8, "isbn")]

    def test_shelves_are_the_exclusive_ones(self, found: FileRead) -> None:
        assert {shelf for one in found.rows for shelf in one.shelves} == {
            "read",
            "currently-reading",
            "to-read",
        }


class TestLibraryThing:
    @pytest.fixture(params=["librarything.csv", "librarything.tsv"])
    def found(self, request: pytest.FixtureRequest) -> FileRead:
        return exported(request.param)

    def test_is_known_with_commas_and_with_tabs(self, found: FileRead) -> None:
        assert found.format == "librarything"
        assert [one.number for one in found.rows] == [2, 3, 4, 5, 6]
        assert found.bad == []

    def test_names_are_turned_round(self, found: FileRead) -> None:
        assert people(found.rows[0]) == ["J. K. Rowling", "Thomas Taylor"]
        assert people(found.rows[2]) == ["Martin Luther King, Jr."]
        assert people(row(found, "The Odyssey")) == ["Homer", "E. V. Rieu", "D. C. H. Rieu"]

    def test_isbns_come_out_of_their_brackets_the_long_one_first(self, found: FileRead) -> None:
        assert found.rows[0].fields["isbn"] == "9780747532699"
        assert row(found, "Good Omens").fields["isbn"] == "0060853980"
        assert "isbn" not in found.rows[2].fields

    def test_a_dvd_is_a_video_whose_people_have_roles(self, found: FileRead) -> None:
        totoro = row(found, "My Neighbor Totoro")
        assert totoro.kind == "video"
        assert people(totoro) == ["Hayao Miyazaki"]
        assert totoro.fields["cast"] == ["Noriko Hidaka", "Chika Sakamoto"]
        assert totoro.fields["release_year"] == 1988

    def test_only_a_summary_that_somebody_wrote_is_taken(self, found: FileRead) -> None:
        assert "summary" not in found.rows[0].fields
        summary = row(found, "Good Omens").fields["summary"]
        assert summary == "An angel and a demon lose the Antichrist."

    def test_collections_are_shelves_and_a_loan_is_told(self, found: FileRead) -> None:
        assert row(found, "Good Omens").shelves == ["Your library", "Wishlist"]
        assert [(one.number, one.field) for one in found.warnings] == [(2, "lent_to")]
        assert "Cousin Léa" in found.warnings[0].why


class TestLibib:
    @pytest.fixture
    def found(self) -> FileRead:
        return exported("libib.csv")

    def test_takes_books_and_films_and_names_what_is_neither(self, found: FileRead) -> None:
        assert found.format == "libib"
        assert [one.kind for one in found.rows] == ["book", "book", "video", "video"]
        assert [(one.number, one.field, one.title) for one in found.bad] == [
            (6, "item_type", "Portal")
        ]

    def test_a_book_has_its_creators_group_and_isbn(self, found: FileRead) -> None:
        dune = row(found, "Dune")
        assert dune.fields["isbn"] == "9780441013593"
        assert (dune.collection, dune.order, dune.shelves) == (
            "Dune Chronicles",
            None,
            ["Living room"],
        )
        assert people(row(found, "Persepolis")) == ["Marjane Satrapi", "Mattias Ripa"]

    def test_a_film_has_its_director_cast_year_and_minutes(self, found: FileRead) -> None:
        away, playtime = row(found, "Spirited Away"), row(found, "Playtime")
        assert people(away) == ["Hayao Miyazaki"]
        assert len(away.fields["cast"] or []) == 5  # type: ignore[arg-type] # a list of names
        assert (away.fields["release_year"], away.fields["duration"]) == (2003, 125)
        assert people(playtime) == ["Jacques Tati"]
        assert (playtime.fields["release_year"], playtime.fields["duration"]) == (1967, 124)
        assert "isbn" not in away.fields
        assert found.warnings == []
