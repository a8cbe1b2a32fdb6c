"""LibraryThing: its CSV, its tab-separated export, and its JSON, read as rows of the others."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from commonroom.imports.sheets import Cells
from commonroom.library.rules.formats.draft import GAVE_UP, ItemDraft
from commonroom.library.rules.formats.sheets import (
    SheetFormat,
    first_name_first,
    is_given_up,
    split_list,
    split_people,
    take_isbn,
    with_role,
)

TO_READ = frozenset({"to read", "want to read"})

MAX_CREDITS = 100
MIN_BY = 25
"""How long the word for “by” is at most, in any language, with what is around it."""

_VIDEO = re.compile(r"\b(dvd|blu-?ray|vhs|video|videodisc|laserdisc|movie|film)\b", re.IGNORECASE)
_YEAR = re.compile(r"\b(1[4-9][0-9]{2}|20[0-9]{2})\b")
_WHEN = re.compile(r"\s*\([0-9?\s./–-]*\)\s*$")
# “Bloomsbury (1997), Edition: First, 223 pages”, or as libraries write it, “London : Cape, 1969.”.
_PUBLISHER = re.compile(r"(?P<name>[^(]*[^(\s])\s*\((?:19|20|1[4-8])[0-9]{2}\)")
_IMPRINT = re.compile(r"[^:]{1,60}\s:\s(?P<name>[^:;,]*[^:;,\s])")
_PAGES = re.compile(r"\b([0-9]{1,5})\s*(?:pages|p\.|pp\.|Seiten|páginas|pagine)", re.IGNORECASE)
_EDITION = re.compile(r"\bedition:", re.IGNORECASE)
_SERIES = re.compile(r"(?P<name>.*?)\s*[#;(]\s*(?P<place>[0-9]+(?:[.,][0-9]+)?)\)?")

# What LibraryThing calls a role is in its reader's language.
_AUTHOR = re.compile(
    r"|(?:joint |co-?)?author|writer|auteur|autor(?:in|a|e)?|verfasser(?:in)?|författare"
    r"|forfatter|primary contributor",
    re.IGNORECASE,
)
_DIRECTOR = re.compile(
    r"|director|dire[ck]t[eo]u?r|regisseur(?:in)?|r[ée]alisat(?:eur|rice)|regista|realizador",
    re.IGNORECASE,
)
_ACTOR = re.compile(r"\bact|darsteller|schauspiel|interpr|attore|attrice", re.IGNORECASE)


_COLUMNS = {
    "title": "title",
    "publication": "publication",
    "date": "date",
    "summary": "summary",
    "pages": "page count",
    "rating": "rating",
    "review": "review",
    "datestarted": "date started",
    "dateread": "date read",
    "copies": "copies",
    "originalisbn": "isbn",
    "isbn": "isbns",
    "tags": "tags",
    "collections": "collections",
    "language": "languages",
    "series": "series",
    "books_id": "book id",
    "workcode": "work id",
    "sortcharacter": "sort character",
    "dimensions": "dimensions",
}
"""Where a member of a book stands in the other exports."""
DEEPEST = 4
"""How far lists within lists are read: what anybody sends has an end."""
_SEPARATORS = {"series": "|"}
_SAID_ELSEWHERE = (
    "primaryauthor", "authors", "format", "public", "tagidA", "collections_idA",
    "language_codeA", "originallanguage_codeA", "genre_id", "asin", "ean", "upc",
)  # fmt: skip


def read_librarything(cells: Cells, now: float) -> ItemDraft:
    """Returns a row as a book, or as a video where its media says so."""
    media = cells.get("media")
    draft = ItemDraft(
        cells.number, "video" if _VIDEO.search(media) else "book", cells.get("title"), now
    )
    _take_people(draft, cells)
    if draft.kind == "book":
        isbns = re.split(r"[,;|\s]+", cells.get("isbns"))
        take_isbn(draft, *isbns, cells.get("isbn"))
        pages = re.match(r"[0-9]+", cells.get("page count"))
        draft.take_number("pages", pages[0] if pages else _pages_in(cells))
    else:
        cells.pass_over("isbn", "isbns")
    year = _YEAR.search(cells.get("date"))
    draft.take_number("year" if draft.kind == "book" else "release_year", year[1] if year else "")
    _take_publication(draft, cells)
    _take_series(draft, cells.get("series"))
    _take_summary(draft, cells)
    draft.take_line("language", cells.get("languages"))
    draft.take_line("format", media)
    _take_opinion(draft, cells)
    if patron := cells.get("lending patron"):
        # What its dates mean depends on a status in words; a wrong loan is worse than none.
        why = f"LibraryThing has it as lent to {patron[:50]}. Lend it here if that is still true."
        draft.note("lent_to", why)
    # Numbers of its own, and what is in other columns already.
    cells.pass_over("book id", "work id", "sort character", "dimensions", "page count")
    return draft


def _take_people(draft: ItemDraft, cells: Cells) -> None:
    """Takes everybody where they belong; who is neither author nor in a film, with their role."""
    first, *others = _credits(cells) or [("", "")]
    if draft.kind == "video":
        everybody = [first, *others]
        directors = [name for name, role in everybody if _DIRECTOR.fullmatch(role)]
        draft.take_people("directors", directors)
        cast = [name for name, role in everybody if _ACTOR.search(role)]
        draft.take_people("cast", cast)
        known = {*directors, *cast}
        rest = [(name, role) for name, role in everybody if name not in known]
    else:
        authors = [name for name, role in others if _AUTHOR.fullmatch(role)]
        draft.take_people("authors", [first[0], *authors])
        rest = [(name, role) for name, role in others if not _AUTHOR.fullmatch(role)]
    draft.take_people("contributors", [with_role(*one) for one in rest if one[0]])


def _credits(cells: Cells) -> list[tuple[str, str]]:
    """Returns everybody with their role; the second ones stand in two columns, parted by `|`."""
    roles = cells.get("secondary author roles") or cells.get("secondary author role")
    others = cells.get("secondary author").split("|", MAX_CREDITS)[:MAX_CREDITS]
    parts = [*roles.split("|"), *([""] * len(others))]
    first = (cells.get("primary author"), cells.get("primary author role"))
    pairs = [first, *zip(others, parts, strict=False)]
    return [
        (first_name_first(name), role.strip())
        for one, role in pairs
        for name in split_people(one)
        if name
    ]


def _take_publication(draft: ItemDraft, cells: Cells) -> None:
    """Takes who published it; of the rest, only pages and year have a place."""
    text = cells.get("publication")
    match = _PUBLISHER.match(text) or _IMPRINT.match(text)
    name = match["name"] if match else re.split(r",? [0-9]+ pages", text)[0]
    if name.casefold() != "publisher unknown":
        draft.take_line("publisher", name.strip(" [],"))
    if _EDITION.search(text):
        draft.leave("Publication (edition)")


def _pages_in(cells: Cells) -> str:
    """Returns the pages that a book has, where only the line about its publication says so."""
    found = _PAGES.search(cells.get("publication"))
    return found[1] if found else ""


def _take_series(draft: ItemDraft, text: str) -> None:
    """Takes the first series, with a place where it says so."""
    series, *others = split_list(text, "|") or [""]
    match = _SERIES.fullmatch(series)
    draft.take_place(match["name"] if match else series, match["place"] if match else "")
    if others:
        draft.note("collection", f"Only the first series is kept, not {', '.join(others)}.")


def _take_opinion(draft: ItemDraft, cells: Cells) -> None:
    """Takes what its owner thinks of it, and how far they are."""
    draft.take_rating(cells.get("rating"))
    draft.take_review(cells.get("review"))
    draft.take_day("started_on", cells.get("date started"))
    draft.take_day("finished_on", cells.get("date read"))
    shelves = split_list(cells.get("collections"), ",")
    names = {one.casefold() for one in shelves}
    if draft.fields.get("finished_on"):
        draft.take_progress(2)
    elif any(map(is_given_up, names)):
        draft.take_progress(GAVE_UP)
    elif draft.fields.get("started_on") or "currently reading" in names:
        draft.take_progress(1)
    elif names & TO_READ:
        draft.take_progress(0)
    draft.take_tags(split_list(cells.get("tags"), ","))
    draft.take_copies(cells.get("copies"))
    draft.take_shelves(shelves)


def _take_summary(draft: ItemDraft, cells: Cells) -> None:
    """Takes a summary that a person wrote: by itself, it is “<title> by <author> (<year>)”."""
    summary = cells.get("summary").replace("[Return]", "\n")
    if not _is_made(summary, cells.get("title"), cells.get("primary author")):
        draft.take_summary(summary)


def _is_made(summary: str, title: str, author: str) -> bool:
    """Whether LibraryThing made a summary out of title, author and year, in whatever language."""
    left = _WHEN.sub("", summary).casefold()
    if title.casefold() not in left:
        return False
    left = left.replace(title.casefold(), "", 1)
    for name in (author.casefold(), first_name_first(author).casefold()):
        if name and name in left:
            left = left.replace(name, "", 1)
            return len(left.strip()) <= MIN_BY
    return not left.strip()


def is_book(one: Any) -> bool:
    """Returns whether this is a book as LibraryThing writes it."""
    return isinstance(one, dict) and "books_id" in one and "title" in one


def cells_of(number: int, book: Mapping[str, Any]) -> Cells:
    """Returns a book as a row; what has no column there keeps its own name."""
    cells = {
        _COLUMNS.get(name, name): _text(value, _SEPARATORS.get(name, ", "))
        for name, value in book.items()
    }
    people = [one for one in _all(book.get("authors")) if isinstance(one, dict)]
    first, *others = people or [{"lf": book.get("primaryauthor") or ""}]
    media = [one for one in _all(book.get("format")) if isinstance(one, dict)]
    cells |= {
        "primary author": _member(first, "lf") or _member(first, "fl"),
        "primary author role": _member(first, "role"),
        "secondary author": "|".join(_member(one, "lf") or _member(one, "fl") for one in others),
        "secondary author roles": "|".join(_member(one, "role") for one in others),
        "media": _member(media[0], "text") if media else "",
    }
    row = Cells(number, cells)
    row.pass_over(*_SAID_ELSEWHERE)
    return row


def _member(of: Mapping[str, Any], name: str) -> str:
    return _text(of.get(name), " ").replace("|", " ")


def _all(value: Any) -> list[Any]:
    """What a list holds; LibraryThing writes some of them as objects with numbers for names."""
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else [] if value is None else [value]


def _text(value: Any, separator: str, deep: int = 0) -> str:
    if isinstance(value, dict | list):
        within = _all(value) if deep < DEEPEST else []
        texts = (_text(one, separator, deep + 1) for one in within)
        return separator.join(text for text in texts if text)
    return "" if value is None else str(value)


LIBRARYTHING = SheetFormat(
    columns=frozenset({"title", "primary author", "secondary author"}),
    read=read_librarything,
    unowned=TO_READ | {"wishlist", "wish list", "read but unowned"},
)
