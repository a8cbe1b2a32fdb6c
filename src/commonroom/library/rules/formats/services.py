"""What Goodreads, StoryGraph and Libib export: tables with columns of their own."""

from __future__ import annotations

import re
from collections.abc import Mapping

from commonroom.imports.files import InvalidRow
from commonroom.imports.sheets import Cells
from commonroom.library.rules.formats import ItemKind
from commonroom.library.rules.formats.draft import GAVE_UP, ItemDraft, Progress
from commonroom.library.rules.formats.sheets import (
    SheetFormat,
    is_given_up,
    split_list,
    split_people,
    take_isbn,
)

_GOODREADS_PROGRESS: dict[str, Progress] = {"to-read": 0, "currently-reading": 1, "read": 2}
_STORYGRAPH_PROGRESS: dict[str, Progress] = _GOODREADS_PROGRESS | {"paused": 1}
_LIBIB_PROGRESS: dict[str, Progress] = {"not begun": 0, "in progress": 1, "completed": 2}
_LIBIB_TYPES: dict[str, ItemKind] = {"book": "book", "": "book", "movie": "video"}
_YEAR = re.compile(r"\b(1[4-9][0-9]{2}|20[0-9]{2})\b")
_COUNT = re.compile(r"([0-9]{1,5})\b")
# “The Two Towers (The Lord of the Rings, #2)”; of several series, the first.
_GOODREADS_SERIES = re.compile(
    r"(?P<title>.*\S)\s*"
    r"\((?P<series>[^()#;]*[^()#;,\s]),?\s*#(?P<place>[0-9.]+)(?P<more>(?:\s*[-–][0-9.]+)?)"
    r"(?:;(?P<other>[^()]*))?\)"
)


def read_goodreads(cells: Cells, now: float) -> ItemDraft:
    """Returns a row of Goodreads’ “Export library”, which has one for each book on any shelf."""
    match = _GOODREADS_SERIES.fullmatch(cells.get("title"))
    draft = ItemDraft(cells.number, "book", match["title"] if match else cells.get("title"), now)
    if match:
        _take_goodreads_series(draft, match)
    more = split_list(cells.get("additional authors"), ",")
    draft.take_people("authors", [*split_people(cells.get("author")), *more])
    take_isbn(draft, cells.get("isbn13"), cells.get("isbn"))
    draft.take_line("publisher", cells.get("publisher"))
    draft.take_line("format", cells.get("binding"))
    draft.take_number("pages", cells.get("number of pages"))
    # Of the edition; only where that is not known, of the work.
    draft.take_number("year", cells.get("year published") or cells.get("original publication year"))
    draft.take_rating(cells.get("my rating"))
    draft.take_review(cells.get("my review"))
    draft.take_day("finished_on", cells.get("date read"))
    draft.take_copies(cells.get("owned copies"))
    shelf = cells.get("exclusive shelf")
    progress = _progress(_GOODREADS_PROGRESS, shelf)
    draft.take_progress(progress)
    others = [one for one in split_list(cells.get("bookshelves"), ",") if one != shelf]
    # A shelf of one's own that is no status is not lost as a tag.
    draft.take_tags([shelf, *others] if shelf and progress is None else others)
    draft.take_shelves([shelf])
    cells.pass_over("book id", "author l-f", "bookshelves with positions")
    return draft


def _take_goodreads_series(draft: ItemDraft, match: re.Match[str]) -> None:
    draft.take_place(match["series"], match["place"])
    if match["more"]:
        whole = match["place"] + match["more"].strip()
        draft.note("order", f"It has the numbers {whole}; the first one is used.")
    if match["other"]:
        draft.note("collection", f"Only the first series is kept, not {match['other'].strip()}.")


def read_storygraph(cells: Cells, now: float) -> ItemDraft:
    """Returns a row of StoryGraph’s “Export library”, which has one for each book."""
    draft = ItemDraft(cells.number, "book", cells.get("title"), now)
    authors = [name for one in split_list(cells.get("authors"), ",") for name in split_people(one)]
    draft.take_people("authors", authors)
    draft.take_people("contributors", split_list(cells.get("contributors"), ","))
    take_isbn(draft, cells.get("isbn/uid"))
    draft.take_line("format", cells.get("format"))
    draft.take_rating(cells.get("star rating"))
    draft.take_review(cells.get("review"))
    _take_storygraph_dates(draft, cells)
    status = cells.get("read status").casefold()
    progress = _progress(_STORYGRAPH_PROGRESS, status)
    draft.take_progress(progress)
    # What was paused is no status of ours: as a tag it is not lost.
    other = [status] if status == "paused" or progress is None else []
    draft.take_tags([*split_list(cells.get("tags"), ","), *other])
    owned = ["owned"] if cells.get("owned?").casefold() == "yes" else []
    draft.take_shelves([status, *owned])
    return draft


def _take_storygraph_dates(draft: ItemDraft, cells: Cells) -> None:
    """Takes from when to when it was read last: 2025/03/01-2025/03/14, or the last day alone."""
    times = split_list(cells.get("dates read"), ",")
    first, _, last = times[-1].partition("-") if times else ("", "", "")
    if len(times) > 1:
        draft.note("finished_on", f"It was read {len(times)} times; only the last is kept.")
    draft.take_day("started_on", first if last else "")
    draft.take_day("finished_on", last or cells.get("last date read") or first)
    cells.pass_over("last date read")


def read_libib(cells: Cells, now: float) -> ItemDraft:
    """A row of Libib’s one file for all that a person keeps there: books and films are taken."""
    kind = _LIBIB_TYPES.get(cells.get("item_type").casefold())
    if kind is None:
        raise InvalidRow(
            "item_type", f"This is not a book or video: “{cells.get('item_type')[:30]}”."
        )
    draft = ItemDraft(cells.number, kind, cells.get("title"), now)
    creators = [
        name for one in split_list(cells.get("creators"), ",") for name in split_people(one)
    ]
    creators = creators or [f"{cells.get('first_name')} {cells.get('last_name')}"]
    year, count = _YEAR.search(cells.get("publish_date")), _COUNT.match(cells.get("length"))
    if kind == "book":
        draft.take_people("authors", creators)
        take_isbn(draft, cells.get("ean_isbn13"), cells.get("upc_isbn10"))
        draft.take_number("year", year[1] if year else "")
        draft.take_number("pages", count[1] if count else "")
    else:
        draft.take_people("directors", creators)
        draft.take_people("cast", split_list(cells.get("ensemble"), ","))
        draft.take_number("release_year", year[1] if year else "")
        draft.take_number("duration", count[1] if count else "")
    draft.take_summary(cells.get("description"))
    draft.take_place(cells.get("group"))
    draft.take_line("publisher", cells.get("publisher"))
    _take_libib_opinion(draft, cells)
    draft.take_copies(cells.get("copies"))
    draft.take_shelves([cells.get("collection")])
    cells.pass_over("first_name", "last_name")
    return draft


def _take_libib_opinion(draft: ItemDraft, cells: Cells) -> None:
    """Takes what its owner thinks of it, and how far they are."""
    draft.take_rating(cells.get("rating"))
    draft.take_review(cells.get("review"))
    draft.take_day("started_on", cells.get("began"))
    draft.take_day("finished_on", cells.get("completed"))
    status = cells.get("status").casefold()
    progress = _progress(_LIBIB_PROGRESS, status)
    draft.take_progress(progress)
    # What is no status of ours is not lost as a tag.
    other = [status] if progress is None else []
    draft.take_tags([*split_list(cells.get("tags"), ","), *other])


def _progress(known: Mapping[str, Progress], name: str) -> Progress | None:
    """Returns how far the owner is, by what another service calls it."""
    return GAVE_UP if is_given_up(name) else known.get(name.casefold())


GOODREADS = SheetFormat(
    columns=frozenset({"title", "author", "author l-f", "exclusive shelf"}),
    read=read_goodreads,
    unowned=frozenset({"to-read", "want-to-read", "wish-list", "wishlist"}),
)
STORYGRAPH = SheetFormat(
    columns=frozenset({"title", "authors", "isbn/uid", "read status"}),
    read=read_storygraph,
    unowned=frozenset({"to-read"}),
)
LIBIB = SheetFormat(
    columns=frozenset({"title", "creators"}),
    any_of=frozenset({"item_type", "ean_isbn13"}),
    read=read_libib,
    unowned=frozenset({"wishlist", "wish list"}),
)
