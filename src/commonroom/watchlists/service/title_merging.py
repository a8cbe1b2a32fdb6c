"""Merging two titles that are one: what people have of the duplicate moves to the title that stays.

The duplicate leads to the other title from the first moment on, and nobody can use it any more. The
rest moves piece by piece, each in one transaction with what it leaves behind: it may be interrupted
anywhere and goes on with what is left.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.imports.worker import work_until_time_is_up
from commonroom.moments import iso
from commonroom.store import (
    BoundPattern,
    Store,
    Write,
    absent,
    add,
    as_read,
    check,
    create,
    delete,
    equal,
    insert,
    new,
    put,
    remove,
    stored,
    update,
)
from commonroom.timers import Timer, timer
from commonroom.titles.service import Titles, no_such_title
from commonroom.titles.stored_titles import Stored, id_of, load_title, title_ref
from commonroom.titles.tables import TmdbClaim
from commonroom.titles.title_matching import squashed
from commonroom.titles.titles import ContentType, TitleId
from commonroom.watchlists.rules import merging as rules
from commonroom.watchlists.rules.lists import cover_image
from commonroom.watchlists.service.access import item_ref, retry
from commonroom.watchlists.service.ratings import Opinion, load_opinion, removal, stars_writes
from commonroom.watchlists.service.titles import copied_facts, same_title
from commonroom.watchlists.tables import (
    MadeTitle,
    Seen,
    TitleOnList,
    TitleRating,
    Watchlist,
    WatchlistItem,
    lists_with_title,
    ratings_of_title,
    seen_of_title,
)

MERGE = "watchlists.merge-titles"
TOGETHER = 20
"""How many of a kind are looked for at a time; each moves by itself."""
MAX_COUNTED = 1000
LAST = "last"
"""Says of a timer that it is the second look."""
ONCE_MORE_AFTER = 60.0
"""Seconds after which marks are looked for once more: far longer than an index takes."""


class MergePreview(Struct, frozen=True):
    """What merging two titles would do; numbers stop at a thousand."""

    source: Stored
    """The duplicate, which goes."""
    target: Stored
    lists: int
    opinions: int
    """How many people rated or reviewed the duplicate."""
    seen: int


async def preview_merge(
    ctx: Context, titles: Titles, source: TitleId, target: TitleId
) -> MergePreview:
    """What merging a duplicate into another title would do; refused where they are not one."""
    gone, kept = await _both(ctx, titles, source, target)
    pages = [await ctx.store.page(one, limit=MAX_COUNTED) for one in _all_of(id_of(gone))]
    return MergePreview(gone, kept, *(len(page.items) for page in pages))


@retry
async def merge_titles(ctx: Context, titles: Titles, source: TitleId, target: TitleId) -> Stored:
    """Merges a duplicate into another title, which stays; what people have of it follows."""
    gone, kept = await _both(ctx, titles, source, target)
    fields = rules.merged_fields(gone, kept)
    there = equal(version=kept.version) & absent("removed_at")
    if fields:
        changed = update(kept, **fields, updated_at=iso(ctx.now), if_=absent("removed_at"))
    else:
        changed = check(kept, if_=there)
    await ctx.store.write(
        update(gone, removed_at=iso(ctx.now), merged_into=id_of(kept).content_id),
        changed,
        *_claim_writes(gone, kept),
        *_way_writes(gone, kept),
        put(timer(MERGE, ctx.now, id_of(gone).key)),
    )
    return await load_title(ctx.store, id_of(kept)) or kept


async def go_on_merging(store: Store, waited: Timer, now: float) -> float | None:
    """Moves what people have of a duplicate, until nothing is left or time is up."""
    kind: ContentType = "SHOW" if waited.about["content_type"] == "SHOW" else "MOVIE"
    source: Stored | None = await store.get(title_ref(TitleId(kind, waited.about["content_id"])))
    if source is None or source.merged_into is None:
        return None
    of = id_of(source)
    is_left = True

    async def step() -> bool:
        nonlocal is_left
        is_left = await _move_some(store, of)
        return is_left

    await work_until_time_is_up(step)
    if not is_left and LAST not in waited.about:
        # Marks are found by an index, which may not have known all of them yet.
        once_more = timer(MERGE, now + ONCE_MORE_AFTER, waited.about | {LAST: "yes"})
        await store.write(put(once_more))
    return now if is_left else None


async def _both(
    ctx: Context, titles: Titles, source: TitleId, target: TitleId
) -> tuple[Stored, Stored]:
    rules.check_source(source)
    gone: Stored | None = await ctx.store.get(title_ref(source))
    if gone is None or gone.removed_at is not None:
        raise no_such_title(source.content_type)
    kept = await titles.ensure_stored(ctx.store, target, ctx.now)
    rules.check_merge(gone, kept)
    return gone, kept


def _all_of(of: TitleId) -> list[BoundPattern[Any]]:
    return [ask(**of.key) for ask in (lists_with_title, ratings_of_title, seen_of_title)]


def _claim_writes(gone: Stored, kept: Stored) -> list[Write]:
    """Returns what gives the duplicate's TMDB id to the title that stays."""
    if gone.tmdb_id is None:
        return []
    to = id_of(kept)
    claim = TmdbClaim(content_type=to.content_type, tmdb_id=gone.tmdb_id, content_id=to.content_id)
    return [put(claim, if_=new | equal(content_id=id_of(gone).content_id))]


def _way_writes(gone: Stored, kept: Stored) -> list[Write]:
    """Returns what leads the next file that names the duplicate to the title that stays."""
    of, to = id_of(gone), id_of(kept)
    year = copied_facts(gone)["year"]
    writes: list[Write] = []
    for name in (squashed(gone.title), gone.imdb_id):
        if name is not None:
            way = MadeTitle(**to.key, name=name, title=gone.title, year=year)
            writes += [put(way), delete(replace(way, content_id=of.content_id))]
    return writes


async def _move_some(store: Store, of: TitleId) -> bool:
    """Moves some of what is left; says whether there was anything."""
    lists, opinions, marks = _all_of(of)
    for pointer in (found := (await store.page(lists, limit=TOGETHER)).items):
        await _move_item(store, of, pointer)
    if found:
        return True
    people = [one.user_id for one in (await store.page(opinions, limit=TOGETHER)).items]
    for user_id in people:
        await _move_opinion(store, of, user_id)
    if people:
        return True
    refs = (await store.page(marks, limit=TOGETHER)).items
    left: list[Seen] = [one for one in await store.batch_get(refs) if one is not None]
    for one in left:
        await _move_opinion(store, of, one.user_id)
    return bool(left)


async def _target(store: Store, of: TitleId) -> Stored:
    """Returns the title that stays, which may have become another one meanwhile."""
    kept = await load_title(store, of)
    if kept is None:
        raise no_such_title(of.content_type)
    return kept


@retry
async def _move_item(store: Store, of: TitleId, pointer: TitleOnList) -> None:
    """Puts the title that stays where the duplicate stood on a list."""
    kept = await _target(store, of)
    to = id_of(kept)
    refs: list[Any] = [
        item_ref(pointer.watchlist_id, of),
        item_ref(pointer.watchlist_id, to),
        Watchlist.at(watchlist_id=pointer.watchlist_id),
    ]
    item, there, held = await store.batch_get(refs)
    if item is None or held is None:
        # It was taken off, or the list is just being cleared up.
        await store.write(delete(pointer))
        return
    cover: dict[str, Any] = {}
    if held.cover_title == of.text:
        cover = {"cover_title": to.text, "cover_image_url": cover_image(held, kept.poster_url)}
    unchanged = stored & as_read(held, "cover_title", "cover_image_url")
    await store.write(
        *remove(item, if_=as_read(item, "curator_note", "position")),
        *_placed(item, there, kept),
        update(held.ref, revision=add(1), **cover, if_=unchanged),
        same_title(kept),
    )


def _placed(item: WatchlistItem, there: WatchlistItem | None, kept: Stored) -> list[Write]:
    to = id_of(kept)
    if there is None:
        moved = replace(item, content_id=to.content_id, **copied_facts(kept))
        return insert(moved)
    note = rules.merged_note(there.curator_note, item.curator_note)
    return [update(there.ref, curator_note=note, if_=as_read(there, "curator_note"))]


@retry
async def _move_opinion(store: Store, of: TitleId, user_id: str) -> None:
    """Moves a person's opinion and mark of the duplicate to the title that stays."""
    kept = await _target(store, of)
    moved = await load_opinion(store, user_id, of)
    there = await load_opinion(store, user_id, id_of(kept))
    writes = [*_rating_writes(kept, moved, there), *_mark_writes(kept, moved, there)]
    person = User.at(user_id=user_id)
    if writes and await store.get(person) is not None:
        await store.write(*writes, check(person, if_=stored))
        return
    # A person who is gone takes everything along.
    gone = [] if moved.rating is None else removal(moved.rating, None, None)
    gone = gone or [delete(TitleRating.at(user_id=user_id, **of.key))]
    await store.write(*gone, *([] if moved.seen is None else [delete(moved.seen)]))


def _rating_writes(kept: Stored, moved: Opinion, there: Opinion) -> list[Write]:
    if moved.rating is None:
        return []
    own = replace(moved.rating, content_id=id_of(kept).content_id, version=1)
    after = rules.merged_rating(own, there.rating)
    return [*removal(moved.rating, None, None), *stars_writes(kept, there.rating, after)]


def _mark_writes(kept: Stored, moved: Opinion, there: Opinion) -> list[Write]:
    """Returns what joins two marks; who has rated the title that stays has seen it."""
    if moved.seen is None:
        return []
    fields = rules.merged_mark(moved.seen, there.seen)
    if (moved.rating or there.rating) is not None:
        fields["own"] = fields["own"] or "rating"
    gone = delete(moved.seen, if_=equal(version=moved.seen.version))
    if there.seen is not None:
        return [gone, update(there.seen, **fields)]
    made = replace(moved.seen, content_id=id_of(kept).content_id, version=1, **fields)
    return [gone, create(made)]
