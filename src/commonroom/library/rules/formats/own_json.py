"""Our own JSON: a library with its collections, items, loans and history."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from commonroom.errors import InvalidField
from commonroom.imports.contents import OwnFile, decode_member, open_own
from commonroom.imports.files import InvalidRow, check_count, past_moment
from commonroom.library.rules import names
from commonroom.library.rules.formats import EventRead, LibraryRow
from commonroom.library.rules.formats.draft import ItemDraft, LibraryContents
from commonroom.library.rules.items import LISTS, NUMBERS
from commonroom.library.rules.loans import due_date
from commonroom.library.tables import Book, Collection, Library, LoanEvent, Order, Video

FORMAT = "commonroom-library"
VERSION = 1
EVENTS_IN_ROW = 80
"""How many events come with a row: they are written in one transaction with what they are about."""

LINES = ("picture_url", "publisher", "language", "format", "location")
CODES = ("isbn", "status", "started_on", "finished_on")
SPECIAL = (*NUMBERS, *LINES, *CODES, "rating", "review", *LISTS)
"""What an item may have beside title, place, summary and loan."""


class ExportedEvent(Struct, omit_defaults=True):
    """Something that happened to an item."""

    type: Literal["lent", "returned"]
    borrower: str
    at: str
    due_date: str | None = None
    lent_at: str | None = None


class LibraryJsonItem(Struct, omit_defaults=True):
    """An item; which fields it may have, its type says."""

    type: Literal["book", "video"]
    title: str
    collection: str | None = None
    order: Order | None = None
    authors: list[str] = []
    directors: list[str] = []
    cast: list[str] = []
    release_year: int | None = None
    duration: int | None = None
    isbn: str | None = None
    tmdb_id: int | None = None
    summary: str | None = None
    picture_url: str | None = None
    lent_to: str | None = None
    lent_at: str | None = None
    due_date: str | None = None
    contributors: list[str] = []
    publisher: str | None = None
    year: int | None = None
    pages: int | None = None
    language: str | None = None
    format: str | None = None
    tags: list[str] = []
    location: str | None = None
    copies: int = 1
    status: str | None = None
    started_on: str | None = None
    finished_on: str | None = None
    rating: float | None = None
    review: str | None = None
    history: list[ExportedEvent] = []


class ExportedCollection(Struct, omit_defaults=True):
    """A collection."""

    name: str
    description: str | None = None


class ExportedLibrary(Struct, omit_defaults=True):
    """The library itself."""

    name: str
    description: str | None = None


class LibraryFile(Struct):
    """A library as a file that can be imported again."""

    format: Literal["commonroom-library"]
    version: int
    library: ExportedLibrary
    collections: list[ExportedCollection]
    items: list[LibraryJsonItem]


class LibraryJsonFile(OwnFile):
    """The whole file; what is in its lists is looked at one by one."""

    collections: list[msgspec.Raw] = msgspec.field(default_factory=list)
    items: list[msgspec.Raw] = msgspec.field(default_factory=list)


_whole = msgspec.json.Decoder(LibraryJsonFile)
_item = msgspec.json.Decoder(LibraryJsonItem)
_collection = msgspec.json.Decoder(ExportedCollection)
_members = msgspec.json.Decoder(dict[str, msgspec.Raw])


def read_json(contents: LibraryContents, text: str) -> None:
    """Reads the rows of a file; an item that cannot be taken is told by its place in the list."""
    told = open_own(text, _whole, VERSION)
    check_count(len(told.collections) + len(told.items))
    unkept = set[str]()

    def take_collection(number: int, raw: msgspec.Raw) -> None:
        try:
            one = decode_member(raw, _collection)
            contents.rows.append(collection_row(number, one.name, one.description))
        except InvalidRow as refused:
            raise InvalidRow("collections", refused.detail) from None

    def take_item(number: int, raw: msgspec.Raw) -> None:
        one = decode_member(raw, _item)
        draft = _draft(number, one, contents.now)
        events = _history(draft, one.history, contents.now)
        contents.add(draft, _with_history(draft, events))
        unkept.update(_members.decode(raw).keys() - LibraryJsonItem.__struct_fields__)

    contents.read_members(told.collections, take_collection)
    contents.read_members(told.items, take_item)
    for what in sorted(unkept):
        contents.leave(what)


def collection_row(number: int, name: str, description: str | None) -> LibraryRow:
    """Returns a collection by itself: it may have a description, and may be empty."""
    try:
        return LibraryRow(
            number=number,
            kind="collection",
            collection=names.collection_name(name),
            description=names.collection_description(description),
        )
    except InvalidField as refused:
        raise InvalidRow(refused.field, refused.detail) from None


def item_record(one: Book | Video) -> LibraryJsonItem:
    """Returns an item as the file has it, without its history."""
    has = {name: getattr(one, name) for name in SPECIAL if hasattr(one, name)}
    return LibraryJsonItem(
        type="book" if isinstance(one, Book) else "video",
        title=one.title,
        collection=one.collection_name,
        order=one.order,
        summary=one.summary,
        lent_to=one.lent_to,
        lent_at=one.lent_at,
        due_date=one.due_date,
        **has,
    )


def event_record(one: LoanEvent) -> ExportedEvent:
    """Returns an event as the file has it."""
    return ExportedEvent(
        "lent" if one.type == "LENT" else "returned",
        one.event,
        one.updated_at,
        one.due_date,
        one.lent_at,
    )


def collection_record(one: Collection) -> ExportedCollection:
    """Returns a collection as the file has it."""
    return ExportedCollection(one.name, one.description)


def library_record(one: Library) -> ExportedLibrary:
    """Returns the library as the file has it."""
    return ExportedLibrary(one.library_name, one.description)


def _draft(number: int, told: LibraryJsonItem, now: float) -> ItemDraft:
    draft = ItemDraft(number, told.type, told.title, now)
    draft.take_place(told.collection or "", "" if told.order is None else f"{told.order:g}")
    for field in SPECIAL:
        draft.take(field, getattr(told, field))
    draft.take_summary(told.summary or "")
    draft.take_loan(told.lent_to or "", told.lent_at or "", told.due_date or "")
    return draft


def _history(draft: ItemDraft, told: Sequence[ExportedEvent], now: float) -> list[EventRead]:
    """Returns what happened, the earliest first; left out where it cannot have been so."""
    try:
        events = sorted((_event(one, now) for one in told), key=lambda one: one.at)
        _check_turns(draft, events)
    except (InvalidRow, InvalidField) as refused:
        draft.note("history", f"{refused.detail} The history is skipped.")
        return []
    return events


def _event(told: ExportedEvent, now: float) -> EventRead:
    return EventRead(
        "LENT" if told.type == "lent" else "RETURNED",
        names.borrower(told.borrower),
        past_moment(told.at, now, UTC),
        due_date(told.due_date, now),
        None if told.lent_at is None else past_moment(told.lent_at, now, UTC),
    )


def _check_turns(draft: ItemDraft, events: Sequence[EventRead]) -> None:
    """Refuses what did not go in turns, or does not lead to how things are."""
    turns = [("LENT", "RETURNED")[place % 2] for place in range(len(events))]
    if [one.type for one in events] != turns or len({one.at for one in events}) < len(events):
        raise InvalidRow(None, "Its loans and returns are out of order.")
    if not events:
        return
    last, loan = events[-1], draft.loan
    if last.type == "LENT":
        fits = loan is not None and (loan.lent_to, loan.lent_at) == (last.borrower, last.at)
    else:
        fits = loan is None or loan.lent_at is None or loan.lent_at > last.at
    if not fits:
        raise InvalidRow(None, "The history does not match the current loan.")


def _with_history(draft: ItemDraft, events: list[EventRead]) -> list[LibraryRow]:
    parts = [
        events[start : start + EVENTS_IN_ROW] for start in range(0, len(events), EVENTS_IN_ROW)
    ]
    last = events[-1].at if events else None
    first = replace(draft.row, events=parts[0] if parts else [], last_event_at=last)
    more = [LibraryRow(number=draft.number, kind="history", events=part) for part in parts[1:]]
    return [first, *more]
