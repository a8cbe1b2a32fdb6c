"""Reading files: whatever their encoding and separator, and however bad some of their rows are."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.imports.files import MAX_FILE, FileTooLarge, UnreadableFile
from commonroom.library.rules.formats import ParsedLibraryFile
from commonroom.library.rules.formats.files import read_file

EXPORTS = Path(__file__).parent / "exports"
NOW = 1_770_000_000.0
OURS = "type,title,collection,order,authors,isbn,release_year,summary,lent_to,lent_at,due_date\r\n"


def read(text: str) -> ParsedLibraryFile:
    return read_file(text.encode(), NOW)


class TestEncodings:
    @pytest.mark.parametrize(
        "encoding",
        ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252", "iso-8859-1"],
    )
    def test_each_of_them_is_read(self, encoding: str) -> None:
        found = read_file(f"{OURS}book,Été à Łódź,,,,,,,,,".encode(encoding, "replace"), NOW)
        assert found.rows[0].title in ("Été à Łódź", "Été à ?ód?")

    def test_bytes_that_mean_nothing_do_not_stop_it(self) -> None:
        found = read_file(OURS.encode() + b"book,\xe9t\xe9 \x81,,,,,,,,,", NOW)
        assert found.rows[0].title == "été \N{REPLACEMENT CHARACTER}"

    @pytest.mark.parametrize("separator", [",", ";", "\t"])
    @pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
    def test_separators_and_line_ends(self, separator: str, ending: str) -> None:
        lines = (EXPORTS / "goodreads.csv").read_text().splitlines()
        header = lines[0].replace(",", separator)
        row = ["1", '"Two', 'lines"', "Ann"]
        text = ending.join([header, separator.join([row[0], f"{row[1]}{ending}{row[2]}", row[3]])])
        found = read(text)
        assert [one.title for one in found.rows] == ["Two lines"]
        assert found.rows[0].fields["authors"] == ["Ann"]


class TestOtherFiles:
    @pytest.mark.parametrize(
        "file, said",
        [
            (b"", "empty"),
            (b" \r\n ", "empty"),
            (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "not a text file"),
            (b"PK\x03\x04\0\0\0\0", "not a text file"),
            (b"name,age\r\nAnn,7", "This file is not supported"),
            (b"just some words", "This file is not supported"),
            (b"{}", "JSON"),
            (b"[1, 2", "JSON"),
            (b'{"format": "else", "items": []}', "JSON"),
            (b"[" * 100_000, "JSON"),
            (b'{"format": "commonroom-library", "version": 2}', "newer"),
        ],
    )
    def test_are_refused_in_a_sentence(self, file: bytes, said: str) -> None:
        with pytest.raises(UnreadableFile, match=said):
            read_file(file, NOW)

    def test_too_large_a_file_and_too_many_rows_are_refused(self) -> None:
        with pytest.raises(FileTooLarge, match="8 MB"):
            read_file(b"x" * (MAX_FILE + 1), NOW)
        with pytest.raises(FileTooLarge, match="20,000 rows"):
            read(OURS + "book,A\r\n" * 20_001)
        with pytest.raises(FileTooLarge, match="20,000 rows"):
            read('{"format":"commonroom-library","items":[' + ",".join(["1"] * 20_001) + "]}")
        assert len(read(OURS + "book,A\r\n" * 20_000).rows) == 20_000


class TestBadRows:
    def test_are_told_by_number_and_do_not_stop_the_rest(self) -> None:
        found = read(
            OURS
            + "book,Good,,,,,,,,,\r\n"
            + "\r\n"
            + "book,,,,,,,,,,\r\n"
            + "sofa,Red,,,,,,,,,\r\n"
            + 'book,"Two\r\nlines",,,,,,,,,,,,too,many\r\n'
            + "video,Last,,,,,,,,,\r\n"
        )
        assert [(one.number, one.title) for one in found.rows] == [(2, "Good"), (7, "Last")]
        assert [(one.number, one.field) for one in found.bad] == [
            (4, "title"),
            (5, "type"),
            (6, None),
        ]

    def test_a_quotation_mark_that_is_never_closed_is_told(self) -> None:
        found = read(OURS + 'book,Good,,,,,,,,,\r\nbook,"Bad,,\r\nbook,Lost,,\r\n')
        assert [one.title for one in found.rows] == ["Good"]
        assert [one.number for one in found.bad] == [3]
        assert "never closed" in found.bad[0].why

    def test_what_does_not_fit_is_left_out_and_told(self) -> None:
        found = read(
            OURS
            + f"book,{'Long ' * 80},Set,x,A,123,,{'s' * 5000},Ben,tomorrow,soon\r\n"
            + "video,V,,7,A,,1,,,2020-01-01,\r\n"
        )
        book, video = found.rows
        assert (len(book.title), book.title[-1]) == (300, "…")
        assert (book.collection, book.order) == ("Set", None)
        assert book.loan is not None
        assert (book.loan.lent_to, book.loan.lent_at, book.loan.due_date) == ("Ben", None, None)
        assert (video.kind, video.fields, video.loan) == ("video", {"title": "V"}, None)
        assert [(one.number, one.field) for one in found.warnings] == [
            (2, "title"),
            (2, "order"),
            (2, "isbn"),
            (2, "summary"),
            (2, "lent_at"),
            (2, "due_date"),
            (3, "order"),
            (3, "authors"),
            (3, "release_year"),
            (3, "lent_to"),
        ]

    def test_in_json_they_are_told_by_their_place(self) -> None:
        found = read(
            '{"format":"commonroom-library","collections":[{"name":"C"},{"name":""},7],"items":['
            '{"type":"book","title":"A"},{"type":"sofa","title":"B"},{"type":"book"},'
            '{"type":"video","title":7},7,{"type":"video","title":"Z","isbn":"1"}]}'
        )
        assert [one.title for one in found.rows] == ["C", "A", "Z"]
        assert [one.number for one in found.bad] == [2, 3, 2, 3, 4, 5]
        assert [(one.number, one.field) for one in found.warnings] == [(6, "isbn")]

    def test_days_out_of_bounds_are_left_out_of_our_own_files_too(self) -> None:
        found = read(
            '{"format":"commonroom-library","items":[{"type":"book","title":"A",'
            '"started_on":"2024-01-01","finished_on":"2099-01-01"}]}'
        )
        kept = found.rows[0].fields
        assert ("finished_on" in kept, kept["started_on"]) == (False, "2024-01-01")
        assert [(one.number, one.field) for one in found.warnings] == [(1, "finished_on")]


class TestHistory:
    def told(self, lent: str, *events: str) -> ParsedLibraryFile:
        item = f'{{"type":"book","title":"A"{lent},"history":[{",".join(events)}]}}'
        return read(f'{{"format":"commonroom-library","items":[{item}]}}')

    LENT = '{"type":"lent","borrower":"Ben","at":"2025-01-01T00:00:00.000Z"}'
    BACK = '{"type":"returned","borrower":"Ben","at":"2025-02-01T00:00:00.000Z"}'
    OPEN = ',"lent_to":"Ben","lent_at":"2025-01-01T00:00:00.000Z"'
    LATER = ',"lent_to":"Eve","lent_at":"2025-03-01T00:00:00.000Z"'

    @pytest.mark.parametrize(
        "lent, events",
        [("", (BACK, LENT)), (OPEN, (LENT,)), (LATER, (LENT, BACK)), (LATER, ()), ("", ())],
    )
    def test_that_leads_to_how_things_are_is_kept_in_order(
        self, lent: str, events: tuple[str, ...]
    ) -> None:
        found = self.told(lent, *events)
        assert found.warnings == []
        assert [one.type for one in found.rows[0].events] == ["LENT", "RETURNED"][: len(events)]

    @pytest.mark.parametrize(
        "lent, events",
        [
            ("", (LENT,)),
            (OPEN, (LENT, BACK)),
            (LATER, (LENT,)),
            ("", (LENT, LENT)),
            ("", (BACK,)),
            ("", (LENT, BACK.replace("2025", "2099"))),
            ("", (LENT, BACK.replace("2025-02-01T00:00:00.000Z", "once"))),
        ],
    )
    def test_that_cannot_have_been_so_is_left_out_and_told(
        self, lent: str, events: tuple[str, ...]
    ) -> None:
        found = self.told(lent, *events)
        assert found.rows[0].events == []
        assert [one.field for one in found.warnings] == ["history"]

    def test_that_is_long_takes_several_rows(self) -> None:
        moments = [f"2025-01-01T00:00:{n // 10:02d}.{n % 10}00Z" for n in range(200)]
        events = [
            f'{{"type":"{("lent", "returned")[n % 2]}","borrower":"Ben","at":"{at}"}}'
            for n, at in enumerate(moments)
        ]
        found = self.told("", *events)
        assert [(one.kind, len(one.events)) for one in found.rows] == [
            ("book", 80),
            ("history", 80),
            ("history", 40),
        ]
        assert found.rows[0].last_event_at == moments[-1]


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(noise: bytes) -> None:
    for start in (b"", OURS.encode(), b'{"format":"commonroom-library","items":['):
        try:
            read_file(start + noise, NOW)
        except UnreadableFile:
            continue


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=200))
def test_any_cell_is_read(noise: str) -> None:
    cell = noise.replace('"', '""')
    line = f'book,Title,"{cell}","{cell}","{cell}","{cell}","{cell}","{cell}","{cell}","{cell}"'
    found = read_file((OURS + line).encode(), NOW)
    assert [one.title for one in found.rows] == ["Title"]
