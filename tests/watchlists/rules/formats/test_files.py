"""Files that are damaged, huge, oddly written, or not what they seem."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.imports.archive import MAX_FILES
from commonroom.imports.files import MAX_UNPACKED, FileTooLarge, UnreadableFile
from commonroom.watchlists.rules.formats import ParsedWatchlistFiles
from commonroom.watchlists.rules.formats.contents import MAX_LISTS, MAX_ROWS
from commonroom.watchlists.rules.formats.files import MAX_SENT, read_files
from commonroom.watchlists.rules.lists import MAX_ITEMS, MAX_TITLE
from tests.watchlists.rules.formats import exports
from tests.watchlists.rules.formats.exports import zipped

NOW = 1_780_000_000.0
HEAD = "Date,Name,Year,Letterboxd URI\n"


def read(content: bytes | str, name: str = "watchlist.csv") -> ParsedWatchlistFiles:
    """One file."""
    file = content.encode() if isinstance(content, str) else content
    return read_files([(name, file)], NOW, ZoneInfo("UTC"))


def titles(found: ParsedWatchlistFiles) -> list[str]:
    """What is in it."""
    return [row.title for row in found.rows if row.of is not None]


class TestArchives:
    def test_one_that_grows_without_end_is_refused(self) -> None:
        bomb = zipped({"watchlist.csv": HEAD + " " * (MAX_UNPACKED + 1)})
        assert len(bomb) < 100_000
        with pytest.raises(FileTooLarge, match="32 MB"):
            read(bomb)

    def test_many_small_bombs_are_one_bomb(self) -> None:
        many = {f"lists/{n}.csv": " " * (MAX_UNPACKED // 10) for n in range(11)}
        with pytest.raises(FileTooLarge):
            read(zipped(many))

    def test_one_with_too_many_files_is_refused(self) -> None:
        with pytest.raises(FileTooLarge, match="2,000 files"):
            read(zipped({f"{n}.csv": "" for n in range(MAX_FILES + 1)}))

    def test_a_size_that_is_not_true_helps_nobody(self) -> None:
        file = zipped({"watchlist.csv": HEAD + "2024-01-01,Heat,1995,u\n" * 5})
        lying = bytearray(file)
        at = lying.index(b"PK\x01\x02") + 24
        lying[at : at + 4] = (1).to_bytes(4, "little")
        with pytest.raises(UnreadableFile):
            read(bytes(lying))

    def test_paths_lead_nowhere(self) -> None:
        outside = {
            "../../../etc/watchlist.csv": exports.LETTERBOXD["watchlist.csv"],
            "C:\\temp\\ratings.csv": exports.LETTERBOXD["ratings.csv"],
            "/absolute/lists/a.csv": exports.LETTERBOXD["lists/autumn-evenings.csv"],
        }
        found = read(zipped(outside))
        assert {row.file for row in found.rows} == {"watchlist.csv", "ratings.csv", "a.csv"}

    def test_an_archive_in_an_archive_stays_shut(self) -> None:
        inner = zipped(exports.LETTERBOXD)
        with pytest.raises(UnreadableFile, match="nothing to import"):
            read(zipped({"inner.zip": inner}))
        with pytest.raises(UnreadableFile):
            read(zipped({"inner.csv": inner}))

    def test_what_computers_put_beside_is_passed_over(self) -> None:
        beside = {"__MACOSX/._watchlist.csv": b"\0\1\2", ".hidden.csv": "x", "photo.jpg": b"\xff"}
        found = read(zipped({**exports.LETTERBOXD, **beside}))
        assert not {"photo.jpg", ".hidden.csv"} & set(found.unkept)

    def test_one_with_a_password_says_what_to_do(self) -> None:
        locked = bytearray(zipped({"watchlist.csv": HEAD + "2024-01-01,Heat,1995,u\n"}))
        for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
            locked[locked.index(mark) + flags] |= 1
        with pytest.raises(UnreadableFile, match="password"):
            read(bytes(locked))

    def test_a_damaged_file_among_others_does_not_stop_them(self) -> None:
        files = {**exports.LETTERBOXD, "lists/bad.csv": b"\0\0\0\1", "lists/x.json": "[{"}
        found = read(zipped(files))
        assert "Heat" in titles(found)
        assert {one.file for one in found.bad} == {"bad.csv"}
        assert "lists/x.json" in found.unkept

    @given(st.binary(max_size=200))
    def test_whatever_follows_its_mark_is_refused_in_a_sentence(self, rest: bytes) -> None:
        with pytest.raises(UnreadableFile):
            read(b"PK\x03\x04" + rest, "a.zip")

    def test_a_file_without_a_name_is_passed_over(self) -> None:
        file = zipped({**exports.LETTERBOXD, "nameless": "Name,Year"})
        found = read(file.replace(b"nameless", b"\0ameless"))  # a name ends where it has a zero
        assert titles(found) == titles(read(zipped(exports.LETTERBOXD)))

    @given(st.integers(min_value=0, max_value=2000), st.integers(0, 255))
    def test_one_wrong_byte_is_no_error_of_ours(self, at: int, byte: int) -> None:
        file = bytearray(zipped(exports.LETTERBOXD))
        file[at % len(file)] = byte
        try:
            read(bytes(file), "a.zip")
        except UnreadableFile:
            return


class TestTables:
    @pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
    def test_marks_and_other_encodings_are_known(self, encoding: str) -> None:
        found = read((HEAD + "2024-01-01,Amélie,2001,u\n").encode(encoding))
        assert titles(found) == ["Amélie"]

    @pytest.mark.parametrize("separator", [";", "\t"])
    def test_other_separators_are_known(self, separator: str) -> None:
        text = HEAD + "2024-01-01,Heat,1995,u\n"
        assert titles(read(text.replace(",", separator))) == ["Heat"]

    def test_half_rows_and_empty_ones_do_not_stop_the_rest(self) -> None:
        rows = (
            "2024-01-01\n\n,,,\n2024-01-01,Heat\n2024-01-01,Alien,1979,u,more\n2024-01-01,Ran,x,u\n"
        )
        found = read(HEAD + rows)
        assert titles(found) == ["Heat", "Ran"]
        assert [(one.number, one.why) for one in found.bad] == [
            (2, "The title is missing."),
            (6, "This row has more cells than columns."),
        ]
        assert [(one.number, one.field) for one in found.warnings] == [(7, "year")]

    def test_a_quotation_mark_that_is_never_closed_is_told(self) -> None:
        found = read(HEAD + '2024-01-01,"Heat,1995,u\n2024-01-01,Alien,1979,u\n')
        assert [one.number for one in found.bad] == [2]

    def test_as_many_rows_as_are_allowed_and_not_one_more(self) -> None:
        rows = "".join(f"2024-01-01,T{n},2000,u\n" for n in range(MAX_ROWS - 1))
        assert len(titles(read(HEAD + rows))) == MAX_ROWS - 1
        with pytest.raises(FileTooLarge, match="50,000 rows"):
            read(HEAD + rows + "2024-01-01,U,2000,u\n2024-01-01,V,2000,u\n")

    def test_several_files_together_are_no_way_round_the_limit(self) -> None:
        rows = "".join(f"2024-01-01,T{n},2000,u\n" for n in range(MAX_ROWS // 2 + 1))
        sent = [(name, (HEAD + rows).encode()) for name in ("watchlist.csv", "likes.csv")]
        with pytest.raises(FileTooLarge, match="50,000 rows"):
            read_files(sent, NOW, ZoneInfo("UTC"))
        with pytest.raises(FileTooLarge, match="at once"):
            read_files(sent * MAX_SENT, NOW, ZoneInfo("UTC"))

    def test_a_list_that_is_too_long_continues_on_another(self) -> None:
        rows = "".join(f"2024-01-01,T{n},2000,u\n" for n in range(2 * MAX_ITEMS + 1))
        found = read(HEAD + rows)
        lists = {row.list_number: row.title for row in found.rows if row.listed}
        assert lists == {
            0: "Letterboxd watchlist",
            1: "Letterboxd watchlist (2)",
            2: "Letterboxd watchlist (3)",
        }
        counts = [
            sum(row.list_number == n and row.item is not None for row in found.rows) for n in lists
        ]
        assert counts == [MAX_ITEMS, MAX_ITEMS, 1]
        assert titles(found) == [f"T{n}" for n in range(2 * MAX_ITEMS + 1)]

    def test_a_title_twice_on_a_list_is_there_once(self) -> None:
        found = read(
            HEAD + "2024-01-01,Heat,1995,u\n2024-01-02,HEAT,1995,u\n2024-01-02,Heat,1986,u\n"
        )
        assert titles(found) == ["Heat", "Heat"]
        assert [one.why for one in found.warnings] == ["Row 2 is the same title. Skipped."]

    def test_days_to_come_and_long_texts_are_cut_and_told(self) -> None:
        head = "Date,Name,Year,Letterboxd URI,Rating,Rewatch,Review,Tags,Watched Date\n"
        row = f"2020-01-01,Heat,1995,u,4,,{'x' * 3000},,2099-01-01\n"
        found = read(head + row, "reviews.csv")
        (opinion,) = [one.opinion for one in found.rows if one.opinion]
        assert opinion.seen_on is None
        assert opinion.review is not None
        assert len(opinion.review) == 2000
        assert [one.field for one in found.warnings] == ["review", "seen_on"]

    def test_a_lists_long_name_is_cut(self) -> None:
        text = exports.LETTERBOXD["lists/autumn-evenings.csv"].replace("Autumn evenings", "A" * 300)
        (listed,) = [row for row in read(text).rows if row.listed]
        assert len(listed.title) == MAX_TITLE

    def test_more_lists_than_anybody_has_are_refused(self) -> None:
        text = exports.LETTERBOXD["lists/autumn-evenings.csv"]
        with pytest.raises(FileTooLarge, match="500 lists"):
            read(zipped({f"lists/{n}.csv": text for n in range(MAX_LISTS + 1)}))

    @pytest.mark.parametrize(
        "file, words",
        [
            ("", "empty"),
            (" \n ", "empty"),
            ("just,some\nwords,here", "not supported"),
            ("[1, 2, 3]", "not supported"),
            ('{"a": 1}', "not supported"),
            ("[" * 5000, "not supported"),
            ('{"format": "commonroom-watchlists", "lists": 3}', "damaged"),
            ('{"format": "commonroom-watchlists", "version": 99}', "newer version"),
            ("PNG\0\0", "not a text file"),
        ],
    )
    def test_what_nobody_knows_is_refused_in_a_sentence(self, file: str, words: str) -> None:
        with pytest.raises(UnreadableFile, match=words):
            read(file, "a.csv")

    @given(st.text(max_size=400))
    def test_any_text_behind_a_header_is_read_or_refused(self, text: str) -> None:
        for head in (HEAD, exports.IMDB_LIST.split("\n")[0] + "\n", "Letterboxd list export v7\n"):
            try:
                found = read((head + text).encode(errors="ignore"))
            except UnreadableFile:
                continue
            assert all(row.number > 0 for row in found.rows)


class TestTrakt:
    @pytest.mark.parametrize(
        "entry",
        [
            "null",
            "3",
            '{"movie": 3}',
            '{"movie": {"title": null}, "rating": 5}',
            '{"movie": {"title": "A", "ids": {"tmdb": "x"}}, "rating": 5}',
            '{"movie": {"title": "A"}, "rating": "high"}',
            '{"movie": {"title": "A"}}',
            '{"rating": 3}',
        ],
    )
    def test_an_entry_that_is_damaged_does_not_stop_the_rest(self, entry: str) -> None:
        good = '{"rating": 7, "movie": {"title": "Heat", "year": 1995, "ids": {"tmdb": 949}}}'
        found = read(f"[{good}, {entry}]", "ratings-movies.json")
        assert titles(found) == ["Heat"]
        assert [one.number for one in found.bad] == [2]

    def test_a_long_history_becomes_one_row_for_each_show(self) -> None:
        show = '{"title": "Silo", "year": 2023, "ids": {"tmdb": 125988}}'
        at = "2024-01-01T00:00:00Z"
        episode = f'{{"type": "episode", "watched_at": "{at}", "episode": {{}}, "show": {show}}}'
        found = read("[" + ",".join([episode] * 30_000) + "]", "watched-history.json")
        assert len(found.rows) == 1
