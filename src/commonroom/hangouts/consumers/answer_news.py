"""After an RSVP: the hangout's maker is told who goes and who does not."""

from __future__ import annotations

from commonroom.accounts.tables import User
from commonroom.hangouts import notifications
from commonroom.hangouts.consumers.announcements import STALE_SECONDS
from commonroom.hangouts.rules.times import phase
from commonroom.hangouts.tables import Hangout, Rsvp
from commonroom.moments import seconds
from commonroom.notifications.notifications import tell, withdraw, withdraw_page
from commonroom.store import Store
from commonroom.store.streams import Change, Consumer


async def follow_answer(store: Store, change: Change) -> None:
    """Tells the maker of an answer, in place of an earlier one; or takes that back with it."""
    if change.entity is Hangout:
        if change.kind == "remove":
            await _forget_rsvps(store, change.old)
        return
    if change.new is not None and change.old is not None and change.old.status == change.new.status:
        return
    answer: Rsvp = change.new or change.old
    hangout = await store.get(Hangout.at(hangout_id=answer.hangout_id))
    if hangout is None or hangout.created_by == answer.user_id:
        return
    if change.old is not None:
        await _take_back(store, hangout, change.old)
    if change.new is not None and await store.get(answer.ref) is not None:
        await _tell(store, change.at, hangout, answer)


async def _tell(store: Store, now: float, hangout: Hangout, answer: Rsvp) -> None:
    is_past = phase(hangout.start_timestamp, hangout.end_timestamp, now) == "past"
    is_carried_here = now - seconds(answer.updated_at) > STALE_SECONDS
    if is_past or is_carried_here or answer.with_user_id is not None:
        return  # a member of a party comes with the RSVP of another
    refs = [User.at(user_id=hangout.created_by), User.at(user_id=answer.user_id)]
    maker, guest = await store.batch_get(refs)
    if maker is None or guest is None or guest.parent_user_id == maker.user_id:
        return
    await tell(
        store,
        now,
        [maker],
        notifications.ANSWERED,
        facts=notifications.hangout_facts(hangout, who=guest.display_name, status=answer.status),
        link=notifications.page_of(hangout.hangout_id),
        id=_about(answer),
        by=guest.parent_user_id or guest.user_id,
    )


async def _take_back(store: Store, hangout: Hangout, answer: Rsvp) -> None:
    about = _about(answer)
    await withdraw(store, hangout.created_by, notifications.ANSWERED, about)


async def _forget_rsvps(store: Store, gone: Hangout) -> None:
    page = notifications.page_of(gone.hangout_id)
    await withdraw_page(store, gone.created_by, notifications.ANSWERED, page)


def _about(answer: Rsvp) -> str:
    return f"{answer.hangout_id}/{answer.user_id}/{answer.status}"


ANSWER_NEWS = Consumer(
    "hangouts-answer-news", (Rsvp, Hangout), follow_answer, tells=(notifications.ANSWERED,)
)
