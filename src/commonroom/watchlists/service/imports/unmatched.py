"""Rows of an import whose titles nobody knew: their importer says which ones are meant."""

from __future__ import annotations

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.errors import Conflict, NotFound
from commonroom.imports.lifecycle import retry
from commonroom.store import Condition, Page, add, delete, equal, one_of, stored, update
from commonroom.titles.service import Titles
from commonroom.titles.titles import ContentType, TitleId
from commonroom.watchlists.rules.formats import CatalogueMatch, WatchlistRow
from commonroom.watchlists.rules.imports import WatchlistImportChoices
from commonroom.watchlists.service.imports.actions import step_writes
from commonroom.watchlists.service.imports.lifecycle import WatchlistImports
from commonroom.watchlists.service.imports.placing import plan_rows
from commonroom.watchlists.tables import UnmatchedRow, WatchlistImport, unmatched_rows

OPEN = ("done", "cancelled")
"""The states in which rows are settled: before, there may be more; after, all is taken back."""
BY_HAND = 50_000
"""Steps for settled rows come behind those of all parts, so that they are undone first."""

_row = msgspec.json.Decoder(WatchlistRow)


class OpenRow(Struct, frozen=True):
    """A row that waits for its title."""

    row_id: str
    number: int
    file: str | None
    title: str
    year: int | None
    content_type: ContentType | None
    list_title: str | None
    """The list that it is for; None where it is an opinion."""
    rating: int | None = None
    is_seen: bool = False


async def open_rows(
    ctx: Context, import_id: str, *, limit: int = 20, cursor: str | None = None
) -> Page[OpenRow]:
    """Returns a page of rows that wait for their titles: two requests."""
    kept = await _open_import(ctx, import_id)
    page = await ctx.store.page(
        unmatched_rows(import_id=kept.import_id), limit=limit, cursor=cursor
    )
    return Page([_view(one) for one in page.items], page.seal)


async def open_row(ctx: Context, import_id: str, row_id: str) -> OpenRow:
    """One of these rows: two requests."""
    await _open_import(ctx, import_id)
    return _view(await _find(ctx, import_id, row_id))


@retry
async def settle(
    ctx: Context, titles: Titles, import_id: str, row_id: str, title: TitleId
) -> OpenRow:
    """Says which title a row means: it is worked on as if it had been known."""
    kept = await _open_import(ctx, import_id)
    waiting = await _find(ctx, import_id, row_id)
    row = _row.decode(waiting.row)
    match = CatalogueMatch(**title.key, title=row.title)
    choices = WatchlistImportChoices.of(kept, kept.without)
    matched = [(replace(row, match=match), match)]
    plan = await plan_rows(ctx, titles, import_id, matched, choices, is_chosen=True)
    await ctx.store.write(
        delete(waiting, if_=stored),
        update(kept.ref, settled=add(1), added=add(plan.added), if_=_still(kept)),
        *plan.writes,
        *step_writes(kept, BY_HAND + waiting.part, waiting.place, plan.actions),
    )
    return _view(waiting)


@retry
async def dismiss(ctx: Context, import_id: str, row_id: str) -> None:
    """Lets a row go that nobody finds a title for."""
    kept = await _open_import(ctx, import_id)
    waiting = await _find(ctx, import_id, row_id)
    await ctx.store.write(
        delete(waiting, if_=stored), update(kept.ref, settled=add(1), if_=_still(kept))
    )


async def _open_import(ctx: Context, import_id: str) -> WatchlistImport:
    kept = await WatchlistImports(ctx).current()
    if kept.import_id != import_id:
        raise Conflict("Another file was chosen in the meantime.")
    if kept.state not in OPEN:
        raise Conflict("Wait until the import is finished.")
    return kept


async def _find(ctx: Context, import_id: str, row_id: str) -> UnmatchedRow:
    part, dash, place = row_id.partition("-")
    found = None
    if dash and all(one.isascii() and one.isdigit() and len(one) <= 5 for one in (part, place)):
        ref = UnmatchedRow.at(import_id=import_id, part=int(part), place=int(place))
        found = await ctx.store.get(ref)
    if found is None:
        raise NotFound("This row has its title already, or was dismissed.")
    return found


def _still(kept: WatchlistImport) -> Condition:
    return equal(import_id=kept.import_id) & one_of("state", *OPEN)


def _view(waiting: UnmatchedRow) -> OpenRow:
    row = _row.decode(waiting.row)
    said = row.opinion
    return OpenRow(
        row_id=f"{waiting.part}-{waiting.place}",
        number=row.number,
        file=row.file,
        title=waiting.title,
        year=waiting.year,
        content_type=None if row.of is None else row.of.content_type,
        list_title=row.list_title,
        rating=None if said is None else said.rating,
        is_seen=said is not None and (said.is_seen or said.is_begun),
    )
