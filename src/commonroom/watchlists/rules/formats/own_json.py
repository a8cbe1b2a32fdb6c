"""Our own JSON: lists with what is on them, and what their owner thinks of titles."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, Literal

import msgspec
from msgspec import Struct

from commonroom.imports.contents import OwnFile, decode_member, open_own
from commonroom.watchlists.rules.formats import ItemRead, ListRead, OpinionRead, TitleRead
from commonroom.watchlists.rules.formats.contents import WatchlistContents
from commonroom.watchlists.rules.formats.fields import MAX_REVIEW, Fields
from commonroom.watchlists.rules.formats.own_csv import NAMES, TYPES
from commonroom.watchlists.rules.seen import MAX_OTHER_DAYS

FORMAT = "commonroom-watchlists"
VERSION = 1


class ExportedTitle(Struct, omit_defaults=True, kw_only=True):
    """A film or show, and by what it is known."""

    type: Literal["film", "show"]
    title: str
    year: int | None = None
    tmdb_id: int | None = None
    imdb_id: str | None = None
    id: str | None = None
    """The one that it has here."""


class WatchlistJsonItem(ExportedTitle, omit_defaults=True, kw_only=True):
    """A title on a list."""

    note: str | None = None
    added_at: str | None = None
    cover: bool = False


class ExportedOpinion(ExportedTitle, omit_defaults=True, kw_only=True):
    """What its owner thinks of a title, and whether they have seen it."""

    rating: int | None = None
    review: str | None = None
    rated_at: str | None = None
    seen: bool = False
    seen_on: str | None = None
    other_days: list[str] = []


class ExportedList(Struct, omit_defaults=True, kw_only=True):
    """A list; what is on it is looked at one by one."""

    title: str
    description: str | None = None
    tags: list[str] = []
    numbered: bool = False
    cover_image_url: str | None = None
    items: list[msgspec.Raw] = []


class WatchlistJsonFile(OwnFile):
    """The whole file."""

    lists: list[msgspec.Raw] = msgspec.field(default_factory=list)
    titles: list[msgspec.Raw] = msgspec.field(default_factory=list)


_whole = msgspec.json.Decoder(WatchlistJsonFile)
_list = msgspec.json.Decoder(ExportedList)
_item = msgspec.json.Decoder(WatchlistJsonItem)
_opinion = msgspec.json.Decoder(ExportedOpinion)


def read_json(contents: WatchlistContents, text: str) -> None:
    """Reads lists and opinions of a file; what cannot be taken is named by its place in it."""
    entry = open_own(text, _whole, VERSION)
    contents.budget.take_rows(len(entry.lists) + len(entry.titles))
    contents.read_members(entry.lists, partial(_take_list, contents))
    contents.read_members(entry.titles, partial(_take_opinion, contents))


def list_record(listed: ListRead, items: Iterable[tuple[TitleRead, ItemRead]]) -> dict[str, Any]:
    """Returns a list as the file has it."""
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


def opinion_record(of: TitleRead, said: OpinionRead) -> ExportedOpinion:
    """Returns an opinion as the file has it."""
    return ExportedOpinion(
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
        "type": NAMES[of.content_type or "MOVIE"],
        "title": of.title,
        "year": of.year,
        "tmdb_id": of.tmdb_id,
        "imdb_id": of.imdb_id,
        "id": of.content_id,
    }


def _take_list(contents: WatchlistContents, number: int, raw: msgspec.Raw) -> None:
    entry = decode_member(raw, _list)
    listed = Fields(contents, number, entry.title, is_own=True).listed(
        description=entry.description or "",
        tags=entry.tags,
        is_numbered=entry.numbered,
        picture=entry.cover_image_url,
    )
    contents.budget.take_rows(len(entry.items))
    to = contents.add_list(number, listed, is_kept_empty=True)
    contents.read_members(entry.items, partial(_take_item, contents, to))


def _take_item(contents: WatchlistContents, to: int, number: int, raw: msgspec.Raw) -> None:
    entry = decode_member(raw, _item)
    fields = Fields(contents, number, entry.title, is_own=True)
    note, added_at = entry.note or "", entry.added_at or ""
    fields.put_on(to, _of(fields, entry), note=note, added_at=added_at, is_cover=entry.cover)


def _take_opinion(contents: WatchlistContents, number: int, raw: msgspec.Raw) -> None:
    entry = decode_member(raw, _opinion)
    fields = Fields(contents, number, entry.title, is_own=True)
    rating = fields.rating(str(entry.rating or 0), 10)
    opinion = OpinionRead(
        rating=rating,
        review=fields.lines("review", entry.review or "", MAX_REVIEW),
        rated_at=fields.moment("rated_at", entry.rated_at or ""),
        is_seen=entry.seen or rating is not None,
        seen_on=fields.day("seen_on", entry.seen_on or ""),
        other_days=[
            day for one in entry.other_days[:MAX_OTHER_DAYS] if (day := fields.day("seen_on", one))
        ],
    )
    contents.add_opinion(number, _of(fields, entry), opinion, is_current=True)


def _of(fields: Fields, entry: ExportedTitle) -> TitleRead:
    return fields.of(
        TYPES[entry.type],
        year=str(entry.year or ""),
        tmdb_id=str(entry.tmdb_id or ""),
        imdb_id=entry.imdb_id or "",
        content_id=entry.id or "",
    )
