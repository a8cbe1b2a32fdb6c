"""Files as Goodreads, LibraryThing, StoryGraph and Libib export them: invented people's books."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from commonroom.library.rules.formats import LibraryRow, ParsedLibraryFile
from commonroom.library.rules.formats.files import read_file

EXPORTS = Path(__file__).parent / "exports"
NOW = 1_770_000_000.0


def exported(name: str) -> ParsedLibraryFile:
    return read_file((EXPORTS / name).read_bytes(), NOW)


def row(found: ParsedLibraryFile, title: str) -> LibraryRow:
    return next(one for one in found.rows if one.title == title)


def people(one: LibraryRow) -> Any:
    return one.fields["authors" if one.kind == "book" else "directors"]


class TestGoodreads:
    @pytest.fixture
    def found(self) -> ParsedLibraryFile:
        return exported("goodreads.csv")

    def test_is_known_by_its_header(self, found: ParsedLibraryFile) -> None:
        assert found.format == "goodreads"
        assert [one.number for one in found.rows] == [2, 3, 4, 5, 6, 7, 8]
        assert found.bad == []

    def test_a_series_in_the_title_is_a_collection_and_a_place(
        self, found: ParsedLibraryFile
    ) -> None:
        towers = row(found, "The Two Towers")
        assert (towers.collection, towers.order) == ("The Lord of the Rings", 2)
        assert row(found, "Le Petit Prince").collection is None

    def test_of_two_series_the_first_counts_and_of_several_volumes_the_first(
        self, found: ParsedLibraryFile
    ) -> None:
        magic, compass = row(found, "The Colour of Magic"), row(found, "The Golden Compass")
        assert (magic.collection, magic.order) == ("Discworld", 1)
        assert (compass.collection, compass.order) == ("His Dark Materials", 1)

    def test_authors_are_the_first_and_the_additional_ones(self, found: ParsedLibraryFile) -> None:
        assert people(row(found, "The Two Towers")) == ["J.R.R. Tolkien"]
        assert people(found.rows[3]) == ["Terry Pratchett", "Neil Gaiman"]
        assert people(row(found, "A Canticle for Leibowitz")) == [
            "Walter M. Miller Jr.",
            "Mary Doria Russell",
            "Tom Weiner, Jr.",
        ]

    def test_isbns_lose_what_keeps_them_from_being_numbers(self, found: ParsedLibraryFile) -> None:
        assert found.rows[0].fields["isbn"] == "9780261103573"
        assert row(found, "Le Petit Prince").fields["isbn"] == "2070612759"
        assert "isbn" not in row(found, "A Canticle for Leibowitz").fields

    def test_an_isbn_that_is_none_is_left_out_and_told(self, found: ParsedLibraryFile) -> None:
        assert "isbn" not in row(found, "The Golden Compass").fields
        assert [(one.number, one.field) for one in found.warnings] == [
            (4, "collection"),
            (8, "order"),
            (8, "isbn"),
        ]

    def test_what_its_owner_knows_and_thinks_of_it_is_kept(self, found: ParsedLibraryFile) -> None:
        kept = row(found, "The Fellowship of the Ring").fields
        assert kept["review"] == "Again and again.\nEven the songs."
        assert kept == kept | {
            "publisher": "HarperCollins",
            "format": "Paperback",
            "pages": 398,
            "year": 2011,
            "rating": 5.0,
            "status": "read",
            "finished_on": "2019-02-11",
            "tags": ["fantasy", "favorites"],
        }
        assert "rating" not in row(found, "A Canticle for Leibowitz").fields, "0 is none"
        assert row(found, "A Canticle for Leibowitz").fields["status"] == "to_read"

    @pytest.mark.parametrize("day", ["2099/01/01", "1901/01/01"])
    def test_a_day_out_of_bounds_is_left_out_and_told(self, day: str) -> None:
        head = (EXPORTS / "goodreads.csv").read_text().splitlines()[0]
        cells = [{"Title": "Emma", "Date Read": day}.get(one, "") for one in head.split(",")]
        found = read_file(f"{head}\n{','.join(cells)}\n".encode(), NOW)
        assert "finished_on" not in found.rows[0].fields
        [note] = found.warnings
        assert (note.number, note.title, note.field) == (2, "Emma", "finished_on")
        assert note.why.endswith("years. Skipped.")

    def test_what_there_is_no_place_for_is_named_once(self, found: ParsedLibraryFile) -> None:
        assert found.unkept == [
            "Average Rating",
            "Original Publication Year",
            "Date Added",
            "Read Count",
        ]

    def test_places_between_others_stay_there(self) -> None:
        header = (EXPORTS / "goodreads.csv").read_text().splitlines()[0]
        file = f'{header}\n1,"Short (Set, #1.5)",A,B\n2,"Odd (Set, #x1)",A,B\n'
        found = read_file(file.encode(), NOW)
        assert (found.rows[0].collection, found.rows[0].order) == ("Set", 1.5)
        assert found.rows[1].title == "Odd (Set, #x1)"

    @pytest.mark.parametrize(
        "shelf, status, tags",
        [
            ("did-not-finish", "gave_up", ["dragons"]),
            ("DNF", "gave_up", ["dragons"]),
            ("wont-finish", "gave_up", ["dragons"]),
            ("abandoned", "gave_up", ["dragons"]),
            ("want-to-finish-eventually", None, ["want-to-finish-eventually", "dragons"]),
            ("to-read-non-fiction", None, ["to-read-non-fiction", "dragons"]),
            ("read", "read", ["dragons"]),
        ],
    )
    def test_an_exclusive_shelf_is_a_status_or_a_tag(
        self, shelf: str, status: str | None, tags: list[str]
    ) -> None:
        head = "Title,Author,Author l-f,Bookshelves,Exclusive Shelf\n"
        file = f'{head}Eragon,Ann Otto,"Otto, Ann","{shelf}, dragons",{shelf}\n'
        fields = read_file(file.encode(), NOW).rows[0].fields
        assert fields.get("status") == status
        assert fields["tags"] == tags

    def test_titles_of_three_hundred_characters_are_whole(self) -> None:
        head = "Title,Author,Author l-f,Exclusive Shelf\n"
        found = read_file(f"{head}{'x' * 300},Ann Otto,Otto,read\n".encode(), NOW)
        assert found.rows[0].title == "x" * 300
        assert not found.warnings

    def test_shelves_are_the_exclusive_ones(self, found: ParsedLibraryFile) -> None:
        assert {shelf for one in found.rows for shelf in one.shelves} == {
            "read",
            "currently-reading",
            "to-read",
        }


class TestLibraryThing:
    @pytest.fixture(params=["librarything.csv", "librarything.tsv"])
    def found(self, request: pytest.FixtureRequest) -> ParsedLibraryFile:
        return exported(request.param)

    def test_is_known_with_commas_and_with_tabs(self, found: ParsedLibraryFile) -> None:
        assert found.format == "librarything"
        assert [one.number for one in found.rows] == [2, 3, 4, 5, 6]
        assert found.bad == []

    def test_names_are_turned_round(self, found: ParsedLibraryFile) -> None:
        assert people(found.rows[0]) == ["J. K. Rowling"]
        assert found.rows[0].fields["contributors"] == ["Thomas Taylor (Illustrator)"]
        assert people(found.rows[2]) == ["Martin Luther King, Jr."]
        assert people(row(found, "The Odyssey")) == ["Homer", "D. C. H. Rieu"]
        translated = row(found, "The Odyssey").fields["contributors"]
        assert translated == ["E. V. Rieu (Translator)"]

    def test_isbns_come_out_of_their_brackets_the_long_one_first(
        self, found: ParsedLibraryFile
    ) -> None:
        assert found.rows[0].fields["isbn"] == "9780747532699"
        assert row(found, "Good Omens").fields["isbn"] == "0060853980"
        assert "isbn" not in found.rows[2].fields

    def test_a_dvd_is_a_video_whose_people_have_roles(self, found: ParsedLibraryFile) -> None:
        totoro = row(found, "My Neighbor Totoro")
        assert totoro.kind == "video"
        assert people(totoro) == ["Hayao Miyazaki"]
        assert totoro.fields["cast"] == ["Noriko Hidaka", "Chika Sakamoto"]
        assert totoro.fields["release_year"] == 1988
        assert totoro.fields["contributors"] == ["Joe Hisaishi (Composer)"]
        assert totoro.fields["format"] == "DVD"

    def test_only_a_summary_that_somebody_wrote_is_taken(self, found: ParsedLibraryFile) -> None:
        assert "summary" not in found.rows[0].fields
        summary = row(found, "Good Omens").fields["summary"]
        assert summary == "An angel and a demon lose the Antichrist."

    def test_collections_are_shelves_and_a_loan_is_told(self, found: ParsedLibraryFile) -> None:
        assert row(found, "Good Omens").shelves == ["Your library", "Wishlist"]
        assert [(one.number, one.field) for one in found.warnings] == [(2, "lent_to")]
        assert "Cousin Léa" in found.warnings[0].why


class TestLibib:
    @pytest.fixture
    def found(self) -> ParsedLibraryFile:
        return exported("libib.csv")

    def test_takes_books_and_films_and_names_what_is_neither(
        self, found: ParsedLibraryFile
    ) -> None:
        assert found.format == "libib"
        assert [one.kind for one in found.rows] == ["book", "book", "video", "video"]
        assert [(one.number, one.field, one.title) for one in found.bad] == [
            (6, "item_type", "Portal")
        ]

    def test_a_book_has_its_creators_group_and_isbn(self, found: ParsedLibraryFile) -> None:
        dune = row(found, "Dune")
        assert dune.fields["isbn"] == "9780441013593"
        assert (dune.collection, dune.order, dune.shelves) == (
            "Dune Chronicles",
            None,
            ["Living room"],
        )
        assert people(row(found, "Persepolis")) == ["Marjane Satrapi", "Mattias Ripa"]

    def test_a_film_has_its_director_cast_year_and_minutes(self, found: ParsedLibraryFile) -> None:
        away, playtime = row(found, "Spirited Away"), row(found, "Playtime")
        assert people(away) == ["Hayao Miyazaki"]
        assert len(away.fields["cast"] or []) == 5  # type: ignore[arg-type] # a list of names
        assert (away.fields["release_year"], away.fields["duration"]) == (2003, 125)
        assert people(playtime) == ["Jacques Tati"]
        assert (playtime.fields["release_year"], playtime.fields["duration"]) == (1967, 124)
        assert "isbn" not in away.fields
        assert [(one.title, one.field) for one in found.warnings] == [("Spirited Away", "cast")]

    def test_what_its_owner_knows_and_thinks_of_it_is_kept(self, found: ParsedLibraryFile) -> None:
        dune = row(found, "Dune").fields
        assert dune == dune | {
            "publisher": "Ace",
            "year": 2005,
            "pages": 528,
            "rating": 5.0,
            "status": "read",
            "started_on": "2019-01-02",
            "finished_on": "2019-02-01",
            "tags": ["sf", "classics"],
        }
        assert "number_of_discs" in found.unkept


class TestStoryGraph:
    @pytest.fixture
    def found(self) -> ParsedLibraryFile:
        return exported("storygraph.csv")

    def test_is_known_by_its_header(self, found: ParsedLibraryFile) -> None:
        assert found.format == "storygraph"
        assert [one.number for one in found.rows] == [2, 3, 4, 5, 6]
        assert found.bad == []

    def test_what_its_owner_knows_and_thinks_of_it_is_kept(self, found: ParsedLibraryFile) -> None:
        read = row(found, "Piranesi").fields
        assert read == read | {
            "isbn": "9781635575637",
            "format": "hardcover",
            "status": "read",
            "started_on": "2025-01-05",
            "finished_on": "2025-01-09",
            "rating": 4.75,
            "review": 'Twice.\nAnd "again".',
            "tags": ["favourites", "statues"],
        }
        dune = row(found, "Dune").fields
        assert (dune["status"], dune["finished_on"]) == ("reading", "2025-02-01")

    def test_translators_are_kept_and_what_was_given_up_has_a_status(
        self, found: ParsedLibraryFile
    ) -> None:
        given_up = row(found, "The Odyssey").fields
        assert given_up["contributors"] == ["Emily Wilson (Translator)"]
        assert given_up["status"] == "gave_up"
        assert "tags" not in given_up

    @pytest.mark.parametrize("stars", [0.25, 3.75, 4.25])
    def test_quarter_stars_stay_as_they_are(self, stars: float) -> None:
        head = "Title,Authors,ISBN/UID,Read Status,Star Rating\n"
        found = read_file(f"{head}Circe,Madeline Miller,,read,{stars}\n".encode(), NOW)
        assert found.rows[0].fields["rating"] == stars
        assert not found.warnings

    def test_what_is_wished_for_but_owned_is_told_apart(self, found: ParsedLibraryFile) -> None:
        assert row(found, "Middlemarch").shelves == ["to-read", "owned"]
        assert row(found, "Emma").shelves == ["to-read"]

    def test_notes_say_which_book_and_which_field(self, found: ParsedLibraryFile) -> None:
        assert [(one.number, one.title, one.field) for one in found.warnings] == [
            (2, "Piranesi", "finished_on"),
            (3, "The Odyssey", "isbn"),
        ]
        assert {"Moods", "Pace", "Date Added", "Read Count"} <= set(found.unkept)


class TestLibraryThingAsItIs:
    """Its tab-separated file has no quoting: a quotation mark in a title is one."""

    @pytest.fixture
    def found(self) -> ParsedLibraryFile:
        return exported("librarything_raw.tsv")

    def test_quotation_marks_swallow_no_rows(self, found: ParsedLibraryFile) -> None:
        assert [one.title for one in found.rows] == [
            "“Repent, Harlequin!” Said the Ticktockman".replace("“", '"').replace("”", '"'),
            'Meine geniale Freundin: "Band 1',
            "Chicago",
        ]
        assert found.bad == []

    def test_its_own_summary_line_is_none_in_any_language(self, found: ParsedLibraryFile) -> None:
        assert all("summary" not in one.fields for one in found.rows)

    def test_two_in_one_name_are_two_and_translators_are_kept(
        self, found: ParsedLibraryFile
    ) -> None:
        friend = found.rows[1]
        assert people(friend) == ["Elena Ferrante", "Terry Pratchett", "Neil Gaiman"]
        assert friend.fields["contributors"] == ["Karin Krieger (Übersetzer)"]

    def test_what_its_owner_knows_and_thinks_of_it_is_kept(self, found: ParsedLibraryFile) -> None:
        first = found.rows[0].fields
        assert first == first | {
            "publisher": "Ace",
            "year": 1965,
            "pages": 96,
            "language": "English, German",
            "format": "Paperback",
            "rating": 4.5,
            "review": 'He said "late".\nTwice.',
            "status": "read",
            "started_on": "2024-05-01",
            "finished_on": "2024-05-03",
            "tags": ["sf", "short"],
            "copies": 2,
        }
        second = found.rows[1].fields
        assert (second["publisher"], second["isbn"]) == ("Suhrkamp", "9783518425534")
        assert second["status"] == "to_read"
        assert found.unkept == ["Publication (edition)", "Comment", "Entry Date"]

    def test_a_date_that_is_no_day_is_left_out_and_told(self, found: ParsedLibraryFile) -> None:
        assert [(one.number, one.field) for one in found.warnings] == [(3, "finished_on")]

    def test_what_a_spreadsheet_saved_with_tabs_is_read_as_it_writes(self) -> None:
        header = "Title\tPrimary Author\tSecondary Author\tReview"
        file = f'{header}\n"Say ""no"""\tAnn\t\t"Two\nlines"\n'
        (row,) = read_file(file.encode(), NOW).rows
        assert (row.title, row.fields["review"]) == ('Say "no"', "Two\nlines")


class TestLibraryThingJson:
    @pytest.fixture
    def found(self) -> ParsedLibraryFile:
        return exported("librarything.json")

    def test_is_read_as_its_other_exports_are(self, found: ParsedLibraryFile) -> None:
        assert found.format == "librarything"
        wall, playtime = found.rows
        assert people(wall) == ["Marlen Haushofer"]
        assert wall.fields["contributors"] == ["Shaun Whiteside (Translator)"]
        assert (wall.collection, wall.order) == ("Walls", 1.5)
        assert wall.fields == wall.fields | {
            "isbn": "9781573449069",
            "publisher": "Cleis Press",
            "pages": 240,
            "rating": 5.0,
            "finished_on": "2020-02-03",
            "tags": ["alps", "TYPE:novel"],
        }
        assert "summary" not in wall.fields
        assert (playtime.kind, playtime.fields["summary"]) == ("video", "A day in Paris.")

    def test_bad_ones_are_told_by_their_place_and_the_rest_is_named(
        self, found: ParsedLibraryFile
    ) -> None:
        assert [one.number for one in found.bad] == [3]
        assert found.unkept == ["originallanguage", "ddc", "entrydate"]
