"""Letterboxd: the files of its export, alone or as they are in its archive."""

from __future__ import annotations

from functools import partial

from msgspec import Struct

from commonroom.imports.archive import SentFile, TextFile
from commonroom.imports.files import UnreadableFile
from commonroom.imports.sheets import SEPARATORS, Cells, Sheet, SheetHeader, first_rows
from commonroom.watchlists.rules.formats import OpinionRead, TitleRead
from commonroom.watchlists.rules.formats.contents import MAX_ROWS, TableFormat, WatchlistContents
from commonroom.watchlists.rules.formats.fields import MAX_REVIEW, Fields

LIST_HEADER = SheetHeader(columns=frozenset({"position", "name"}))
ABOUT_HEADER = SheetHeader(columns=frozenset({"date", "name", "url"}))
"""The columns of what is said of the list; the next row says it."""
LIST_MARK = "letterboxd list export"
MAX_ABOVE = 10
"""How many rows stand above the header of a list's items at most."""
SAID_OF_FILMS = frozenset({"rating", "watched date", "review"})
GONE = frozenset({"deleted", "orphaned"})
"""Folders with what was deleted there: nobody wants it back."""

WATCHLIST = "Letterboxd watchlist"
LIKES = "Letterboxd likes"


class ListLayout(Struct, frozen=True):
    """Where the two tables of a list begin: what is said of it, and what is on it."""

    separator: str
    about_row: int
    header_row: int


def is_list(text: str) -> bool:
    """Returns whether a text is one of its lists, which have a header in two parts.

    Older ones begin with an empty line instead of the line that says so.
    """
    marked = text.lstrip("\ufeff\"' ")[: len(LIST_MARK)].casefold() == LIST_MARK
    return marked or _list_layout(text) is not None


def read_list(contents: WatchlistContents, one: TextFile) -> None:
    """A list: what it is called, and what is on it."""
    if one.file.folders & GONE:
        return
    layout = _list_layout(one.text)
    if layout is None:
        raise UnreadableFile("This Letterboxd list is damaged.")
    table = partial(Sheet, one.text, layout.separator, most_rows=MAX_ROWS)
    about = next(table(header_row=layout.about_row).rows(), Cells(layout.about_row + 1, {}))
    name = about.get("name") or one.file.path.stem.replace("-", " ")
    listed = Fields(contents, about.number, name).listed(
        description=about.get("description"), tags=about.get("tags").split(",")
    )
    to = contents.add_list(about.number, listed)
    items = table(header_row=layout.header_row)
    contents.read_sheet(items, partial(_take_listed, contents, to), title="name")


def read_table(contents: WatchlistContents, sheet: Sheet, file: SentFile) -> None:
    """Ratings, the diary, reviews, what was watched, likes, or the watchlist.

    The last three have the same columns: only the name of the file tells them apart.
    """
    if file.folders & GONE:
        return
    title = _list_title(sheet, file)
    if title is None:
        take = partial(_take_opinion, contents, file.stem == "ratings")
    else:
        to = contents.add_list(1, Fields(contents, 1, title).listed())
        take = partial(_take_added, contents, to)
    contents.read_sheet(sheet, take, title="name")


def _list_layout(text: str) -> ListLayout | None:
    for separator in SEPARATORS:
        about_row: int | None = None
        for number, names in enumerate(first_rows(text, separator, MAX_ABOVE), start=1):
            columns = [name.strip().casefold() for name in names]
            if about_row is None:
                about_row = number if ABOUT_HEADER.is_header(columns) else None
            elif LIST_HEADER.is_header(columns):
                return ListLayout(separator, about_row, number)
    return None


def _list_title(sheet: Sheet, file: SentFile) -> str | None:
    """Returns what the list is called that the file becomes; None where it tells of opinions."""
    if sheet.columns.keys() & SAID_OF_FILMS or file.stem.startswith("watched"):
        return None
    if "likes" in file.folders or file.stem.startswith("likes"):
        return LIKES
    return WATCHLIST


def _film(contents: WatchlistContents, cells: Cells) -> tuple[Fields, TitleRead]:
    fields = Fields(contents, cells.number, cells.get("name"))
    cells.pass_over("letterboxd uri", "url")
    # A few of them are shows: mini-series, which are looked for where no film fits.
    return fields, fields.of(None, year=cells.get("year"))


def _take_listed(contents: WatchlistContents, to: int, cells: Cells) -> None:
    """A film on a list."""
    fields, of = _film(contents, cells)
    fields.put_on(to, of, note=cells.get("description"), place=cells.get("position"))


def _take_added(contents: WatchlistContents, to: int, cells: Cells) -> None:
    """A film on the watchlist, or among likes."""
    fields, of = _film(contents, cells)
    fields.put_on(to, of, added_at=cells.get("date"))


def _take_opinion(contents: WatchlistContents, is_current: bool, cells: Cells) -> None:
    """A film that was watched, perhaps rated and reviewed."""
    fields, of = _film(contents, cells)
    rating = fields.rating(cells.get("rating"), 5)
    review = fields.lines("review", cells.raw("review"), MAX_REVIEW)
    watched_on = fields.day("seen_on", cells.get("watched date"))
    rated_at = fields.moment("rated_at", cells.get("date")) if rating or review else None
    cells.pass_over("date", "rewatch")
    opinion = OpinionRead(
        rating=rating, review=review, rated_at=rated_at, is_seen=True, seen_on=watched_on
    )
    contents.add_opinion(cells.number, of, opinion, is_current=is_current)


LETTERBOXD = TableFormat(columns=frozenset({"name", "year", "letterboxd uri"}), read=read_table)
