"""Our own CSV of a list, safe to open in a spreadsheet; other services know its columns, too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from commonroom.imports.archive import SentFile
from commonroom.imports.files import InvalidRow
from commonroom.imports.sheets import (
    Cells,
    Sheet,
    csv_line,
    escape_formula,
    join_cell,
    split_cell,
)
from commonroom.titles.titles import ContentType
from commonroom.watchlists.rules.formats import ItemRead, ListRead, TitleRead
from commonroom.watchlists.rules.formats.contents import TableFormat, WatchlistContents
from commonroom.watchlists.rules.formats.fields import Fields

COLUMNS = (
    "Type",
    "Title",
    "Year",
    "tmdbID",
    "imdbID",
    "ID",
    "Description",
    "Tags",
    "Numbered",
    "Cover",
    "Added",
)
"""Title, Year, tmdbID and imdbID are what Letterboxd calls them, so that it can import the file.

Cover is the address of a picture in the line of a list, and “yes” in that of its cover title.
"""
HEADER_LINE = ",".join(COLUMNS) + "\r\n"
TYPES: dict[str, ContentType] = {"film": "MOVIE", "show": "SHOW"}
NAMES: dict[ContentType, str] = {kind: name for name, kind in TYPES.items()}
YES = "yes"


def read_table(contents: WatchlistContents, sheet: Sheet, file: SentFile) -> None:
    """Lists, each followed by what is on it."""
    current: list[int] = []

    def take(cells: Cells) -> None:
        kind = cells.get("type").casefold()
        if kind == "list":
            listed = _list(contents, cells)
            current[:] = [contents.add_list(cells.number, listed, is_kept_empty=True)]
            return
        if kind not in TYPES:
            raise InvalidRow("type", "The type must be “list”, “film” or “show”.")
        if not current:
            unnamed = Fields(contents, 1, file.path.stem).listed()
            current[:] = [contents.add_list(1, unnamed)]
        _put_on(contents, current[0], cells, TYPES[kind])

    contents.read_sheet(sheet, take)


def list_line(listed: ListRead) -> str:
    """Returns the line of a list."""
    return csv_line(
        COLUMNS,
        {
            "Type": "list",
            "Title": escape_formula(listed.title),
            "Description": escape_formula(listed.description or ""),
            "Tags": escape_formula(join_cell(listed.tags)),
            "Numbered": YES if listed.is_numbered else "no",
            "Cover": listed.cover_image_url or "",
        },
    )


def item_lines(items: Sequence[tuple[TitleRead, ItemRead]]) -> Iterator[str]:
    """Yields the lines of what is on it."""
    for of, item in items:
        yield csv_line(
            COLUMNS,
            {
                "Type": NAMES[of.content_type or "MOVIE"],
                "Title": escape_formula(of.title),
                "Year": str(of.year or ""),
                "tmdbID": str(of.tmdb_id or ""),
                "imdbID": of.imdb_id or "",
                "ID": of.content_id or "",
                "Description": escape_formula(item.note or ""),
                "Cover": YES if item.is_cover else "",
                "Added": item.added_at or "",
            },
        )


def _list(contents: WatchlistContents, cells: Cells) -> ListRead:
    return Fields(contents, cells.number, cells.text("title"), is_own=True).listed(
        description=cells.text("description"),
        tags=split_cell(cells.text("tags")),
        is_numbered=cells.get("numbered").casefold() == YES,
        picture=cells.get("cover"),
    )


def _put_on(contents: WatchlistContents, to: int, cells: Cells, content_type: ContentType) -> None:
    fields = Fields(contents, cells.number, cells.text("title"), is_own=True)
    of = fields.of(
        content_type,
        year=cells.get("year"),
        tmdb_id=cells.get("tmdbid"),
        imdb_id=cells.get("imdbid"),
        content_id=cells.get("id"),
    )
    cells.pass_over("numbered")
    fields.put_on(
        to,
        of,
        note=cells.text("description"),
        added_at=cells.get("added"),
        is_cover=cells.get("cover").casefold() == YES,
    )


COMMONROOM_CSV = TableFormat(
    columns=frozenset({"type", "title", "tmdbid", "numbered"}), read=read_table
)
