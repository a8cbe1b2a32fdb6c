"""Which list the titles of a file come on: one that its owner has, as long as there is room.

A list that is too long goes on on others, “… (2)” and so on. When its file comes again, what is on
any of them is there already, and what is new comes where there is room.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.moments import iso
from commonroom.store import Store
from commonroom.texts import collation_key
from commonroom.titles.service import Titles
from commonroom.titles.stored_titles import id_of
from commonroom.titles.titles import TitleId
from commonroom.watchlists.rules.formats import CatalogueMatch, WatchlistRow
from commonroom.watchlists.rules.imports import (
    WatchlistImportChoices,
    is_extended,
    made_list_id,
    overflow_list_id,
)
from commonroom.watchlists.rules.lists import MAX_ITEMS, MAX_PARTS, continued_title
from commonroom.watchlists.service.access import item_ref, load_lists, no_such_list
from commonroom.watchlists.service.imports.actions import (
    ImportAction,
    ImportPlan,
    Placed,
    action_of,
    ensure_titles,
    item_of,
    plan_items,
    plan_opinions,
)
from commonroom.watchlists.service.items import item_writes, too_many
from commonroom.watchlists.service.lists import list_writes, new_list
from commonroom.watchlists.service.profiles import ensure_profile
from commonroom.watchlists.tables import Watchlist

BATCH = 10
"""How many parts of a list are looked for in one request."""


class TargetList(Struct, frozen=True):
    """A list on which another goes on, which may be made."""

    list_id: str
    title: str


async def plan_rows(
    ctx: Context,
    titles: Titles,
    import_id: str,
    matched: Sequence[tuple[WatchlistRow, CatalogueMatch]],
    choices: WatchlistImportChoices,
    *,
    is_chosen: bool = False,
) -> ImportPlan:
    """Returns what is written for rows about titles, all for one list or all of them opinions."""
    if not matched:
        return ImportPlan()
    found = await ensure_titles(ctx, titles, matched, is_chosen=is_chosen)
    placed = [(row, title) for (row, _), title in zip(matched, found, strict=True)]
    if placed[0][0].item is None:
        return await plan_opinions(ctx, placed, choices)
    return await _plan_listed(ctx, import_id, placed, choices)


async def _plan_listed(
    ctx: Context, import_id: str, placed: Placed, choices: WatchlistImportChoices
) -> ImportPlan:
    """What puts titles of one list of a file where they belong: rows with their stored titles."""
    first = placed[0][0]
    if not is_extended(first, choices):
        list_id = made_list_id(import_id, first.list_number or 0)
        return await plan_items(ctx, list_id, placed, choices)
    lists = await load_lists(ctx.store, first.family)
    if not lists:
        raise no_such_list()
    next_part = None
    if sum(map(_room, lists)) < len(placed):
        made, next_part = await _further(ctx.store, import_id, first, lists)
        lists += made
    left = await _not_there(ctx.store, lists, placed)
    plan = ImportPlan(skipped=len(placed) - len(left))
    for one in lists:
        here, left = left[: _room(one)], left[_room(one) :]
        if here:
            plan.join(await plan_items(ctx, one.watchlist_id, here, choices))
    if left:
        if next_part is None:
            raise too_many()
        plan.join(await _plan_new(ctx, next_part, left))
    return plan


def _room(one: Watchlist) -> int:
    return max(0, MAX_ITEMS - one.item_count)


async def _further(
    store: Store, import_id: str, row: WatchlistRow, lists: Sequence[Watchlist]
) -> tuple[list[Watchlist], TargetList | None]:
    """The lists that this import has made because the others are full, and what comes next."""
    base, names = row.list_base, {collation_key(one.title) for one in lists}
    if base is None:
        return [], None
    titles = {part: continued_title(base, part) for part in range(2, MAX_PARTS + 1)}
    free = [
        TargetList(overflow_list_id(import_id, base, part), title)
        for part, title in titles.items()
        if collation_key(title) not in names
    ]
    made: list[Watchlist] = []
    for start in range(0, len(free), BATCH):
        some = free[start : start + BATCH]
        found = await load_lists(store, [one.list_id for one in some])
        made += found
        ids = {one.watchlist_id for one in found}
        if missing := [one for one in some if one.list_id not in ids]:
            return made, missing[0]
    return made, None


async def _not_there(store: Store, lists: Sequence[Watchlist], placed: Placed) -> Placed:
    refs = [item_ref(one.watchlist_id, id_of(title)) for one in lists for _, title in placed]
    there = {TitleId.of(item) for item in await store.batch_get(refs) if item is not None}
    return [(row, title) for row, title in placed if id_of(title) not in there]


async def _plan_new(ctx: Context, part: TargetList, placed: Placed) -> ImportPlan:
    """Returns what makes a list with titles on it."""
    profile = await ensure_profile(ctx)
    empty = new_list(ctx, profile, part.list_id, is_public=False, title=part.title)
    items = [item_of(ctx, empty, number, row, title) for number, (row, title) in enumerate(placed)]
    made = replace(
        empty,
        added_count=len(items),
        revision=1,
        last_position=items[-1].position,
        updated_at=iso(ctx.now),
    )
    first = placed[0][0]
    about = ImportAction(
        number=first.number,
        file=first.file,
        title=part.title,
        list_id=part.list_id,
        text=part.title,
    )
    return ImportPlan(
        [*list_writes(ctx, profile, made), *item_writes(items, [title for _, title in placed])],
        [
            about,
            *(
                action_of(row, id_of(title), list_id=part.list_id, text=row.item and row.item.note)
                for row, title in placed
            ),
        ],
    )
