"""Moving items: one item is rewritten; where no number is free between two, room is made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.errors import InvalidField, NotFound
from commonroom.moments import iso
from commonroom.store import Condition, Write, add, as_read, stored, update
from commonroom.store.limits import REQUEST_OPERATIONS
from commonroom.titles.titles import TitleId
from commonroom.watchlists.rules.lists import (
    Spread,
    position_between,
    spread_behind,
    target_index,
)
from commonroom.watchlists.service.access import (
    Editable,
    editable,
    get_contents,
    retry,
    write_unless_suspended,
)
from commonroom.watchlists.tables import Watchlist, WatchlistItem

BATCH = REQUEST_OPERATIONS - 1
"""How many items get another position in one transaction, besides the list."""


class Target(Struct, frozen=True):
    """Where an item goes: one of these."""

    place: int | None = None
    """Counted from 1; beyond the last is the last."""
    before: TitleId | None = None
    after: TitleId | None = None


@retry
async def move_item(
    ctx: Context, watchlist_id: str, title: TitleId, to: Target
) -> list[WatchlistItem]:
    """Moves an item and gives all in their new order: one read and one write."""
    if sum(one is not None for one in (to.place, to.before, to.after)) != 1:
        raise InvalidField("place", "Say where it goes: place, before or after.")

    found = await get_contents(ctx.store, watchlist_id)
    access = editable(found.watchlist, ctx.person.user_id)
    moving, index = _places(found.items, title, to)
    if index == moving:
        return found.items
    others = [*found.items[:moving], *found.items[moving + 1 :]]
    position = _position_at(others, index)
    if position is None:
        access, others = await _make_room(ctx, access, found.items[-1], others, index)
        position = _position_at(others, index)
    moved = await _write_position(ctx, access, found.items[moving], position or 0)
    return [*others[:index], moved, *others[index:]]


def _places(items: Sequence[WatchlistItem], title: TitleId, to: Target) -> tuple[int, int]:
    """Returns where the item is, and where it comes to stand among the others."""
    moving = _index(items, title)
    before = None if to.before is None else _index(items, to.before)
    after = None if to.after is None else _index(items, to.after)
    if moving in (before, after):
        return moving, moving
    return moving, target_index(len(items), moving, place=to.place, before=before, after=after)


def _index(items: Sequence[WatchlistItem], title: TitleId) -> int:
    for number, one in enumerate(items):
        if TitleId.of(one) == title:
            return number
    raise NotFound("This title is not on the list.")


def _position_at(others: Sequence[WatchlistItem], index: int) -> int | None:
    before = others[index - 1].position if index > 0 else None
    after = others[index].position if index < len(others) else None
    return position_between(before, after)


async def _write_position(
    ctx: Context, access: Editable, item: WatchlistItem, position: int
) -> WatchlistItem:
    """Rewrites one item; a change of the order or of the list comes before or after."""
    watchlist = access.watchlist
    await write_unless_suspended(
        ctx.store,
        update(item.ref, position=position),
        update(
            watchlist.ref,
            revision=add(1),
            last_position=max(watchlist.last_position, position),
            updated_at=iso(ctx.now),
            if_=access.still & as_read(watchlist, "revision", "last_position"),
        ),
        *access.held,
    )
    return replace(item, position=position)


async def _make_room(
    ctx: Context,
    access: Editable,
    last: WatchlistItem,
    others: Sequence[WatchlistItem],
    index: int,
) -> tuple[Editable, list[WatchlistItem]]:
    """Moves all items from an index on behind the last; the order stays all the while."""
    spread = spread_behind(len(others), index, last.position)
    for raised, writes in spread_writes(access.watchlist, others, spread, access.still):
        await write_unless_suspended(ctx.store, *writes, *access.held)
        access = replace(access, watchlist=raised)
    placed = list(others)
    for one in spread:
        placed[one.index] = replace(placed[one.index], position=one.position)
    return access, placed


def spread_writes(
    watchlist: Watchlist,
    items: Sequence[WatchlistItem],
    spread: Sequence[Spread],
    still: Condition = stored,
) -> Iterator[tuple[Watchlist, list[Write]]]:
    """Writes that give items their new positions, each with the list as it is after it."""
    for start in range(0, len(spread), BATCH):
        part = spread[start : start + BATCH]
        raised = replace(
            watchlist,
            revision=watchlist.revision + 1,
            last_position=max(watchlist.last_position, spread[0].position),
        )
        held = update(
            watchlist.ref,
            revision=add(1),
            last_position=raised.last_position,
            if_=still & as_read(watchlist, "revision", "last_position"),
        )
        moved = [update(items[one.index].ref, position=one.position) for one in part]
        yield raised, [*moved, held]
        watchlist = raised
