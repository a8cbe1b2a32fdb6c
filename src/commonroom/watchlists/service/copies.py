"""Copies of lists: a list that one may read becomes a private one of one's own."""

from __future__ import annotations

from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.errors import NotFound
from commonroom.store import Store, equal, put, update
from commonroom.timers import timer
from commonroom.titles.stored_titles import Stored
from commonroom.titles.titles import TitleId
from commonroom.watchlists.rules import lists as rules
from commonroom.watchlists.service.access import (
    Editable,
    ListContents,
    ListVisitor,
    get_contents,
    readable_contents,
    retry,
)
from commonroom.watchlists.service.items import MAX_AT_ONCE, add_writes, new_item
from commonroom.watchlists.service.lists import list_writes, new_list
from commonroom.watchlists.service.profiles import ensure_profile
from commonroom.watchlists.service.titles import load_titles
from commonroom.watchlists.tables import Watchlist, WatchlistItem

RESUME = "watchlist-copy"
"""The timer that goes on with an interrupted copy."""
RESUME_AFTER = 60


async def copy_list(ctx: Context, watchlist_id: str, *, view_key: str = "") -> Watchlist:
    """Creates a private list of one's own with the titles and notes of another, in its order."""
    visitor = ListVisitor(ctx.store, ctx.now, ctx.person.user_id, view_key=view_key)
    source = await readable_contents(visitor, watchlist_id)
    copy_id = rules.new_id()
    await _begin(ctx, source.watchlist, copy_id)
    return await resume_copy(ctx.store, copy_id)


@retry
async def _begin(ctx: Context, original: Watchlist, copy_id: str) -> None:
    profile = await ensure_profile(ctx)
    made = new_list(
        ctx,
        profile,
        copy_id,
        is_public=False,
        title=original.title,
        description=original.description,
        tags=original.tags,
        is_numbered=original.is_numbered,
        copied_from=original.watchlist_id,
        is_being_copied=True,
    )
    later = timer(RESUME, ctx.now + RESUME_AFTER, {"watchlist_id": copy_id})
    await ctx.store.write(*list_writes(ctx, profile, made), put(later))


async def resume_copy(store: Store, copy_id: str) -> Watchlist:
    """Adds what a copy still lacks; it may run twice, and go on where it was interrupted."""
    for _ in range(rules.MAX_ITEMS):
        done = await _add_some(store, copy_id)
        if done is not None:
            return done
    raise retry.conflict()


@retry
async def _add_some(store: Store, copy_id: str) -> Watchlist | None:
    """Adds some of what a copy lacks; returns it where that was nothing."""
    copy = await get_contents(store, copy_id)
    to = copy.watchlist
    if not to.is_being_copied:
        return to
    missing = await _missing(store, copy)
    if not missing:
        await store.write(update(to.ref, is_being_copied=False, if_=equal(is_being_copied=True)))
        return replace(to, is_being_copied=False)
    made = [
        new_item(to, number, title, by=to.curator_id, now=to.begun_at or "", note=one.curator_note)
        for number, (one, title) in enumerate(missing)
    ]
    titles = [title for _, title in missing]
    await store.write(*add_writes(Editable(to, to.curator_id), made, titles))
    return None


async def _missing(store: Store, copy: ListContents) -> list[tuple[WatchlistItem, Stored]]:
    """Some of what was on the original when it was copied, and is in the catalogue still."""
    try:
        source = await get_contents(store, copy.watchlist.copied_from or "")
    except NotFound:
        return []
    there = {TitleId.of(one) for one in copy.items}
    begun = copy.watchlist.begun_at or ""
    wanted = [one for one in source.items if one.added_at <= begun and TitleId.of(one) not in there]
    room = max(0, rules.MAX_ITEMS - copy.watchlist.item_count)
    for start in range(0, len(wanted), MAX_AT_ONCE):
        some = wanted[start : start + MAX_AT_ONCE]
        pairs = zip(some, await load_titles(store, some), strict=True)
        found = [(one, it) for one, it in pairs if it is not None and it.removed_at is None]
        if found:
            return found[:room]
    return []
