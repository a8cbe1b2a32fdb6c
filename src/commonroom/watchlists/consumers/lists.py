"""After a list has changed: what it is found under; after it is gone: everything of it."""

from __future__ import annotations

from contextlib import suppress

from commonroom.accounts.tables import User
from commonroom.errors import NotFound
from commonroom.notifications.notifications import resolve_page, tell
from commonroom.store import Store, as_read, check, equal, put, update
from commonroom.store.streams import Change, Consumer
from commonroom.timers import ActTimer, Handler, Timer, timer
from commonroom.watchlists import notifications
from commonroom.watchlists.service.access import get_contents, retry
from commonroom.watchlists.service.copies import RESUME, resume_copy
from commonroom.watchlists.service.deletion import clear_list
from commonroom.watchlists.service.facets import refresh_facets
from commonroom.watchlists.tables import Profile, Watchlist

RESOLVE = "watchlist-resolve"
AGAIN_SECONDS = 600
"""After how long an index surely shows what was told before."""
DESCRIBED_BY = (
    "revision", "tags", "is_public", "curator_status", "created_at", "cover_title",
)  # fmt: skip
"""What a list's entries and its card depend on."""


async def describe_list(store: Store, change: Change) -> None:
    """Brings a list's entries and its card up to date.

    Where its items have changed again since, the record of that comes after this one: thirty
    titles that are added in a row are looked at once or twice.
    """
    old: Watchlist | None = change.old
    new: Watchlist | None = change.new
    if new is None or (
        old is not None and all(getattr(old, one) == getattr(new, one) for one in DESCRIBED_BY)
    ):
        return
    current = await store.get(new.ref)
    if current is not None and current.revision == new.revision:
        await refresh_facets(store, new.watchlist_id)


async def clear_deleted_list(store: Store, change: Change) -> None:
    """Clears up after a list that is gone; nobody need look at it any more."""
    if change.kind == "remove" and await store.get(change.old.ref) is None:
        await clear_list(store, change.old)
        about = {"watchlist_id": change.old.watchlist_id}
        later = [timer(RESOLVE, change.at + after, about) for after in (0, AGAIN_SECONDS)]
        await store.write(*map(put, later))


async def resolve_deleted(store: Store, waited: Timer, now: float) -> None:
    """Marks read what people were told of a list that is gone."""
    watchlist_id = waited.about["watchlist_id"]
    if await store.get(Watchlist.at(watchlist_id=watchlist_id)) is None:
        await resolve_page(store, now, f"/lists/{watchlist_id}")


async def follow_collaborators(store: Store, change: Change) -> None:
    """Tells an owner who joined; takes the ids of those who left off what they had added."""
    old: Watchlist | None = change.old
    new: Watchlist | None = change.new
    if old is None or new is None or old.collaborator_ids == new.collaborator_ids:
        return
    for user_id in set(new.collaborator_ids) - set(old.collaborator_ids):
        await _tell_joined(store, change.at, new, user_id)
    left = set(old.collaborator_ids) - set(new.collaborator_ids)
    if left:
        with suppress(NotFound):  # the list is gone
            await _forget_adders(store, new.watchlist_id)


async def _tell_joined(store: Store, at: float, joined: Watchlist, user_id: str) -> None:
    profile = await store.get(Profile.at(user_id=user_id))
    owner = await store.get(User.at(user_id=joined.curator_id))
    if profile is None or owner is None:
        return
    facts = {"who": profile.username, "list": joined.title}
    link = f"/lists/{joined.watchlist_id}"
    kind, about = notifications.JOINED, f"{joined.watchlist_id}/{user_id}"
    await tell(store, at, [owner], kind, facts=facts, link=link, id=about, by=user_id)


@retry
async def _forget_adders(store: Store, watchlist_id: str) -> None:
    """Former collaborators are not named by what they added."""
    found = await get_contents(store, watchlist_id)
    known = {None, found.watchlist.curator_id, *found.watchlist.collaborator_ids}
    # Those who are back meanwhile are named by what they add now.
    same = check(found.watchlist, if_=as_read(found.watchlist, "collaborator_ids"))
    for one in found.items:
        if one.added_by not in known:
            unnamed = update(one.ref, added_by=None, if_=equal(added_by=one.added_by))
            await store.write(unnamed, same)


async def resume_copying(store: Store, waited: Timer, _now: float) -> None:
    """Goes on with a copy of a list that was interrupted."""
    try:
        await resume_copy(store, waited.about["watchlist_id"])
    except NotFound:
        return  # it was deleted meanwhile


DESCRIBED = Consumer("watchlists-described", (Watchlist,), describe_list)
DELETED = Consumer("watchlists-deleted", (Watchlist,), clear_deleted_list, sets=(RESOLVE,))
COLLABORATORS = Consumer(
    "watchlists-collaborators", (Watchlist,), follow_collaborators, tells=(notifications.JOINED,)
)

HANDLERS: dict[str, Handler] = {
    RESUME: ActTimer(resume_copying, (Watchlist,)),
    RESOLVE: resolve_deleted,
}
