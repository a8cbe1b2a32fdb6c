"""Saved lists: followed, let go, visited, and shown with what is new in them."""

from __future__ import annotations

from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.errors import Conflict, NotFound
from commonroom.moments import iso, seconds
from commonroom.store import (
    ConditionFailed,
    Page,
    Store,
    Write,
    add,
    as_read,
    check,
    create,
    delete,
    equal,
    insert,
    remove,
    update,
)
from commonroom.watchlists.relations import saver_of
from commonroom.watchlists.rules.lists import is_id, may_read
from commonroom.watchlists.rules.trending import day_of, days_until
from commonroom.watchlists.service.access import ListVisitor, readable_list, retry, still_there
from commonroom.watchlists.service.list_views import new_additions
from commonroom.watchlists.tables import (
    DaySaves,
    SavedWatchlist,
    Watchlist,
    saved_watchlists,
)


class FollowedList(Struct, frozen=True):
    """A list that a person follows; without the list where it is no longer there for them."""

    saved: SavedWatchlist
    watchlist: Watchlist | None
    new_count: int = 0

    @property
    def title(self) -> str:
        """What it is called, or was when it was last seen."""
        return self.watchlist.title if self.watchlist else self.saved.title or ""


@retry
async def follow_list(ctx: Context, watchlist_id: str) -> SavedWatchlist:
    """Follows a public list; following twice changes nothing."""
    me = ctx.person.user_id
    found = await readable_list(ListVisitor(ctx.store, ctx.now, me), watchlist_id)
    there = await find_following(ctx, watchlist_id)
    if there is not None:
        return there
    if found.curator_id == me:
        raise Conflict("This is your own list.")
    if not found.is_public:
        raise Conflict("Only public lists can be followed.")
    made = SavedWatchlist(
        user_id=me,
        watchlist_id=watchlist_id,
        saved_at=iso(ctx.now),
        title=found.title,
        seen_additions=found.added_count,
        visited_at=iso(ctx.now),
    )
    await ctx.store.write(
        *insert(made),
        check(found, if_=equal(is_public=True)),
        await _count_day(ctx.store, day_of(ctx.now), watchlist_id),
        still_there(ctx.person),
    )
    return made


async def _count_day(store: Store, day: str, watchlist_id: str) -> Write:
    """One more on a day."""
    ref = DaySaves.at(day=day, watchlist_id=watchlist_id)
    if await store.get(ref) is None:
        return create(DaySaves(day=day, watchlist_id=watchlist_id, saves=1))
    return update(ref, saves=add(1))


@retry
async def unfollow_list(ctx: Context, watchlist_id: str) -> None:
    """Lets a list go, or dismisses one that is no longer available."""
    saved = await find_following(ctx, watchlist_id)
    if saved is not None:
        await end_save(ctx.store, ctx.now, saved)


async def find_following(ctx: Context, watchlist_id: str) -> SavedWatchlist | None:
    """That a person follows a list, if they do: one request."""
    if not is_id(watchlist_id):
        return None
    ref = SavedWatchlist.at(user_id=ctx.person.user_id, watchlist_id=watchlist_id)
    return await ctx.store.get(ref)


async def end_save(store: Store, now: float, saved: SavedWatchlist) -> None:
    """Unfollows a list: both sides, the count, and that of the day."""
    found = await store.get(Watchlist.at(watchlist_id=saved.watchlist_id))
    if found is None:
        # Clearing up after the list removes the other side, too.
        await store.write(delete(saved, if_=as_read(saved, "saved_at")), delete(saver_of(saved)))
        return
    day = day_of(seconds(saved.saved_at))
    ref = DaySaves.at(day=day, watchlist_id=saved.watchlist_id)
    counted = await store.get(ref) if day in days_until(now) else None
    of_day = [] if counted is None else [update(ref, saves=add(-1))]
    await store.write(*remove(saved), *of_day)


async def my_followed_lists(
    ctx: Context, *, limit: int = 50, cursor: str | None = None
) -> Page[FollowedList]:
    """Returns the lists that a person follows, and what is new in each: two requests."""
    asked = saved_watchlists(user_id=ctx.person.user_id)
    page = await ctx.store.page(asked, limit=limit, cursor=cursor)
    refs = [Watchlist.at(watchlist_id=one.watchlist_id) for one in page.items]
    found = await ctx.store.batch_get(refs)
    pairs = zip(page.items, found, strict=True)
    return Page([followed_list(saved, one) for saved, one in pairs], page.seal)


def followed_list(saved: SavedWatchlist, found: Watchlist | None) -> FollowedList:
    """Returns a list that a person follows as it was read, and what is new in it."""
    if found is None or not may_read(found, saved.user_id):
        return FollowedList(saved, None)
    return FollowedList(saved, found, new_additions(found, saved))


async def visit_now(ctx: Context, watchlist_id: str) -> None:
    """Remembers that a follower has seen a list as it is."""
    saved = await find_following(ctx, watchlist_id)
    if saved is None:
        raise NotFound("You do not follow this list.")
    found = await readable_list(ListVisitor(ctx.store, ctx.now, ctx.person.user_id), watchlist_id)
    await visit(ctx, saved, found)


async def visit(ctx: Context, saved: SavedWatchlist, watchlist: Watchlist) -> SavedWatchlist:
    """Remembers what a follower has seen of a list; nothing is written where nothing is new."""
    changes = {
        "title": watchlist.title,
        "seen_additions": watchlist.added_count,
        "visited_at": iso(ctx.now),
    }
    if (saved.title, saved.seen_additions) == (watchlist.title, watchlist.added_count):
        return saved
    with suppress(ConditionFailed):  # it was unfollowed, or seen elsewhere in the same moment
        await ctx.store.write(update(saved.ref, if_=as_read(saved, "seen_additions"), **changes))
        return replace(saved, **changes)
    return saved
