"""After a step of a curator or a comment: whom it concerns is told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from commonroom.accounts.service.administration import administrators
from commonroom.accounts.tables import User
from commonroom.moments import seconds
from commonroom.notifications.kinds import Kind
from commonroom.notifications.notifications import remove_name, resolve, tell, withdraw
from commonroom.store import Store
from commonroom.store.streams import Change, Consumer
from commonroom.watchlists import notifications
from commonroom.watchlists.tables import Comment, CuratorMove, Profile, Watchlist

CURATORS_PAGE = "/admin/curators"
MY_LISTS_PAGE = "/watchlists/mine"
STALE_SECONDS = 24 * 3600
"""After how long nobody is told of a comment any more."""


async def tell_of_steps(store: Store, change: Change) -> None:
    """Tells administrators of an application, and a person of what was decided."""
    if change.old is not None:
        await _resolve_application(store, change)
    if change.new is None and change.old is not None:
        told = [one.user_id for one in await administrators(store)]
        await remove_name(store, told, change.old.username)
    new: Profile | None = change.new
    if new is None:
        return
    before = [] if change.old is None else change.old.curator_moves
    earlier = before[-1].to if before else None
    for move in (one for one in new.curator_moves if one not in before):
        about = f"{new.user_id}/{move.at}/{move.to}"
        facts = {"who": new.username, "reason": move.reason or ""}
        if move.to == "pending":
            people, link = await administrators(store), CURATORS_PAGE
        else:
            person = await store.get(User.at(user_id=new.user_id))
            people, link = [] if person is None else [person], MY_LISTS_PAGE
        kind = _kind(move, earlier)
        news: dict[str, Any] = {"facts": facts, "link": link, "id": about}
        await tell(store, change.at, people, kind, by=move.by, **news)
        earlier = move.to


async def _resolve_application(store: Store, change: Change) -> None:
    """An application that was decided, or taken along, needs no administrator any more."""
    moves = change.old.curator_moves
    now = [] if change.new is None else change.new.curator_moves
    is_waiting = bool(moves) and moves[-1].to == "pending"
    if is_waiting and (not now or now[-1] != moves[-1]):
        people = [one.user_id for one in await administrators(store)]
        about = f"{change.old.user_id}/{moves[-1].at}/pending"
        await resolve(store, change.at, people, notifications.APPLIED, about)


KINDS: Mapping[str, Kind] = {
    "pending": notifications.APPLIED,
    "approved": notifications.APPROVED,
    "declined": notifications.DECLINED,
    "suspended": notifications.SUSPENDED,
}


def _kind(move: CuratorMove, earlier: str | None) -> Kind:
    reinstated = move.to == "approved" and earlier == "suspended"
    return notifications.REINSTATED if reinstated else KINDS[move.to]


async def tell_of_comment(store: Store, change: Change) -> None:
    """Tells the owner of a list that another person commented on it, as long as that is there."""
    if change.kind == "remove":
        gone: Comment = change.old
        if gone.list_owner_id is not None:
            about = _about(gone)
            await withdraw(store, gone.list_owner_id, notifications.COMMENTED, about)
        return
    if change.kind != "insert" or await store.get(change.new.ref) is None:
        return
    said: Comment = change.new
    if change.at - seconds(said.created_at) > STALE_SECONDS:
        return  # it was imported: who it concerns was told elsewhere
    commented = await store.get(Watchlist.at(watchlist_id=said.watchlist_id))
    if commented is None or commented.curator_id == said.user_id:
        return
    owner = await store.get(User.at(user_id=commented.curator_id))
    author = await store.get(Profile.at(user_id=said.user_id))
    if owner is None or author is None:
        return
    facts = {"who": author.username, "list": commented.title, "text": said.comment_text}
    link = f"/lists/{said.watchlist_id}#comments"
    kind, about, by = notifications.COMMENTED, _about(said), said.user_id
    await tell(store, change.at, [owner], kind, facts=facts, link=link, id=about, by=by)


def _about(comment: Comment) -> str:
    return f"{comment.watchlist_id}/{comment.created_at}/{comment.user_id}"


CURATOR_NEWS = Consumer(
    "watchlists-curators",
    (Profile,),
    tell_of_steps,
    tells=(*KINDS.values(), notifications.REINSTATED),
)
COMMENTS = Consumer(
    "watchlists-comments", (Comment,), tell_of_comment, tells=(notifications.COMMENTED,)
)
