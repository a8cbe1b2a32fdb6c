"""Answers to a page are told to its maker, those of a quarter of an hour as one.

Nobody knows who all could vote in a poll that is shared by its link: that all votes are in is told
when it closes by itself.
"""

from __future__ import annotations

from collections.abc import Mapping

from commonroom.accounts.service.blocks import has_blocked
from commonroom.accounts.tables import User
from commonroom.moments import iso, seconds
from commonroom.notifications.notifications import resolve_page, tell
from commonroom.shareables import notifications
from commonroom.shareables.rules.short_ids import address_of
from commonroom.shareables.tables import Event, EventRsvp, Poll, PollVote, poll_votes, rsvps
from commonroom.store import BoundPattern, Store, put
from commonroom.store.streams import Change, Consumer
from commonroom.timers import Handler, Timer, timer

TELL = "shareables.tell-answers"
TELL_VOTES_IN = "shareables.tell-votes-in"
RESOLVE = "shareables.resolve"
KINDS: Mapping[str, type[Event | Poll]] = {"event": Event, "poll": Poll}
WINDOW_SECONDS = 900
STALE_SECONDS = 24 * 3600
AGAIN_SECONDS = 600
"""After how long an index surely shows what was told before."""


async def follow_answer(store: Store, change: Change) -> None:
    """Sets the timer that tells of new answers, one for all of one window."""
    if change.kind != "insert":
        return
    new: EventRsvp | PollVote = change.new
    if change.at - seconds(new.created_at) > STALE_SECONDS:
        return  # carried here from elsewhere
    kind = "event" if isinstance(new, EventRsvp) else "poll"
    page = await store.get(KINDS[kind].at(short_id=new.short_id))
    if page is None or page.created_by is None:
        return  # a guest's, who is told nothing
    window = int(seconds(new.created_at) // WINDOW_SECONDS) * WINDOW_SECONDS
    about = {"short_id": new.short_id, "kind": kind, "window": str(window)}
    await store.write(put(timer(TELL, max(change.at, window + WINDOW_SECONDS), about)))


async def tell_answers(store: Store, waited: Timer, now: float) -> None:
    """Tells the maker how many answers came in a window, without their own and blocked ones."""
    about = waited.about
    short_id, window = about["short_id"], int(about["window"])
    page = await store.get(KINDS[about["kind"]].at(short_id=short_id))
    maker = None
    if page is not None and page.created_by is not None:
        maker = await store.get(User.at(user_id=page.created_by))
    if page is None or maker is None:
        return
    first, last = iso(window), iso(window + WINDOW_SECONDS)
    given: BoundPattern[EventRsvp | PollVote] = (
        rsvps(short_id=short_id) if about["kind"] == "event" else poll_votes(short_id=short_id)
    )
    number = 0
    async for one in store.all(given):
        is_heard = one.account_id != maker.user_id and not has_blocked(maker, one.account_id)
        number += first <= one.created_at < last and is_heard
    if not number:
        return
    facts = {"title": page.name, "number": str(number)}
    kind, link, id_ = notifications.ANSWERS, address_of(short_id), f"{short_id}/{window}"
    await tell(store, now, [maker], kind, facts=facts, link=link, id=id_, by=None)


async def follow_page(store: Store, change: Change) -> None:
    """Lets a poll's end be told; what was told of a page is read by itself once that is gone."""
    old, new = change.old, change.new
    if isinstance(new, Poll) and _tells_end(new, old, change.at):
        about = {"short_id": new.short_id, "closes_at": new.closes_at or ""}
        await store.write(put(timer(TELL_VOTES_IN, seconds(new.closes_at or ""), about)))
    if change.kind != "remove" or change.old.created_by is None:
        return
    about = {"short_id": change.old.short_id}
    moments = (change.at, change.at + AGAIN_SECONDS)
    await store.write(*(put(timer(RESOLVE, at, about)) for at in moments))


def _tells_end(new: Poll, old: Poll | None, at: float) -> bool:
    """Whether a poll has an end ahead that it did not have before, and a maker to be told."""
    if new.closes_at is None or new.created_by is None or seconds(new.closes_at) <= at:
        return False
    return old is None or old.closes_at != new.closes_at


async def tell_votes_in(store: Store, waited: Timer, now: float) -> None:
    """Tells the maker of a poll that it is over, where anybody has voted."""
    page = await store.get(Poll.at(short_id=waited.about["short_id"]))
    if page is None or page.created_by is None or page.is_closed or not page.vote_count:
        return  # who closes it by hand knows
    maker = await store.get(User.at(user_id=page.created_by))
    if maker is None or page.closes_at != waited.about["closes_at"]:
        return  # it has another end by now
    await tell(
        store,
        now,
        [maker],
        notifications.VOTES_IN,
        facts={"title": page.name, "number": str(page.vote_count)},
        link=address_of(page.short_id),
        id=f"{page.short_id}/{page.closes_at}",
        by=None,
    )


async def resolve_deleted(store: Store, waited: Timer, now: float) -> None:
    """Marks read what was told of a page that is gone."""
    await resolve_page(store, now, address_of(waited.about["short_id"]), notifications.KINDS)


ANSWER_NEWS = Consumer(
    "shareables-answer-news",
    (EventRsvp, PollVote),
    follow_answer,
    sets=(TELL,),
    tells=(notifications.ANSWERS,),
)
PAGE_NEWS = Consumer(
    "shareables-page-news",
    (Event, Poll),
    follow_page,
    sets=(TELL_VOTES_IN, RESOLVE),
    tells=(notifications.VOTES_IN,),
)
HANDLERS: dict[str, Handler] = {
    TELL: tell_answers,
    TELL_VOTES_IN: tell_votes_in,
    RESOLVE: resolve_deleted,
}
