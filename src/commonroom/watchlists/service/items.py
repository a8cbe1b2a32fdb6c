"""Items of a list: added, noted, moved, removed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.errors import Conflict, InvalidField, NotFound
from commonroom.moments import iso
from commonroom.store import (
    ConditionFailed,
    Write,
    add,
    as_read,
    insert,
    remove,
    update,
)
from commonroom.titles.service import Titles
from commonroom.titles.stored_titles import Stored, id_of
from commonroom.titles.tables import Movie, Show
from commonroom.titles.titles import ContentType, TitleId
from commonroom.watchlists.relations import title_on_list
from commonroom.watchlists.rules import lists as rules
from commonroom.watchlists.rules.lists import GAP
from commonroom.watchlists.service.access import (
    Editable,
    editable_list,
    find_item,
    retry,
    write_unless_suspended,
)
from commonroom.watchlists.service.titles import (
    copied_facts,
    no_such_title,
    same_title,
    stored_titles,
)
from commonroom.watchlists.tables import Watchlist, WatchlistItem

MAX_AT_ONCE = 30
"""How many titles are added by one request: all of them or none, in one transaction."""


class NewWatchlistItem(Struct, frozen=True):
    """A title to be added."""

    content_type: ContentType
    content_id: str
    note: str | None = None


class AlreadyListed(Conflict):
    """The title is on the list; `content_type` and `content_id` say which one it is."""

    title = "Already on the list"


pointer_of = title_on_list


@retry
async def add_items(
    ctx: Context, titles: Titles, watchlist_id: str, wanted: Sequence[NewWatchlistItem]
) -> list[WatchlistItem]:
    """Adds titles at the end of a list, in this order, all of them or none: two reads, a write."""
    if not 1 <= len(wanted) <= MAX_AT_ONCE:
        raise InvalidField("items", f"Add 1 to {MAX_AT_ONCE} titles at a time.")
    notes = [rules.note(one.note) for one in wanted]
    refs = [TitleId.of(one) for one in wanted]
    me = ctx.person.user_id
    access = await editable_list(ctx, watchlist_id)
    found = await stored_titles(ctx.store, titles, refs, ctx.now)
    if len({id_of(one) for one in found}) < len(found):
        raise InvalidField("items", "Add each title once.")
    made = [
        new_item(access.watchlist, number, title, by=me, now=iso(ctx.now), note=note)
        for number, (title, note) in enumerate(zip(found, notes, strict=True))
    ]
    try:
        await write_unless_suspended(ctx.store, *add_writes(access, made, found))
    except ConditionFailed as failed:
        raise_refusal(failed)
        raise
    return made


def new_item(
    to: Watchlist, number: int, title: Stored, *, by: str, now: str, note: str | None
) -> WatchlistItem:
    """Returns an item behind all others; `number` counts those that are added at the same time."""
    return WatchlistItem(
        **copied_facts(title),
        **id_of(title).key,
        watchlist_id=to.watchlist_id,
        position=to.last_position + GAP * (number + 1),
        curator_note=note,
        added_at=now,
        added_by=by,
    )


def add_writes(
    access: Editable, made: Sequence[WatchlistItem], titles: Sequence[Stored]
) -> list[Write]:
    """What adds items to a list; the items first: where one is there already, that is said."""
    to = access.watchlist
    if to.item_count + len(made) > rules.MAX_ITEMS:
        raise too_many()
    return [
        *item_writes(made, titles),
        update(
            to.ref,
            added_count=add(len(made)),
            revision=add(1),
            last_position=made[-1].position,
            updated_at=made[-1].added_at,
            if_=access.still & as_read(to, "revision", "last_position"),
        ),
        *access.held,
    ]


def item_writes(made: Sequence[WatchlistItem], titles: Sequence[Stored]) -> list[Write]:
    """Returns what makes items, whose list changes with them."""
    return [
        *(write for one in made for write in insert(one)),
        *map(same_title, titles),
    ]


def raise_refusal(failed: ConditionFailed) -> None:
    """Says what is wrong where trying again does not help."""
    there = failed.entity
    if isinstance(there, WatchlistItem):
        said = f"“{there.title}” is already on this list."
        raise AlreadyListed(said, **TitleId.of(there).key) from None
    if failed.operation.entity_type in (Movie, Show) and there is None:
        raise no_such_title() from None


@retry
async def change_note(
    ctx: Context, watchlist_id: str, title: TitleId, note: str | None
) -> WatchlistItem:
    """Says why a title is on a list, or takes that out."""
    text = rules.note(note)
    access = await editable_list(ctx, watchlist_id)
    item = await item_on(ctx, access.watchlist, title)
    await write_unless_suspended(
        ctx.store,
        update(item.ref, curator_note=text),
        update(access.watchlist.ref, updated_at=iso(ctx.now), if_=access.still),
        *access.held,
    )
    return replace(item, curator_note=text)


@retry
async def remove_item(ctx: Context, watchlist_id: str, title: TitleId) -> WatchlistItem:
    """Takes a title off a list."""
    access = await editable_list(ctx, watchlist_id)
    item = await item_on(ctx, access.watchlist, title)
    await write_unless_suspended(ctx.store, *remove_writes(ctx, access, [item]))
    return item


def remove_writes(ctx: Context, access: Editable, items: Sequence[WatchlistItem]) -> list[Write]:
    """Returns what takes items off a list."""
    of = access.watchlist
    changes: dict[str, Any] = {
        "revision": add(1),
        "updated_at": iso(ctx.now),
    }
    keys = [TitleId.of(one).text for one in items]
    is_cover = of.cover_title in keys
    none = {"cover_title": None, "cover_image_url": rules.cover_image(of, None)}
    cover = none if is_cover else {}
    # Choosing it for the cover in this moment holds that it is there.
    held = access.still & as_read(of, "cover_title")
    return [
        *(write for one in items for write in remove(one)),
        update(of if is_cover else of.ref, if_=held, **changes, **cover),
        *access.held,
    ]


async def item_on(ctx: Context, watchlist: Watchlist, title: TitleId) -> WatchlistItem:
    """Returns an item of a list: one request."""
    found = await find_item(ctx.store, watchlist.watchlist_id, title)
    if found is None:
        raise NotFound("This title is not on the list.")
    return found


def too_many() -> Conflict:
    """Returns the refusal for a list that is full."""
    return Conflict(f"A list holds up to {rules.MAX_ITEMS} titles.")
