"""What happens after a change: what is left of deleted pages and people is cleared up."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from commonroom.accounts.tables import User
from commonroom.shareables.rules.checklists import removed_items
from commonroom.shareables.service.events import withdraw_for_leaver
from commonroom.shareables.service.guest_storage import release
from commonroom.shareables.service.pool import FILL, fill_when_low
from commonroom.shareables.tables import (
    KINDS,
    AnswerPointer,
    Checklist,
    ChecklistTick,
    Event,
    EventRsvp,
    Poll,
    PollVote,
    ShareableBookmark,
    answers_of_account,
    checklist_ticks,
    kept_pages,
    networks_of_answers,
    poll_votes,
    rsvps,
)
from commonroom.shareables.tables.pool import PooledId
from commonroom.store import (
    ConditionFailed,
    Store,
    check,
    delete,
    equal,
    new,
    stored,
    update,
)
from commonroom.store.limits import REQUEST_OPERATIONS
from commonroom.store.streams import Consumer
from commonroom.store.streams.consumer import Change
from commonroom.timers import ActTimer, Handler


async def clear_page(store: Store, change: Change) -> None:
    """Deletes what people left on a page that was deleted, or on items that it no longer has.

    Where this is interrupted, the next time finds what is left; nothing is added meanwhile, since
    every tick and every answer is written together with its page.
    """
    if change.kind == "modify" and isinstance(change.new, Checklist):
        await _clear_ticks(store, change.new, removed_items(change.old, change.new.items))
    if change.kind != "remove" or await store.get(change.old.ref) is not None:
        return
    for pattern in (checklist_ticks, rsvps, poll_votes, networks_of_answers):
        await store.delete_all(pattern(short_id=change.old.short_id))
    await release(store, change.old.short_id)


async def _clear_ticks(store: Store, page: Checklist, item_ids: Sequence[str]) -> None:
    ticked = [ChecklistTick.at(short_id=page.short_id, checklist_item_id=one) for one in item_ids]
    for start in range(0, len(ticked), REQUEST_OPERATIONS):
        await store.write(*map(delete, ticked[start : start + REQUEST_OPERATIONS]))


async def clear_person(store: Store, change: Change) -> None:
    """Takes an account's name off its pages and answers.

    Pages stay with the holders of their links; an answer to an event is withdrawn, since it is
    nothing without its name, and a vote still counts, without one.
    """
    if change.kind != "remove":
        return
    user: User = change.old
    async for one in store.all(
        answers_of_account(account_id=user.user_id), limit=REQUEST_OPERATIONS
    ):
        await _take_off(store, one)
    async for pointer in store.all(kept_pages(user_id=user.user_id), limit=REQUEST_OPERATIONS):
        if pointer.role == "made":
            await _disown(store, pointer)
        await store.write(delete(pointer))


async def clear_pointer(store: Store, change: Change) -> None:
    """Forgets where an account's answer was; it may have been given anew meanwhile."""
    old: EventRsvp | PollVote | None = change.old
    if change.kind != "remove" or old is None or old.account_id is None:
        return
    pointer = AnswerPointer.at(account_id=old.account_id, short_id=old.short_id)
    with suppress(ConditionFailed):
        await store.write(check(old, if_=new), delete(pointer))


async def _take_off(store: Store, pointer: AnswerPointer) -> None:
    """Withdraws or unnames the answer of an account that is gone."""
    key = {"short_id": pointer.short_id, "code": pointer.code}
    if pointer.page_kind == "poll":
        with suppress(ConditionFailed):  # it was withdrawn before
            await store.write(update(PollVote.at(**key), name=None, account_id=None, if_=stored))
    else:
        await withdraw_for_leaver(store, EventRsvp.at(**key))
    await store.write(delete(pointer))


async def _disown(store: Store, pointer: ShareableBookmark) -> None:
    page = KINDS[pointer.page_kind].at(short_id=pointer.short_id)
    with suppress(ConditionFailed):  # it is gone, or was gone before
        await store.write(update(page, created_by=None, if_=equal(created_by=pointer.user_id)))


PAGES = Consumer(name="shareables-pages", wants=(Checklist, Event, Poll), handle=clear_page)
PEOPLE = Consumer(name="shareables-people", wants=(User,), handle=clear_person)
ANSWERS = Consumer(name="shareables-answers", wants=(EventRsvp, PollVote), handle=clear_pointer)
HANDLERS: dict[str, Handler] = {FILL: ActTimer(fill_when_low, (PooledId,))}
