"""Loans: overdue notices, which end with the loan, and moves of a history that were interrupted."""

from __future__ import annotations

from collections.abc import Sequence

from commonroom.accounts.tables import User
from commonroom.library import notifications
from commonroom.library.service.history import clear_events
from commonroom.library.service.item_writes import CARRY_HISTORY, CLEAR_HISTORY, OVERDUE
from commonroom.library.service.moves import carry_history
from commonroom.library.tables import Book, Video, item, loans
from commonroom.moments import iso
from commonroom.notifications.kinds import Kind
from commonroom.notifications.notifications import resolve, tell
from commonroom.store import Store
from commonroom.store.streams import Change, Consumer
from commonroom.timers import ActTimer, Handler, Timer

LOANS_PAGE = "/library/loans"


async def tell_overdue(store: Store, waited: Timer, now: float) -> None:
    """Tells the owner, and the borrower with an account, of a loan that still lasts."""
    lent = await _item(store, waited)
    if lent is None or lent.lent_at != waited.about["lent_at"]:
        return
    if lent.overdue_at is None or lent.overdue_at > iso(now):
        return  # it was given longer, and has another timer for that
    facts = {
        "title": lent.title,
        "borrower": lent.lent_to or "",
        "owner": lent.owner_name or "",
        "due": lent.due_date or "",
    }
    for kind, who in _notices(lent):
        person = None if who is None else await store.get(User.at(user_id=who))
        people, about = [] if person is None else [person], _loan(lent)
        await tell(store, now, people, kind, facts=facts, link=LOANS_PAGE, id=about, by=None)


async def resolve_overdue(store: Store, change: Change) -> None:
    """Lets overdue notices be read by themselves when the thing is back, or may stay longer."""
    old: Book | Video | None = change.old
    if old is None or old.due_date is None or old.lent_at is None:
        return
    if change.new is not None and _loan(change.new) == _loan(old):
        return
    if change.new is None and await is_moved(store, old):
        return
    for kind, who in _notices(old):
        if who is not None:
            await resolve(store, change.at, [who], kind, _loan(old))


async def is_moved(store: Store, gone: Book | Video) -> bool:
    """Returns whether what is gone from a library is lent on in another."""
    async for one in store.all(loans(owner_id=gone.owner_id)):
        if _loan(one) == _loan(gone):
            return True
    return False


def _notices(lent: Book | Video) -> Sequence[tuple[Kind, str | None]]:
    return (
        (notifications.OVERDUE, lent.account_id),
        (notifications.DUE_BACK, lent.borrower_id),
    )


def _loan(lent: Book | Video) -> str:
    return f"{lent.item_id}/{lent.lent_at}/{lent.due_date}"


async def clear_history(store: Store, waited: Timer, _now: float) -> None:
    """Deletes the history of an item that was deleted."""
    if await _item(store, waited) is None:
        about = waited.about
        await clear_events(store, about["owner_id"], about["library_id"], about["item_id"])


async def carry_on_moving(store: Store, waited: Timer, _now: float) -> None:
    """Carries the history of an item that moved, where that was interrupted."""
    moved = await _item(store, waited)
    if moved is not None:
        await carry_history(store, moved)


async def _item(store: Store, waited: Timer) -> Book | Video | None:
    about = waited.about
    return await store.get(
        item(owner_id=about["owner_id"], library_id=about["library_id"], item_id=about["item_id"])
    )


LOANS = Consumer("library-loans", (Book, Video), resolve_overdue)

HANDLERS: dict[str, Handler] = {
    OVERDUE: ActTimer(
        tell_overdue, (Book, Video), tells=(notifications.OVERDUE, notifications.DUE_BACK)
    ),
    CLEAR_HISTORY: ActTimer(clear_history, (Book, Video)),
    CARRY_HISTORY: ActTimer(carry_on_moving, (Book, Video)),
}
