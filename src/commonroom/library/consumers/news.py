"""After something was lent or a library shared: who has it now is told, until that has ended."""

from __future__ import annotations

from typing import Any

from commonroom.accounts.tables import User
from commonroom.library import notifications
from commonroom.library.consumers.loans import LOANS_PAGE, is_moved
from commonroom.library.tables import Book, SharedLibrary, Video
from commonroom.moments import seconds
from commonroom.notifications.kinds import Kind
from commonroom.notifications.notifications import resolve, tell, withdraw
from commonroom.store import Store
from commonroom.store.streams import Change, Consumer

STALE_SECONDS = 24 * 3600
"""What is older was carried here from elsewhere, as by an import: that is no news."""


async def follow_loan(store: Store, change: Change) -> None:
    """Tells a borrower with an account of a loan, and lets that be read once it has ended."""
    old: Book | Video | None = change.old
    new: Book | Video | None = change.new
    if _loan(old) == _loan(new):
        return
    if old is not None and old.borrower_id is not None:
        has_ended = new is not None or not await is_moved(store, old)
        if has_ended:
            await resolve(store, change.at, [old.borrower_id], notifications.LENT, _loan(old))
    if new is None or new.borrower_id is None or await store.get(new.ref) is None:
        return
    facts = {"title": new.title, "owner": new.owner_name or ""}
    news = {"facts": facts, "link": LOANS_PAGE, "id": _loan(new), "by": new.account_id}
    await _tell(store, change.at, new.borrower_id, new.lent_at, notifications.LENT, **news)


def _loan(one: Book | Video | None) -> str:
    """Which loan it is, wherever the thing is moved; none where it is not lent to an account."""
    if one is None or one.borrower_id is None:
        return ""
    return f"{one.item_id}/{one.lent_at}/{one.borrower_id}"


async def follow_share(store: Store, change: Change) -> None:
    """Tells whom a library is shared with; that goes when the share has ended."""
    if change.kind == "remove":
        ended: SharedLibrary = change.old
        if ended.shared_to_account_id is not None:
            kind, about = notifications.SHARED, _share(ended)
            await withdraw(store, ended.shared_to_account_id, kind, about)
        return
    new: SharedLibrary = change.new
    if change.kind != "insert" or new.shared_to_account_id is None:
        return
    if await store.get(new.ref) is None:
        return
    facts = {"library": new.library_name or "", "owner": new.shared_from_name or ""}
    news = {"facts": facts, "link": f"/library/{new.library_id}", "id": _share(new)}
    by, kind = new.shared_from_account_id, notifications.SHARED
    await _tell(store, change.at, new.shared_to_account_id, new.shared_at, kind, **news, by=by)


def _share(one: SharedLibrary) -> str:
    return f"{one.library_id}/{one.shared_at}"


async def _tell(
    store: Store, at: float, user_id: str, since: str | None, kind: Kind, **news: Any
) -> None:
    if since is None or at - seconds(since) > STALE_SECONDS:
        return
    person = await store.get(User.at(user_id=user_id))
    await tell(store, at, [] if person is None else [person], kind, **news)


LENT = Consumer("library-lent", (Book, Video), follow_loan, tells=(notifications.LENT,))
SHARED = Consumer("library-shared", (SharedLibrary,), follow_share, tells=(notifications.SHARED,))
