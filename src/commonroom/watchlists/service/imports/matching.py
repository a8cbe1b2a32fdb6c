"""Looking titles up: some rows at a time, kept with the rows, so that a preview can be exact."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.errors import NotFound
from commonroom.imports.kinds import pack_part
from commonroom.imports.tables import ImportRowsRecord
from commonroom.imports.worker import work_until_time_is_up
from commonroom.store import ConditionFailed, Ref, Store, StoreError, equal, put, update
from commonroom.texts import collation_key
from commonroom.titles.service import BOTH, Titles
from commonroom.titles.stored_titles import Stored, facts_of, title_ref
from commonroom.titles.title_matching import squashed
from commonroom.titles.titles import TitleFacts, TitleId
from commonroom.watchlists.rules.formats import CatalogueMatch, Known, TitleRead, WatchlistRow
from commonroom.watchlists.rules.imports import MAX_MADE, made_title
from commonroom.watchlists.rules.lists import MAX_ITEMS, MAX_PARTS, continued_title
from commonroom.watchlists.rules.matching import best_match, matches
from commonroom.watchlists.service.access import item_ref
from commonroom.watchlists.service.imports import WatchlistImportPreview
from commonroom.watchlists.service.imports.actions import known_of_opinion
from commonroom.watchlists.service.imports.lifecycle import IMPORTS
from commonroom.watchlists.service.imports.preview import complete_preview
from commonroom.watchlists.service.ratings import Opinion, opinion_refs
from commonroom.watchlists.tables import (
    Watchlist,
    WatchlistImport,
    made_titles,
    watchlists_of_curator,
)

TOGETHER = 40
"""How many rows are looked up until that is kept: they fit into a step however slow TMDB is."""
BATCH = 8
MAX_NAMESAKES = 20

_preview = msgspec.json.Decoder(WatchlistImportPreview)


async def look_up(titles: Titles, ctx: Context, kept: WatchlistImport) -> None:
    """Does some of the looking up, until all is found, other files come, or time is up."""
    run = LookUp(titles, ctx, kept)
    with suppress(ConditionFailed):  # other files have come, or another process is at it
        await work_until_time_is_up(run.step)


class LookUp:
    """The rows of an import being looked up, and how far that is."""

    def __init__(self, titles: Titles, ctx: Context, kept: WatchlistImport) -> None:
        self._titles, self._ctx, self._kept = titles, ctx, kept
        self._own_lists: dict[str, Watchlist] | None = None
        self._part: ImportRowsRecord | None = None
        self._together = TOGETHER
        self._unanswered: set[int] = set()
        """Places of rows, among those looked up last, for which the film source did not answer."""

    async def step(self) -> bool:
        """Looks the next rows up; says whether there were any."""
        kept, store = self._kept, self._ctx.store
        if self._part is None:
            self._part = await store.get(IMPORTS.rows_at(kept, kept.part))
        if self._part is None:
            await self._finish()
            return False
        rows = IMPORTS.unpack_rows(self._part.rows)
        chunk = rows[kept.place : kept.place + self._together]
        try:
            found = await self._looked_up(chunk)
        except StoreError:
            if self._together == 1:
                raise
            # Of many requests one may fail; of few, rather none does.
            self._together //= 2
            return True
        self._together = min(TOGETHER, 2 * self._together)
        rows[kept.place : kept.place + len(chunk)] = found
        packed = replace(self._part, rows=pack_part(rows))
        moved = self._moved(len(rows), found)
        await store.write(update(kept.ref, **moved, if_=self._here), put(packed))
        self._part = packed if moved["part"] == kept.part else None
        self._kept = replace(kept, **moved)
        return True

    @property
    def _here(self) -> Any:
        kept = self._kept
        key = {"part": kept.part, "place": kept.place}
        return equal(import_id=kept.import_id, state="arriving", **key)

    def _moved(self, of: int, found: Sequence[WatchlistRow]) -> dict[str, int]:
        """Returns how far the looking up is once these rows of a part are found."""
        kept, place = self._kept, self._kept.place + len(found)
        is_whole = place >= of
        unknown = sum(row.match is None and row.is_counted for row in found)
        return {
            "part": kept.part + is_whole,
            "place": 0 if is_whole else place,
            "looked_up": kept.looked_up + sum(row.is_counted for row in found),
            "unknown_rows": kept.unknown_rows + unknown,
            "unanswered": kept.unanswered + len(self._unanswered),
        }

    async def _looked_up(self, rows: Sequence[WatchlistRow]) -> list[WatchlistRow]:
        limit = asyncio.Semaphore(BATCH)
        self._unanswered.clear()

        async def one(place: int, row: WatchlistRow) -> WatchlistRow:
            # What was found before is not asked for again.
            if row.of is None or row.match is not None:
                return row
            async with limit:
                sought = await find_match(self._titles, self._ctx, row.of)
            if row.is_counted and not sought.answered:
                self._unanswered.add(place)
            is_made = sought.match is None and row.title_number < MAX_MADE
            made = made_title(row.of, self._kept.account_id) if is_made else None
            return replace(row, match=sought.match, made=made)

        found = await asyncio.gather(*(one(*numbered) for numbered in enumerate(rows)))
        return await self._with_known(await self._with_lists(found))

    async def _with_lists(self, rows: Sequence[WatchlistRow]) -> list[WatchlistRow]:
        """Returns the rows with the list of the same name that their owner has."""
        if self._own_lists is None and any(row.list_title for row in rows):
            mine = self._ctx.store.all(watchlists_of_curator(curator_id=self._kept.account_id))
            # Of several with one name, the oldest: they come newest first.
            self._own_lists = {collation_key(one.title): one async for one in mine}
        own = self._own_lists or {}
        return [_with_family(row, own) for row in rows]

    async def _with_known(self, rows: Sequence[WatchlistRow]) -> list[WatchlistRow]:
        """Returns the rows with what their owner has of them already: one request."""
        wanted = [self._refs(row) for row in rows]
        found = iter(await self._ctx.store.batch_get([ref for refs in wanted for ref in refs]))
        there = [[next(found) for _ in refs] for refs in wanted]
        return [
            replace(row, known=_known_by(row, some)) for row, some in zip(rows, there, strict=True)
        ]

    def _refs(self, row: WatchlistRow) -> list[Ref[Any]]:
        """Returns where it is stored what a row's owner has of it."""
        if row.match is None or (row.opinion is None and row.item is None):
            return []
        title = TitleId.of(row.match)
        if row.opinion is not None:
            return opinion_refs(self._kept.account_id, title)
        return [item_ref(one, title) for one in row.family]

    async def _finish(self) -> None:
        """Completes the preview: from now on its owner may look at it."""
        kept, store = self._kept, self._ctx.store
        report = await store.get(IMPORTS.report_at(kept))
        if report is None:
            raise NotFound("This import was replaced.")
        rows = await IMPORTS.load_rows(store, kept.import_id)
        knows_all = self._titles.films.knows_services
        preview = await asyncio.to_thread(
            lambda: complete_preview(
                _preview.decode(report.preview),
                list(rows),
                # Where TMDB knows a title of none, it is more likely misspelt than missing.
                "leave" if knows_all else "make",
            )
        )
        await store.write(
            update(kept.ref, state="ready", part=0, place=0, if_=self._here),
            put(replace(report, preview=msgspec.json.encode(preview))),
        )


def _with_family(row: WatchlistRow, own: Mapping[str, Watchlist]) -> WatchlistRow:
    """A row with the list of the same name that its owner has, and those on which it goes on."""
    if row.list_title is None:
        return row
    names = [row.list_title]
    if row.list_base is not None:
        names = [continued_title(row.list_base, part) for part in range(1, MAX_PARTS + 1)]
    found = [one for name in names if (one := own.get(collation_key(name))) is not None]
    if not found:
        return replace(row, into=None)
    first, *others = [one.watchlist_id for one in found]
    room = sum(max(0, MAX_ITEMS - one.item_count) for one in found) if row.listed else 0
    return replace(row, into=first, continued=others, room=room)


def _known_by(row: WatchlistRow, there: Sequence[Any]) -> Known:
    """Returns what is there already of a row, by what was found where its references lead."""
    if there and row.opinion is not None:
        return known_of_opinion(Opinion(*there))
    return Known(is_listed=any(one is not None for one in there))


class SoughtMatch(Struct, frozen=True):
    """The title that a row means, if it was found; and whether all answered who might know it."""

    match: CatalogueMatch | None
    answered: bool = True


async def find_match(titles: Titles, ctx: Context, of: TitleRead) -> SoughtMatch:
    """Returns the title that a row means: by an id that it has, or by its name and year."""
    answered, store = True, ctx.store
    for title in _by_id(of):
        found = await titles.find(store, title)
        if found is not None:
            return SoughtMatch(as_match(found.facts))
    if of.imdb_id is not None:
        told = await titles.with_imdb_id(of.imdb_id)
        answered = told.answered
        if len(told.titles) == 1:
            return SoughtMatch(await _as_stored(titles, store, told.titles[0]))
    known: list[TitleFacts] = []
    for name in dict.fromkeys((of.title, of.original_title or of.title)):
        told = await titles.called(name)
        answered &= told.answered
        known += [one for one in told.titles if one not in known]
        if matches(of, known):
            break
    made = [] if matches(of, known) else await _made_here(store, of, ctx.person.user_id)
    best = best_match(of, known, made)
    if best is None and (made or matches(of, known)):
        best = await _made_of_it(store, of, ctx.person.user_id)
    if best is None:
        return SoughtMatch(None, answered=answered)
    return SoughtMatch(await _as_stored(titles, store, best))


def as_match(facts: TitleFacts) -> CatalogueMatch:
    """Returns a title of the catalogue, as a row names it."""
    return CatalogueMatch(facts.content_type, facts.content_id, facts.title, facts.year)


def _by_id(of: TitleRead) -> list[TitleId]:
    if of.content_type is None:
        return []
    ids = [of.content_id, None if of.tmdb_id is None else str(of.tmdb_id)]
    return [TitleId(of.content_type, one) for one in dict.fromkeys(ids) if one is not None]


async def _as_stored(titles: Titles, store: Store, facts: TitleFacts) -> CatalogueMatch:
    """Returns the title as it is stored, if it is: it may have been made under another id."""
    there = await titles.find_here(store, facts.id)
    return as_match(facts if there is None else there.facts)


async def _made_of_it(store: Store, of: TitleRead, account_id: str) -> TitleFacts | None:
    """The title that was made of the very row before: where two are equally likely, it is that."""
    made = made_title(of, account_id)
    found: Stored | None = await store.get(title_ref(TitleId.of(made)))
    return None if found is None or found.removed_at is not None else facts_of(found)


async def _made_here(store: Store, of: TitleRead, account_id: str) -> list[TitleFacts]:
    """Titles that imports have made before, of which a row may mean one: five requests at most."""
    made = made_title(of, account_id)
    ids = [TitleId.of(made)]
    names = [squashed(of.title), *([] if of.imdb_id is None else [of.imdb_id])]
    for kind in BOTH if of.content_type is None else (of.content_type,):
        asked = [made_titles(content_type=kind, name=name) for name in names]
        pages = await store.gather(*(store.page(one, limit=MAX_NAMESAKES) for one in asked))
        named = [one for page in pages for one in page.items]
        ids += [TitleId.of(one) for one in named]
    found: list[Stored | None] = await store.batch_get(
        [title_ref(one) for one in dict.fromkeys(ids)]
    )
    return [facts_of(one) for one in found if one is not None and one.removed_at is None]
