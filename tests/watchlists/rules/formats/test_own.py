"""Our own files come back as they went out."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from commonroom.texts import clean_line, clean_lines
from commonroom.titles.titles import ContentType
from commonroom.watchlists.rules.formats import (
    ItemRead,
    ListRead,
    OpinionRead,
    ParsedWatchlistFiles,
    TitleRead,
    own_csv,
    own_json,
)
from commonroom.watchlists.rules.formats.files import read_files

NOW = 1_780_000_000.0
TYPES: tuple[ContentType, ContentType] = ("MOVIE", "SHOW")

LINES = st.text(max_size=30).map(clean_line).filter(bool)
TAGS = st.text(max_size=30).map(lambda text: clean_line(text.replace("#", " "))).filter(bool)
TEXTS = st.text(max_size=60).map(clean_lines).map(lambda text: text or None)
MOMENTS = st.sampled_from(["2024-01-02T03:04:05.678Z", "1999-12-31T23:59:59.000Z"])
TITLES = st.builds(
    TitleRead,
    title=LINES,
    year=st.none() | st.integers(1900, 2030),
    content_type=st.sampled_from(TYPES),
    tmdb_id=st.none() | st.integers(1, 10**9),
    imdb_id=st.none() | st.integers(10**6, 10**9).map("tt{:07d}".format),
)
ITEMS = st.builds(ItemRead, note=TEXTS, added_at=st.none() | MOMENTS, is_cover=st.booleans())
LISTS = st.builds(
    ListRead,
    title=LINES,
    description=TEXTS,
    tags=st.lists(TAGS, max_size=5, unique_by=str.casefold),
    is_numbered=st.booleans(),
)
WHOLE_LISTS = st.tuples(LISTS, st.lists(st.tuples(TITLES, ITEMS), max_size=6))


def read(name: str, text: str) -> ParsedWatchlistFiles:
    """One file of ours."""
    return read_files([(name, text.encode())], NOW, ZoneInfo("Europe/Paris"))


def numbered(items: list[tuple[TitleRead, ItemRead]]) -> list[tuple[TitleRead, ItemRead]]:
    """The same items, each with an id of ours, so that no two are the same title."""
    return [(replace(of, content_id=f"id-{n}"), item) for n, (of, item) in enumerate(items)]


def came_back(
    found: ParsedWatchlistFiles,
) -> list[tuple[ListRead, list[tuple[TitleRead, ItemRead]]]]:
    """The lists of a file that was read."""
    assert (found.bad, found.warnings, found.unkept) == ([], [], [])
    lists: list[tuple[ListRead, list[tuple[TitleRead, ItemRead]]]] = []
    for row in found.rows:
        if row.listed is not None:
            lists.append((row.listed, []))
        elif row.item is not None and row.of is not None:
            lists[-1][1].append((row.of, row.item))
    return lists


@given(st.lists(WHOLE_LISTS, min_size=1, max_size=3))
def test_lists_come_back_from_a_table_without_loss(
    lists: list[tuple[ListRead, list[tuple[TitleRead, ItemRead]]]],
) -> None:
    lists = [(listed, numbered(items)) for listed, items in lists]
    text = own_csv.HEADER_LINE + "".join(
        own_csv.list_line(listed) + "".join(own_csv.item_lines(items)) for listed, items in lists
    )
    assert came_back(read("lists.csv", text)) == lists


@given(st.lists(WHOLE_LISTS, min_size=1, max_size=3))
def test_lists_come_back_from_json_without_loss(
    lists: list[tuple[ListRead, list[tuple[TitleRead, ItemRead]]]],
) -> None:
    lists = [(listed, numbered(items)) for listed, items in lists]
    records = [own_json.list_record(listed, items) for listed, items in lists]
    whole = {"format": own_json.FORMAT, "version": own_json.VERSION, "lists": records}
    assert came_back(read("lists.json", msgspec.json.encode(whole).decode())) == lists


OPINIONS = st.builds(
    OpinionRead,
    rating=st.integers(1, 10),
    review=TEXTS,
    rated_at=MOMENTS,
    is_seen=st.just(True),
    seen_on=st.none() | st.sampled_from(["2024-01-02", "1980-02-29"]),
)


@given(st.lists(st.tuples(TITLES, OPINIONS), min_size=1, max_size=6))
def test_opinions_come_back_without_loss(said: list[tuple[TitleRead, OpinionRead]]) -> None:
    said = [(replace(of, content_id=f"id-{n}"), one) for n, (of, one) in enumerate(said)]
    records = [own_json.opinion_record(of, one) for of, one in said]
    whole = {"format": own_json.FORMAT, "version": own_json.VERSION, "titles": records}
    found = read("all.json", msgspec.json.encode(whole).decode())
    assert (found.bad, found.warnings) == ([], [])
    assert [(row.of, row.opinion) for row in found.rows] == said


def test_a_table_without_its_list_is_called_after_the_file() -> None:
    text = own_csv.HEADER_LINE + "film,Heat,1995,949,tt0113277,949,Good,,,,\r\n"
    ((listed, items),) = came_back(read("Summer nights.csv", text))
    assert (listed.title, [of.title for of, _ in items]) == ("Summer nights", ["Heat"])


def test_a_table_is_safe_to_open_in_a_spreadsheet() -> None:
    evil = ListRead(title="=HYPERLINK(1)", description="+1", tags=["@x"])
    line = own_csv.list_line(evil)
    assert "'=HYPERLINK" in line
    ((listed, _),) = came_back(read("a.csv", own_csv.HEADER_LINE + line))
    assert listed == evil
