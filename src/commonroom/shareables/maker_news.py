"""What a page's maker is told: answers, those of a quarter of an hour as one; ends; guesses.

Nobody knows who all could vote in a poll that is shared by its link: that all votes are in is told
when it closes by itself.
"""

from __future__ import annotations

from collections.abc import Mapping

from commonroom.accounts.service.blocks import has_blocked
from commonroom.accounts.tables import User
from commonroom.moments import iso, seconds
from commonroom.notifications import Kind
from commonroom.notifications.notifications import resolve_page, tell
from commonroom.shareables import notifications
from commonroom.shareables.rules.short_ids import address_of
from commonroom.shareables.service.passcodes import TELL_GUESSED, passcodes_of
from commonroom.shareables.tables import (
    Event,
    EventRsvp,
    Poll,
    PollVote,
    Shareable,
    poll_votes,
    rsvps,
    shareable,
)
from commonroom.store import BoundPattern, Store, put
from commonroom.store.streams import Change, Consumer
from commonroom.timers import ActTimer, Handler, Timer, timer

TELL = "shareables.tell-answers"
TELL_VOTES_IN = "shareables.tell-votes-in"
RESOLVE = "shareables.resolve"
KINDS: Mapping[str, type[Event | Poll]] = {"event": Event, "poll": Poll}
"""The pages that people answer."""
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
    maker = None if page is None else await _maker_of(store, page)
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
    if number:
        await _tell(
            store, now, maker, page, kind=notifications.ANSWERS, about=window, number=str(number)
        )


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
    maker = await _maker_of(store, page)
    if maker is None or page.closes_at != waited.about["closes_at"]:
        return  # it has another end by now
    number = str(page.vote_count)
    await _tell(
        store, now, maker, page, kind=notifications.VOTES_IN, about=page.closes_at, number=number
    )


async def tell_guessed(store: Store, waited: Timer, now: float) -> None:
    """Tells the maker, where the passcodes are still those that were guessed at."""
    passcodes = waited.about["passcodes"]
    page = await store.get(shareable(short_id=waited.about["short_id"]))
    maker = None if page is None else await _maker_of(store, page)
    if page is not None and maker is not None and passcodes_of(page) == passcodes:
        await _tell(store, now, maker, page, kind=notifications.GUESSED, about=passcodes)


async def _maker_of(store: Store, page: Shareable) -> User | None:
    user_id = page.created_by
    return None if user_id is None else await store.get(User.at(user_id=user_id))


async def _tell(
    store: Store,
    now: float,
    maker: User,
    page: Shareable,
    *,
    kind: Kind,
    about: object,
    **facts: str,
) -> None:
    """Tells the maker of a page something about it, once for each `about`."""
    told = {"title": page.name, **facts}
    id_, link = f"{page.short_id}/{about}", address_of(page.short_id)
    await tell(store, now, [maker], kind, facts=told, link=link, id=id_, by=None)


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
    TELL_GUESSED: ActTimer(tell_guessed, tells=(notifications.GUESSED,)),
}
