"""New public lists are told to those who follow their curator, once."""

from __future__ import annotations

from typing import Any

from commonroom.accounts.tables import User
from commonroom.moments import iso
from commonroom.notifications.notifications import tell
from commonroom.store import ConditionFailed, Store, absent, equal, put, update
from commonroom.store.streams import Change, Consumer
from commonroom.timers import Handler, Timer, timer
from commonroom.watchlists import notifications
from commonroom.watchlists.rules.lists import is_discoverable
from commonroom.watchlists.tables import Follower, Watchlist, followers, followers_from

ANNOUNCE = "watchlist-announcement"
ANNOUNCE_AFTER = 10 * 60
"""How long a new list may grow before others are told: nobody wants to hear of its first title."""
BATCH = 100
"""How many are told before it is noted how far it is."""


def is_announceable(one: Watchlist) -> bool:
    """Returns whether a list is to be told of: it can be seen, has something on it, and is new."""
    return is_discoverable(one) and one.item_count > 0 and one.announced_at is None


async def wait_to_announce(store: Store, change: Change) -> None:
    """Sets a timer once a list can be told of."""
    old: Watchlist | None = change.old
    new: Watchlist | None = change.new
    if new is None or not is_announceable(new) or (old is not None and is_announceable(old)):
        return
    # The record's own moment, so that it is one timer however often this runs.
    await store.write(
        put(timer(ANNOUNCE, change.at + ANNOUNCE_AFTER, {"watchlist_id": new.watchlist_id}))
    )


async def announce(store: Store, waited: Timer, now: float) -> float | None:
    """Tells some of the followers, and asks to be called again while there are more."""
    found = await store.get(Watchlist.at(watchlist_id=waited.about["watchlist_id"]))
    if found is None or not is_announceable(found):
        return None
    asked = followers(curator_id=found.curator_id)
    if found.announced_to is not None:
        asked = followers_from(curator_id=found.curator_id, user_id=found.announced_to)
    page = await store.page(asked, limit=BATCH)
    await _tell(store, now, found, page.items)
    done = page.cursor is None
    changes: dict[str, Any] = (
        {"announced_at": iso(now), "announced_to": None}
        if done
        else {"announced_to": page.items[-1].user_id}
    )
    still = absent("announced_at") & equal(announced_to=found.announced_to)
    try:
        await store.write(update(found.ref, if_=still, **changes))
    except ConditionFailed:
        return now  # another is at it, or the list is gone
    return None if done else now


async def _tell(store: Store, now: float, new: Watchlist, those: list[Follower]) -> None:
    found = await store.batch_get([User.at(user_id=one.user_id) for one in those])
    people = [one for one in found if one is not None]
    facts = {"who": new.curator_name or "", "list": new.title}
    link, about, by = f"/lists/{new.watchlist_id}", new.watchlist_id, new.curator_id
    kind = notifications.NEW_LIST
    await tell(store, now, people, kind, facts=facts, link=link, id=about, by=by)


ANNOUNCEMENTS = Consumer(
    "watchlists-announcements",
    (Watchlist,),
    wait_to_announce,
    sets=(ANNOUNCE,),
    tells=(notifications.NEW_LIST,),
)

HANDLERS: dict[str, Handler] = {ANNOUNCE: announce}
