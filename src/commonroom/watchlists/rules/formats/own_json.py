"""Our own JSON: lists with what is on them, and what their owner thinks of titles."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from commonroom.imports.files import InvalidRow, UnreadableFile
from commonroom.titles.titles import ContentType
from commonroom.watchlists.rules import lists
from commonroom.watchlists.rules.formats import ItemRead, ListRead, OpinionRead, TitleRead
from commonroom.watchlists.rules.formats.contents import FileContents
from commonroom.watchlists.rules.formats.fields import MAX_REVIEW, Fields
from commonroom.watchlists.rules.seen import MAX_OTHER_DAYS

FORMAT = "commonroom-watchlists"
VERSION = 1
TYPES: dict[str, ContentType] = {"film": "MOVIE", "show": "SHOW"}


class TitleTold(Struct, omit_defaults=True, kw_only=True):
    """A film or show, and by what it is known."""

    type: Literal["film", "show"]
    title: str
    year: int | None = None
    tmdb_id: int | None = None
    imdb_id: str | None = None
    id: str | None = None
    """The one that it has here."""


class WatchlistJsonItem(TitleTold, omit_defaults=True, kw_only=True):
    """A title on a list."""

    note: str | None = None
    added_at: str | None = None
    cover: bool = False


class OpinionTold(TitleTold, omit_defaults=True, kw_only=True):
    """What its owner thinks of a title, and whether they have seen it."""

    rating: int | None = None
    review: str | None = None
    rated_at: str | None = None
    seen: bool = False
    seen_on: str | None = None
    other_days: list[str] = []


class ListTold(Struct, omit_defaults=True, kw_only=True):
    """A list; what is on it is looked at one by one."""

    title: str
    description: str | None = None
    tags: list[str] = []
    numbered: bool = False
    cover_image_url: str | None = None
    items: list[msgspec.Raw] = []


class WatchlistJsonFile(Struct):
    """The whole file."""

    format: str = ""
    version: int = VERSION
    lists: list[msgspec.Raw] = []
    titles: list[msgspec.Raw] = []


class WatchlistJsonHead(Struct):
    """What tells whose file it is."""

    format: str = ""


T = TypeVar("T")
Told = TypeVar("Told", bound=TitleTold)

_head = msgspec.json.Decoder(WatchlistJsonHead)
_whole = msgspec.json.Decoder(WatchlistJsonFile)
_list = msgspec.json.Decoder(ListTold)
_item = msgspec.json.Decoder(WatchlistJsonItem)
_opinion = msgspec.json.Decoder(OpinionTold)


def is_own(text: str) -> bool:
    """Whether a JSON text is a file of ours, of whichever version."""
    try:
        return _head.decode(text).format == FORMAT
    except (msgspec.DecodeError, RecursionError):
        return False


def read_json(contents: FileContents, text: str) -> None:
    """The lists and opinions of a file; what cannot be taken is told by its place in it."""
    told = _opened(text)
    contents.budget.take_rows(len(told.lists) + len(told.titles))
    for number, raw in enumerate(told.lists, start=1):
        listed = _read(contents, number, raw, _list.decode)
        if listed is not None:
            _take_list(contents, number, listed)
    for number, raw in enumerate(told.titles, start=1):
        one = _read(contents, number, raw, _opinion.decode)
        if one is not None:
            _take(contents, number, one, _take_opinion)


def list_record(listed: ListRead, items: Iterable[tuple[TitleRead, ItemRead]]) -> dict[str, Any]:
    """A list as the file has it."""
    return {
        "title": listed.title,
        "description": listed.description,
        "tags": listed.tags,
        "numbered": listed.is_numbered,
        **({"cover_image_url": listed.cover_image_url} if listed.cover_image_url else {}),
        "items": [
            WatchlistJsonItem(
                **_title_record(of), note=item.note, added_at=item.added_at, cover=item.is_cover
            )
            for of, item in items
        ],
    }


def opinion_record(of: TitleRead, said: OpinionRead) -> OpinionTold:
    """An opinion as the file has it."""
    return OpinionTold(
        **_title_record(of),
        rating=said.rating,
        review=said.review,
        rated_at=said.rated_at,
        seen=said.is_seen,
        seen_on=said.seen_on,
        other_days=said.other_days,
    )


def _title_record(of: TitleRead) -> dict[str, Any]:
    return {
        "type": "show" if of.content_type == "SHOW" else "film",
        "title": of.title,
        "year": of.year,
        "tmdb_id": of.tmdb_id,
        "imdb_id": of.imdb_id,
        "id": of.content_id,
    }


def _opened(text: str) -> WatchlistJsonFile:
    try:
        told = _whole.decode(text)
    except (msgspec.DecodeError, RecursionError):
        raise UnreadableFile("This JSON file was exported by Commonroom, but is damaged.") from None
    if told.version != VERSION:
        raise UnreadableFile("This file was exported by a newer version of Commonroom.")
    return told


def _read(
    contents: FileContents, number: int, raw: msgspec.Raw, decode: Callable[[msgspec.Raw], T]
) -> T | None:
    try:
        return decode(raw)
    except (msgspec.DecodeError, RecursionError) as error:
        why = f"{str(error).replace('`', '').replace('$.', '')}."
        contents.refuse(number, _title_in(raw), InvalidRow(None, why))
        return None


def _take(
    contents: FileContents, number: int, told: Told, take: Callable[[FileContents, int, Told], None]
) -> None:
    try:
        take(contents, number, told)
    except InvalidRow as refused:
        contents.refuse(number, told.title, refused)


def _take_list(contents: FileContents, number: int, told: ListTold) -> None:
    try:
        fields = Fields(contents, number, told.title)
    except InvalidRow as refused:
        contents.refuse(number, told.title, refused)
        return
    about = fields.own_lines("description", told.description or "", lists.MAX_DESCRIPTION)
    listed = replace(
        fields.listed(tags=told.tags, is_numbered=told.numbered),
        description=about,
        cover_image_url=fields.picture("cover_image_url", told.cover_image_url),
    )
    contents.budget.take_rows(len(told.items))
    to = contents.add_list(number, listed, is_kept_empty=True)
    for place, raw in enumerate(told.items, start=1):
        one = _read(contents, place, raw, _item.decode)
        if one is not None:
            _take(contents, place, one, partial(_take_item, to))


def _take_item(to: int, contents: FileContents, number: int, told: WatchlistJsonItem) -> None:
    fields = Fields(contents, number, told.title)
    item = ItemRead(
        note=fields.own_lines("note", told.note or "", lists.MAX_NOTE),
        added_at=fields.moment("added_at", told.added_at or ""),
        is_cover=told.cover,
    )
    contents.add_item(to, number, _of(fields, told), item)


def _take_opinion(contents: FileContents, number: int, told: OpinionTold) -> None:
    fields = Fields(contents, number, told.title)
    rating = fields.rating(str(told.rating or 0), 10)
    opinion = OpinionRead(
        rating=rating,
        review=fields.own_lines("review", told.review or "", MAX_REVIEW),
        rated_at=fields.moment("rated_at", told.rated_at or ""),
        is_seen=told.seen or rating is not None,
        seen_on=fields.day("seen_on", told.seen_on or ""),
        other_days=[
            day for one in told.other_days[:MAX_OTHER_DAYS] if (day := fields.day("seen_on", one))
        ],
    )
    contents.add_opinion(number, _of(fields, told), opinion, is_current=True)


def _of(fields: Fields, told: TitleTold) -> TitleRead:
    of = fields.of(
        TYPES[told.type],
        year=str(told.year or ""),
        tmdb_id=str(told.tmdb_id or ""),
        imdb_id=told.imdb_id or "",
    )
    content_id = told.id or ""
    return replace(of, content_id=content_id if lists.is_id(content_id) else None)


def _title_in(raw: msgspec.Raw) -> str | None:
    """What something damaged is called, so that its owner knows which it is."""
    try:
        title = msgspec.json.decode(raw, type=dict[str, Any]).get("title")
    except (msgspec.DecodeError, RecursionError):
        return None
    return title if isinstance(title, str) else None
