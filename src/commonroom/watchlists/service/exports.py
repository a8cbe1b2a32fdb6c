"""Exporting: a list as CSV or JSON for its readers, and all that is a person's own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import asdict, replace

from commonroom.accounts.context import Context
from commonroom.store import Store
from commonroom.titles.stored_titles import Stored, facts_of
from commonroom.titles.titles import TitleId
from commonroom.watchlists.rules.formats import (
    ItemRead,
    ListRead,
    OpinionRead,
    TitleRead,
    own_csv,
    own_json,
)
from commonroom.watchlists.rules.lists import own_picture
from commonroom.watchlists.rules.seen import days_of
from commonroom.watchlists.service.access import (
    ListContents,
    ListVisitor,
    get_contents,
    readable_contents,
)
from commonroom.watchlists.service.titles import load_titles
from commonroom.watchlists.tables import (
    Rating,
    Seen,
    Watchlist,
    WatchlistItem,
    owned_lists,
    ratings_of_user,
    seen_of_user,
)

BATCH = 100
BOM = "\ufeff"
"""Without it, a spreadsheet takes accents for something else."""

_encoded = msgspec.json.Encoder().encode


class WatchlistExport(NamedTuple):
    """A file: what it is called, and what is in it, made as it is asked for."""

    name: str
    pieces: AsyncIterator[bytes]


async def export_csv(visitor: ListVisitor, watchlist_id: str) -> WatchlistExport:
    """Returns a list as CSV; refused before the first bytes where the caller may not read it."""
    contents = await readable_contents(visitor, watchlist_id)
    return WatchlistExport(contents.watchlist.title, _csv(visitor.store, contents))


async def export_json(visitor: ListVisitor, watchlist_id: str) -> WatchlistExport:
    """Returns a list as JSON."""
    contents = await readable_contents(visitor, watchlist_id)
    return WatchlistExport(contents.watchlist.title, _json(visitor.store, contents))


def export_everything(ctx: Context) -> WatchlistExport:
    """A person's own lists, ratings, and what they have seen, as JSON that can be imported."""
    return WatchlistExport("Watchlists", _everything(ctx.store, ctx.person.user_id))


async def _csv(store: Store, contents: ListContents) -> AsyncIterator[bytes]:
    yield (BOM + own_csv.HEADER_LINE + own_csv.list_line(_listed(contents.watchlist))).encode()
    async for items in _items(store, contents):
        yield "".join(own_csv.item_lines(items)).encode()


async def _json(store: Store, contents: ListContents) -> AsyncIterator[bytes]:
    yield _head() + b'"lists":[\n'
    yield _encoded(await _list_record(store, contents))
    yield b"]}\n"


async def _everything(store: Store, user_id: str) -> AsyncIterator[bytes]:
    yield _head() + b'"lists":['
    between = b"\n"
    async for pointer in store.all(owned_lists(user_id=user_id)):
        contents = await get_contents(store, pointer.watchlist_id)
        yield between + _encoded(await _list_record(store, contents))
        between = b",\n"
    yield b'],"titles":['
    between = b"\n"
    async for some in _opinions(store, user_id):
        for told in some:
            yield between + _encoded(told)
            between = b",\n"
    yield b"]}\n"


def _head() -> bytes:
    return _encoded({"format": own_json.FORMAT, "version": own_json.VERSION})[:-1] + b","


async def _list_record(store: Store, contents: ListContents) -> dict[str, object]:
    items = [one async for some in _items(store, contents) for one in some]
    return own_json.list_record(_listed(contents.watchlist), items)


def _listed(of: Watchlist) -> ListRead:
    return ListRead(of.title, of.description, of.tags, of.is_numbered, own_picture(of))


async def _items(
    store: Store, contents: ListContents
) -> AsyncIterator[list[tuple[TitleRead, ItemRead]]]:
    """Yields what is on a list, some at a time, with the ids by which others know it."""
    for start in range(0, len(contents.items), BATCH):
        some = contents.items[start : start + BATCH]
        titles = await load_titles(store, some)
        yield [
            (_title(one, title, one.title, one.year), _item(contents.watchlist, one))
            for one, title in zip(some, titles, strict=True)
        ]


def _item(of: Watchlist, one: WatchlistItem) -> ItemRead:
    is_cover = TitleId.of(one).text == of.cover_title
    return ItemRead(one.curator_note, one.added_at, is_cover)


async def _opinions(store: Store, user_id: str) -> AsyncIterator[list[own_json.ExportedOpinion]]:
    """Yields what a person thinks of titles and has seen, some at a time."""
    asked = seen_of_user(user_id=user_id)
    marks = {TitleId.of(one): one async for one in store.all(asked) if one.is_seen}
    rated: list[Rating] = []
    async for one in store.all(ratings_of_user(user_id=user_id)):
        rated.append(one)
        if len(rated) == BATCH:
            yield await _read_opinions(store, rated, marks)
            rated.clear()
    yield await _read_opinions(store, rated, marks)
    only_seen = list(marks.values())
    for start in range(0, len(only_seen), BATCH):
        yield await _read_opinions(store, only_seen[start : start + BATCH], marks)


async def _read_opinions(
    store: Store, some: Sequence[Rating | Seen], marks: dict[TitleId, Seen]
) -> list[own_json.ExportedOpinion]:
    """Opinions with their titles; those that were rated are taken out of what was only seen."""
    told: list[own_json.ExportedOpinion] = []
    for one, title in zip(some, await load_titles(store, some), strict=True):
        seen = marks.pop(TitleId.of(one), None)
        said = OpinionRead(is_seen=seen is not None, **asdict(days_of(seen)))
        if isinstance(one, Rating):
            given = {"rating": one.rating, "review": one.review, "rated_at": one.rated_at}
            said = replace(said, **given)
        name = one.content_id if title is None else title.title
        year = None if title is None else facts_of(title).year
        told.append(own_json.opinion_record(_title(one, title, name, year), said))
    return told


def _title(
    one: WatchlistItem | Rating | Seen, title: Stored | None, name: str, year: int | None
) -> TitleRead:
    of = TitleId.of(one)
    known = None if title is None or title.tmdb_id is None else int(title.tmdb_id)
    return TitleRead(
        **of.key,
        title=name,
        year=year,
        tmdb_id=known if known is not None else of.tmdb_id,
        imdb_id=None if title is None else title.imdb_id,
    )
