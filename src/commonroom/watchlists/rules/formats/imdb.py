"""IMDb: watchlists, lists and ratings, with the columns of today and of earlier years."""

from __future__ import annotations

import re
from functools import partial

from msgspec.structs import replace

from commonroom.imports.archive import SentFile
from commonroom.imports.files import InvalidRow, excerpt
from commonroom.imports.sheets import Cells, Sheet
from commonroom.titles.titles import ContentType
from commonroom.watchlists.rules.formats import OpinionRead, TitleRead
from commonroom.watchlists.rules.formats.contents import TableFormat, WatchlistContents
from commonroom.watchlists.rules.formats.fields import Fields

WATCHLIST = "IMDb watchlist"
LIST = "IMDb list"

TYPES: dict[str, ContentType] = {
    "movie": "MOVIE",
    "featurefilm": "MOVIE",
    "film": "MOVIE",
    "documentary": "MOVIE",
    "short": "MOVIE",
    "shortfilm": "MOVIE",
    "tvmovie": "MOVIE",
    "tvshort": "MOVIE",
    "tvspecial": "MOVIE",
    "video": "MOVIE",
    "tvseries": "SHOW",
    "tvminiseries": "SHOW",
    "miniseries": "SHOW",
}
SAID_TWICE = (
    "position",
    "modified",
    "url",
    "imdb rating",
    "num votes",
    "num. votes",
    "release date",
    "release date (month/day/year)",
)
"""What is said of the title itself, which the catalogue knows better."""

_UNNAMED = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|(ls|ur)?[0-9]+|list|export")


def read_table(contents: WatchlistContents, sheet: Sheet, file: SentFile) -> None:
    """A list, or ratings; on a list may stand how one rated what is on it."""
    is_list = bool(sheet.columns.keys() & {"position", "created"})
    if "rating" in file.stem:  # in earlier years both had the same columns
        is_list = False
    to = contents.add_list(1, Fields(contents, 1, _list_title(file)).listed()) if is_list else None
    contents.read_sheet(sheet, partial(_take, contents, to))


def _take(contents: WatchlistContents, to: int | None, cells: Cells) -> None:
    fields, of = _title(contents, cells)
    if to is not None:
        note, place = cells.raw("description"), cells.get("position")
        fields.put_on(to, of, note=note, added_at=cells.get("created"), place=place)
    _take_rating(contents, fields, of, cells, is_list=to is not None)
    cells.pass_over(*SAID_TWICE)


def _title(contents: WatchlistContents, cells: Cells) -> tuple[Fields, TitleRead]:
    told = cells.get("title type")
    content_type = TYPES.get(re.sub(r"[\s-]", "", told).casefold())
    if cells.get("const").startswith("nm"):
        raise InvalidRow("title type", "This is a person, not a film or show.")
    if told and content_type is None:
        raise InvalidRow("title type", f"This is not a film or show: “{excerpt(told)}”.")
    fields = Fields(contents, cells.number, cells.get("title"))
    of = fields.of(
        content_type,
        year=cells.get("year"),
        imdb_id=cells.get("const"),
        original_title=cells.get("original title"),
    )
    facts = replace(
        of,
        runtime=fields.number_of("runtime", cells.get("runtime (mins)")),
        genres=fields.names(cells.get("genres")),
        makers=fields.names(cells.get("directors")),
    )
    return fields, facts


def _list_title(file: SentFile) -> str:
    if "watchlist" in file.stem:
        return WATCHLIST
    return LIST if _UNNAMED.fullmatch(file.stem) else file.path.stem


def _take_rating(
    contents: WatchlistContents, fields: Fields, of: TitleRead, cells: Cells, *, is_list: bool
) -> None:
    rating = fields.rating(cells.get("your rating") or cells.get("you rated"), 10)
    day = cells.get("date rated") or ("" if is_list else cells.get("created"))
    cells.pass_over("you rated", "created")
    if rating is not None:
        rated_at = fields.moment("rated_at", day)
        opinion = OpinionRead(rating=rating, rated_at=rated_at, is_seen=True)
        contents.add_opinion(cells.number, of, opinion, is_current=not is_list)


IMDB = TableFormat(columns=frozenset({"const", "title"}), read=read_table)
