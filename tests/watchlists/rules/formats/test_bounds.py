"""Everything that one request sends is bounded together, however it is packed."""

from __future__ import annotations

import tracemalloc
import zipfile
from collections.abc import Callable
from functools import partial
from zoneinfo import ZoneInfo

import pytest

from commonroom.imports.files import MAX_CELLS, FileTooLarge, UnreadableFile
from commonroom.watchlists.rules.formats import ParsedWatchlistFiles
from commonroom.watchlists.rules.formats.files import MAX_SENT, read_files
from tests.imports import bombs
from tests.imports.bombs import LETTERBOXD_HEAD, packed

NOW = 1_780_000_000.0
FEW = LETTERBOXD_HEAD + b"2024-01-01,Heat,1995,u\n"
MAX_MEGABYTES = 320
UNBOUNDED = [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]


def read(*files: bytes, name: str = "watchlist.zip") -> ParsedWatchlistFiles:
    """Files as they are sent together."""
    return read_files([(name, one) for one in files], NOW, ZoneInfo("UTC"))


def peak_megabytes(*files: bytes, name: str = "watchlist.zip") -> float:
    """How much memory it takes at most until files are refused, or read."""
    tracemalloc.start()
    try:
        read(*files, name=name)
    except UnreadableFile:
        pass
    finally:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return peak / 1_000_000


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_archives_are_read_that_unpack_in_bounded_steps(method: int) -> None:
    found = read(packed(method, FEW))
    assert [row.title for row in found.rows if row.item] == ["Heat"]


@pytest.mark.parametrize("method", UNBOUNDED)
def test_archives_are_refused_that_unpack_all_at_once(method: int) -> None:
    with pytest.raises(UnreadableFile, match="Unpack it and choose its files"):
        read(packed(method, FEW))
    bomb = packed(method, LETTERBOXD_HEAD + b" " * 20_000_000)
    assert peak_megabytes(bomb) < 5


def test_many_archives_are_one_request() -> None:
    bomb = packed(zipfile.ZIP_DEFLATED, LETTERBOXD_HEAD + b" " * 30_000_000)
    assert peak_megabytes(*[bomb] * MAX_SENT) < MAX_MEGABYTES
    with pytest.raises(FileTooLarge, match="all files together"):
        read(bomb, bomb)


def test_a_cell_as_long_as_a_file_is_no_error_of_ours() -> None:
    found = read(packed(zipfile.ZIP_DEFLATED, bombs.long_cell(30)))
    assert [len(row.title) for row in found.rows if row.item] == [300]


def test_columns_come_to_an_end() -> None:
    with pytest.raises(FileTooLarge, match="500 columns"):
        read(bombs.wide_table(600), name="watchlist.csv")
    with pytest.raises(FileTooLarge, match="too many cells"):
        read(packed(zipfile.ZIP_DEFLATED, bombs.wide_table(MAX_CELLS)))


@pytest.mark.parametrize(
    "name, content",
    [
        ("watchlist{}.csv", partial(bombs.wide_rows, 1, MAX_CELLS - 100)),
        ("watched-history-{}.json", partial(bombs.many_sections, MAX_CELLS - 100)),
    ],
    ids=["a row", "sections"],
)
def test_what_is_just_within_the_bounds_is_bearable(
    name: str, content: Callable[[], bytes]
) -> None:
    archive = packed(zipfile.ZIP_DEFLATED, content(), name=name)
    assert peak_megabytes(archive) < MAX_MEGABYTES


def test_rows_that_cannot_be_taken_are_counted_and_few_of_them_kept() -> None:
    found = read(*[bombs.bad_rows(15_000)] * 3, name="watchlist.csv")
    assert found.bad.total == 45_000
    assert len(found.bad) == 5_000
    with pytest.raises(FileTooLarge, match="200,000 rows"):
        read(*[bombs.bad_rows(45_000)] * 5, name="watchlist.csv")
