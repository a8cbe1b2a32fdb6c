"""Followers of a list are told what was added to it: a while later, and once a day at most.

An addition opens a round, whose timer tells a hundred followers at a time; what is added meanwhile
waits for the next round. A removal, and a list that turns private, revise what was told.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from commonroom.accounts.tables import User
from commonroom.errors import NotFound
from commonroom.moments import iso, seconds
from commonroom.notifications.imported import was_due_at_import
from commonroom.notifications.kinds import Facts
from commonroom.notifications.notifications import revise_page, tell
from commonroom.notifications.tables import Notification
from commonroom.store import (
    ConditionFailed,
    Entity,
    Ref,
    Store,
    as_read,
    check,
    create,
    put,
    stored,
    update,
)
from commonroom.store.streams import Change, Consumer
from commonroom.store.streams.tables import LastImport
from commonroom.timers import Handler, Timer, timer
from commonroom.watchlists import notifications
from commonroom.watchlists.rules.list_updates import Additions, facts_of, has_news
from commonroom.watchlists.rules.lists import is_discoverable
from commonroom.watchlists.service.access import ListContents, get_contents, retry
from commonroom.watchlists.tables import (
    ListUpdate,
    SavedWatchlist,
    Saver,
    Watchlist,
    savers,
    savers_from,
)

TELL = "watchlist-update"
REVISE = "watchlist-update-revised"
SETTLED_SECONDS = 15 * 60
"""How long nothing was added before followers are told: thirty titles in a row are told at once."""
MAX_WAIT_SECONDS = 2 * 3600
"""How long a round waits for a list that goes on growing."""
DAY = 24 * 3600
"""How long after one round the next may begin."""
OVERDUE_SECONDS = DAY
"""After how long a round whose timer was given up is opened anew."""
REVISE_SECONDS = 60
"""Removals within so long are looked at once."""
AGAIN_SECONDS = 600
"""After how long an index surely shows what was told before."""
BATCH = 100
"""How many are told before it is noted how far it is."""


async def follow_list(store: Store, change: Change) -> None:
    """Opens a round where titles were added; has what was told looked at where some went."""
    old: Watchlist | None = change.old
    latest: Watchlist | None = change.new
    if old is None or latest is None or not latest.save_count:
        return
    # A repair corrects the count alone; adding something raises the revision, too.
    has_grown = latest.added_count > old.added_count and latest.revision > old.revision
    if has_grown and is_discoverable(latest):
        # Titles of a file may have been added long ago where it comes from.
        at = max(change.at, seconds(latest.updated_at))
        await _open_round(store, at, latest)
    is_hidden = is_discoverable(old) and not is_discoverable(latest)
    if is_hidden or latest.item_count < old.item_count:
        await _look_again(store, change.at, latest.watchlist_id)


@retry
async def _open_round(store: Store, at: float, added_to: Watchlist) -> None:
    key = {"watchlist_id": added_to.watchlist_id}
    refs: list[Ref[Entity]] = [
        ListUpdate.at(**key),
        added_to.ref,
        LastImport.at(consumer="import"),
    ]
    there, current, imported = await store.batch_get(refs)
    if current is None:
        return
    if isinstance(imported, LastImport) and added_to.updated_at <= iso(imported.imported_at):
        return  # the record is of an import: it was added, and told, elsewhere
    due = at + SETTLED_SECONDS
    if isinstance(there, ListUpdate):
        if _is_waiting(there, at) or added_to.added_count <= there.added_count:
            return
        due = max(due, 0.0 if there.told_at is None else seconds(there.told_at) + DAY)
    opened: dict[str, Any] = {"since": added_to.updated_at, "due_at": iso(due)}
    if isinstance(there, ListUpdate):
        same = as_read(there, "due_at", "added_count")
        state_write = update(there, if_=same, **opened, begun_at=None, told_to=None)
    else:
        state_write = create(ListUpdate(watchlist_id=added_to.watchlist_id, **opened))
    await store.write(
        state_write,
        check(added_to.ref, if_=stored),  # else nothing would clear up after it
        put(timer(TELL, due, key)),
    )


def _is_waiting(state: ListUpdate, at: float) -> bool:
    """Whether a round will come to what was added at a moment; a timer may have been given up."""
    return state.due_at is not None and at < seconds(state.due_at) + OVERDUE_SECONDS


async def _look_again(store: Store, at: float, watchlist_id: str) -> None:
    told = await store.get(ListUpdate.at(watchlist_id=watchlist_id))
    if told is None or (told.told_at is None and told.begun_at is None):
        return  # nobody was told of anything
    moment = (at // REVISE_SECONDS + 1) * REVISE_SECONDS
    about = {"watchlist_id": watchlist_id}
    moments = (moment, moment + AGAIN_SECONDS)
    await store.write(*(put(timer(REVISE, one, about)) for one in moments))


async def tell_followers(store: Store, waited: Timer, now: float) -> float | None:
    """Takes one step of a round, and asks to be called again while there are more."""
    watchlist_id = waited.about["watchlist_id"]
    state = await store.get(ListUpdate.at(watchlist_id=watchlist_id))
    if state is None or state.due_at is None:
        return None
    try:
        contents = await get_contents(store, watchlist_id)
    except NotFound:
        return None
    try:
        if await _is_obsolete(store, waited, now, state, contents):
            told_at = None if state.begun_at is None else iso(now)
            return await _end(store, now, state, contents.watchlist, told_at=told_at)
        if state.begun_at is None:
            return await _begin(store, now, state, contents)
        return await _tell_some(store, now, state, contents)
    except ConditionFailed:
        return now  # something was added, or another process is at it: look again


async def _is_obsolete(
    store: Store, waited: Timer, now: float, state: ListUpdate, contents: ListContents
) -> bool:
    """Returns whether a round has nothing to tell, or nobody."""
    found = contents.watchlist
    if not is_discoverable(found) or not found.save_count:
        return True
    return not has_news(contents.items, state.since) or await was_due_at_import(store, waited, now)


async def _begin(
    store: Store, now: float, state: ListUpdate, contents: ListContents
) -> float | None:
    """Begins to tell, once nothing was added for a while."""
    latest = max(seconds(one.added_at) for one in contents.items)
    due = seconds(state.due_at or state.since)
    settled = max(due, min(latest + SETTLED_SECONDS, due + MAX_WAIT_SECONDS))
    if now < settled:
        return settled
    same = as_read(state, "since", "begun_at", "told_to")
    added_count = contents.watchlist.added_count
    await store.write(update(state, begun_at=iso(now), added_count=added_count, if_=same))
    return now


async def _tell_some(
    store: Store, now: float, state: ListUpdate, contents: ListContents
) -> float | None:
    """Tells the next followers."""
    key = {"watchlist_id": state.watchlist_id}
    asked = savers(**key)
    if state.told_to is not None:
        asked = savers_from(**key, user_id=state.told_to)
    page = await store.page(asked, limit=BATCH)
    await _tell(store, now, state, contents, page.items)
    if page.cursor is None:
        return await _end(store, now, state, contents.watchlist, told_at=iso(now))
    same = as_read(state, "since", "begun_at", "told_to")
    await store.write(update(state, told_to=page.items[-1].user_id, if_=same))
    return now


async def _tell(
    store: Store, now: float, state: ListUpdate, contents: ListContents, some: Sequence[Saver]
) -> None:
    found = contents.watchlist
    additions = await _additions(store, contents)
    alike: dict[tuple[tuple[str, str], ...], list[User]] = {}
    for person, saved in await _followers(store, state.watchlist_id, [one.user_id for one in some]):
        news = additions.new_for(person, saved)
        if has_news(news, state.since):
            alike.setdefault(tuple(facts_of(found, news).items()), []).append(person)
    link, about = f"/lists/{found.watchlist_id}", f"{found.watchlist_id}/{state.begun_at}"
    kind, by = notifications.UPDATED, found.curator_id
    for facts, people in alike.items():
        await tell(store, now, people, kind, facts=dict(facts), link=link, id=about, by=by)


async def _additions(store: Store, contents: ListContents) -> Additions:
    found = contents.watchlist
    ids = [found.curator_id, *found.collaborator_ids]
    editors = await store.batch_get([User.at(user_id=one) for one in ids])
    return Additions(found, contents.items, {one.user_id: one for one in editors if one})


async def _followers(
    store: Store, watchlist_id: str, user_ids: Sequence[str]
) -> list[tuple[User, SavedWatchlist]]:
    """Returns those of some people who have an account and follow a list."""
    refs: list[Ref[Entity]] = [User.at(user_id=one) for one in user_ids]
    refs += [SavedWatchlist.at(user_id=one, watchlist_id=watchlist_id) for one in user_ids]
    found = await store.batch_get(refs)
    pairs = zip(found[: len(user_ids)], found[len(user_ids) :], strict=True)
    return [
        (person, saved)
        for person, saved in pairs
        if isinstance(person, User) and isinstance(saved, SavedWatchlist)
    ]


async def _end(
    store: Store, now: float, state: ListUpdate, found: Watchlist, *, told_at: str | None = None
) -> float | None:
    """Ends a round; what was added since it began is the next one's.

    That the list has not grown meanwhile is held by a condition: a record that came while the round
    was under way has left its additions to this.
    """
    told = {} if told_at is None else {"told_at": told_at}
    over: dict[str, Any] = {"begun_at": None, "told_to": None, **told}
    if told_at is not None and found.added_count > state.added_count:
        due = now + DAY
        over |= {"since": state.begun_at, "due_at": iso(due)}
    else:
        due = None
        over |= {"due_at": None, "added_count": found.added_count}
    same = as_read(state, "since", "begun_at", "told_to")
    as_large = check(found, if_=as_read(found, "added_count"))
    await store.write(update(state, if_=same, **over), as_large)
    return due


async def revise_told(store: Store, waited: Timer, now: float) -> None:
    """Brings up to date what followers were told, and settles what is no longer there for them."""
    watchlist_id = waited.about["watchlist_id"]
    with suppress(NotFound):  # deleting it resolves all that was told of it
        contents = await get_contents(store, watchlist_id)
        additions = await _additions(store, contents)
        revised = partial(_revised, store, additions)
        await revise_page(store, now, f"/lists/{watchlist_id}", notifications.UPDATED, revised)


async def _revised(
    store: Store, additions: Additions, told: Sequence[Notification]
) -> list[Facts | None]:
    found = additions.watchlist
    followers = await _followers(store, found.watchlist_id, [one.user_id for one in told])
    news = {person.user_id: additions.new_for(person, saved) for person, saved in followers}
    return [facts_of(found, items) if (items := news.get(one.user_id)) else None for one in told]


UPDATES = Consumer(
    "watchlists-updates",
    (Watchlist,),
    follow_list,
    sets=(TELL, REVISE),
    tells=(notifications.UPDATED,),
)

HANDLERS: dict[str, Handler] = {TELL: tell_followers, REVISE: revise_told}
