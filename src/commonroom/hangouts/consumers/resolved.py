"""What people were told of a hangout is read by itself once it no longer needs them.

An answer resolves the invitation at once, a vote the call to vote. What concerns everybody (it is
cancelled, back on, over or deleted, or has another time or place) leaves timers behind: one for
then, and one for a while later, because an index finds what is unread, and may not show the latest.
"""

from __future__ import annotations

from commonroom.hangouts import notifications
from commonroom.hangouts.rules.times import phase
from commonroom.hangouts.tables import Ballot, Hangout, HangoutPoll, Rsvp
from commonroom.notifications.kinds import Kind
from commonroom.notifications.notifications import refresh_page, resolve, resolve_page
from commonroom.store import Store, Write, delete, put
from commonroom.store.streams import Change, Consumer
from commonroom.timers import Handler, Timer, timer

RESOLVE = "hangouts.resolve"
AGAIN_SECONDS = 600
"""After how long an index surely shows what was told before."""
OF_OPEN_POLLS = (notifications.POLL_OPENED, notifications.POLL_FULL)


async def follow(store: Store, change: Change) -> None:
    """Marks read what people were told and no longer need, or brings it up to date."""
    if change.entity is Rsvp:
        await _follow_answer(store, change)
    elif change.entity is Ballot:
        ballot: Ballot | None = change.new
        if ballot is not None and not ballot.user_id.startswith("managed_"):
            kind = notifications.POLL_OPENED
            await resolve(store, change.at, [ballot.user_id], kind, ballot.poll_id)
    elif change.entity is HangoutPoll:
        await _follow_poll(store, change)
    elif writes := ending_writes(change):
        await store.write(*writes)


async def _follow_answer(store: Store, change: Change) -> None:
    answer: Rsvp | None = change.new
    # Of what concerns a managed member, their manager was told, and answers for themselves.
    if answer is None or answer.user_id.startswith("managed_"):
        return
    if change.old is None or change.old.status != answer.status:
        kind = notifications.NEW
        await resolve(store, change.at, [answer.user_id], kind, answer.hangout_id)
        hangout = await store.get(Hangout.at(hangout_id=answer.hangout_id))
        if hangout is not None and hangout.decided_poll_id is not None:
            await _resolve_decided(store, change.at, answer, hangout.decided_poll_id)


async def _resolve_decided(store: Store, now: float, answer: Rsvp, poll_id: str) -> None:
    """Resolves what was decided for a person who has answered since.

    Of one who answered before, it may only be seen later: that answer was to something else.
    """
    poll = await store.get(HangoutPoll.at(hangout_id=answer.hangout_id, poll_id=poll_id))
    if poll is None or poll.closed_at is None or poll.closed_at <= answer.updated_at:
        await resolve(store, now, [answer.user_id], notifications.DECIDED, poll_id)


async def _follow_poll(store: Store, change: Change) -> None:
    """A poll that is closed or gone needs no votes; nor, where it goes on, anybody to decide it."""
    old: HangoutPoll | None = change.old
    new: HangoutPoll | None = change.new
    if old is None:
        return
    if old.closed_at is None and (new is None or new.closed_at is not None):
        await store.write(*_look_twice(change.at, old.hangout_id, poll_id=old.poll_id))
    if old.overdue_at is None:
        return
    if new is not None and new.closed_at is None and new.overdue_at == old.overdue_at:
        return
    hangout = await store.get(Hangout.at(hangout_id=old.hangout_id))
    deciders = {old.created_by, *([] if hangout is None else [hangout.created_by])}
    about = f"{old.poll_id} {old.overdue_at}"
    await resolve(store, change.at, sorted(deciders), notifications.POLL_TIED, about)


def ending_writes(change: Change) -> list[Write]:
    """Timers for what a hangout's change has settled, and for its end."""
    old: Hangout | None = change.old
    new: Hangout | None = change.new
    before, after = (None if one is None else _end(one) for one in (old, new))
    writes: list[Write] = []
    if before != after:
        writes += [] if before is None else [delete(before)]
        writes += [] if after is None or after.moment <= change.at else [put(after)]
    was_cancelled = old is not None and old.cancelled_at is not None
    is_cancelled = new is not None and new.cancelled_at is not None
    is_settled = new is None or was_cancelled != is_cancelled
    if old is not None and (is_settled or _said(old) != _said(new)):
        writes += _look_twice(change.at, old.hangout_id)
    return writes


def _look_twice(at: float, hangout_id: str, **more: str) -> list[Write]:
    about = {"hangout_id": hangout_id, **more}
    return [put(timer(RESOLVE, at + later, about)) for later in (0, AGAIN_SECONDS)]


def _said(hangout: Hangout | None) -> tuple[object, ...]:
    """Returns what notifications say of a hangout."""
    if hangout is None:
        return ()
    return hangout.start_timestamp, hangout.time, hangout.place


def _end(hangout: Hangout) -> Timer | None:
    end = hangout.end_timestamp or hangout.start_timestamp
    if end is None:
        return None
    # A while after: what is told in its last minutes is found, too.
    about = {"hangout_id": hangout.hangout_id, "end": str(end)}
    return timer(RESOLVE, end + AGAIN_SECONDS, about)


async def resolve_settled(store: Store, waited: Timer, now: float) -> None:
    """Marks read what nobody needs any more, as the hangout is now; the rest says what is true."""
    hangout_id, poll_id = waited.about["hangout_id"], waited.about.get("poll_id")
    page = notifications.page_of(hangout_id)
    if poll_id is not None:
        await resolve_page(store, now, page, OF_OPEN_POLLS, about=poll_id)
        return
    hangout = await store.get(Hangout.at(hangout_id=hangout_id))
    await resolve_page(store, now, page, settled(hangout, now))
    if hangout is not None:
        facts = notifications.hangout_facts(hangout, city=notifications.city_of(hangout))
        await refresh_page(store, page, notifications.KINDS, facts)


def settled(hangout: Hangout | None, now: float) -> list[Kind]:
    """Of which kinds what people were told no longer needs them."""
    if hangout is None or phase(hangout.start_timestamp, hangout.end_timestamp, now) == "past":
        return list(notifications.KINDS)
    if hangout.cancelled_at is None:
        return [notifications.CANCELLED]
    return [one for one in notifications.KINDS if one is not notifications.CANCELLED]


RESOLVED = Consumer(
    "hangouts-resolved", (Hangout, Rsvp, HangoutPoll, Ballot), follow, sets=(RESOLVE,)
)

HANDLERS: dict[str, Handler] = {RESOLVE: resolve_settled}
