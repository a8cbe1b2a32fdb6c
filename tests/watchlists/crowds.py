"""Lists that are full and that many follow, put there at once."""

from __future__ import annotations

from msgspec.structs import replace

from commonroom.accounts.tables import User
from commonroom.store import Entity, Store, update
from commonroom.titles.tables import worth_watch
from commonroom.watchlists.rules.lists import GAP
from commonroom.watchlists.service.access import get_contents
from commonroom.watchlists.service.items import pointer_of
from commonroom.watchlists.tables import SavedWatchlist, Saver, Watchlist
from tests.accounts.people import Watch
from tests.watchlists.examples import LONG_AGO, MATRIX, list_of, now_of


async def crowded(
    store: Store, clock: Watch, owner: User, *, items: int, followers: int
) -> Watchlist:
    """A list with so many titles and followers."""
    made = await list_of(store, clock, owner, MATRIX)
    (first,) = (await get_contents(store, made.watchlist_id)).items
    more = [
        replace(first, content_id=f"{20_000 + number}", position=GAP * (number + 2))
        for number in range(items - 1)
    ]
    things: list[Entity] = [*more, *map(pointer_of, more)]
    for number in range(followers):
        who, at = f"follower-{number}", made.watchlist_id
        saver = Saver(user_id=who, watchlist_id=at, saved_at=LONG_AGO)
        things += [saver, SavedWatchlist(user_id=who, watchlist_id=at, saved_at=LONG_AGO)]
    await store.engine.load(worth_watch, [one.to_item() for one in things])
    await store.write(
        update(
            made.ref,
            item_count=items,
            added_count=items,
            last_position=GAP * (items + 1),
            save_count=followers,
        )
    )
    return await now_of(store, made)
