"""After a title has changed: lists show it as it is now; one that is removed leaves them."""

from __future__ import annotations

from commonroom.errors import CommonroomError
from commonroom.store import (
    Store,
    add,
    check,
    new,
    remove,
    update,
)
from commonroom.store.streams import Change, Consumer
from commonroom.timers import ActTimer, Handler
from commonroom.titles.stored_titles import Stored, id_of, title_ref
from commonroom.titles.tables import Movie, Show
from commonroom.titles.titles import TitleId
from commonroom.watchlists.service.access import item_ref, retry
from commonroom.watchlists.service.title_merging import MERGE, go_on_merging
from commonroom.watchlists.service.titles import COPIED, copied_facts, same_title
from commonroom.watchlists.service.unused_titles import LOOK, REMOVE, mark_unused, remove_unused
from commonroom.watchlists.tables import (
    TitleOnList,
    Watchlist,
    WatchlistImport,
    lists_with_title,
)


async def follow_title(store: Store, change: Change) -> None:
    """Carries what has changed to every list that holds the title, by its pointers."""
    old: Stored | None = change.old
    changed: Stored | None = change.new
    if old is None or (changed is not None and _has_time(changed)):
        return  # nothing holds what has just been made
    if changed is not None and changed.removed_at is None and not _differs(old, changed):
        return
    trouble: CommonroomError | None = None
    async for pointer in store.all(lists_with_title(**id_of(old).key)):
        try:
            await _carry(store, pointer, old)
        except CommonroomError as error:
            trouble = error  # the others are not to wait for it
    if trouble is not None:
        raise trouble


def _has_time(title: Stored) -> bool:
    """Whether a title leaves lists in another way: merged into another, or only if nobody minds."""
    return title.is_unused or title.merged_into is not None


def _differs(old: Stored, changed: Stored) -> bool:
    return any(getattr(old, name) != getattr(changed, name) for name in COPIED[type(old)])


@retry
async def _carry(store: Store, pointer: TitleOnList, title: Stored) -> None:
    item = await store.get(item_ref(pointer.watchlist_id, TitleId.of(pointer)))
    now: Stored | None = await store.get(title_ref(id_of(title)))
    of = Watchlist.at(watchlist_id=pointer.watchlist_id)
    if item is None or await store.get(of) is None:
        return  # it was taken off, or the list is just being cleared up
    if now is not None and _has_time(now):
        return
    if now is None or now.removed_at is not None:
        gone = check(title.ref, if_=new) if now is None else same_title(now)
        await store.write(
            gone,
            *remove(item),
            update(of, revision=add(1)),
        )
        return
    facts = copied_facts(now)
    if any(getattr(item, name) != value for name, value in facts.items()):
        await store.write(same_title(now), update(item.ref, **facts), update(of, revision=add(1)))


TITLES = Consumer("watchlists-titles", (Movie, Show), follow_title)

HANDLERS: dict[str, Handler] = {
    LOOK: ActTimer(mark_unused, (WatchlistImport,)),
    REMOVE: ActTimer(remove_unused, (Movie, Show)),
    MERGE: ActTimer(go_on_merging, (Movie, Show)),
}
