"""Polls: their opening is told to the people of a hangout, what was decided to those who voted.

A new poll sets timers, one for each list of people, as announcements do. Those who may close
a poll is told once everybody has voted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.hangouts import notifications
from commonroom.hangouts.consumers.announcements import STALE_SECONDS
from commonroom.hangouts.consumers.polls import who_decides
from commonroom.hangouts.consumers.recipients import (
    ANSWERS,
    BATCH,
    FIRST,
    INVITED,
    accounts_of,
    group_list,
    read_recipients,
    who_voted,
)
from commonroom.hangouts.rules.polls import is_open
from commonroom.hangouts.rules.times import phase
from commonroom.hangouts.tables import (
    Ballot,
    Hangout,
    HangoutPoll,
    HangoutPollOption,
    Rsvp,
    ballots,
)
from commonroom.moments import seconds
from commonroom.notifications.notifications import tell
from commonroom.store import Store, put
from commonroom.store.streams import Change, Consumer
from commonroom.timers import Handler, Timer, timer

TELL_OPENED = "hangouts.tell-poll"


async def follow_poll(store: Store, change: Change) -> None:
    """Lets a new poll be told, and tells those who voted what was decided."""
    if change.entity is Ballot:
        if change.kind == "insert":
            await _tell_when_full(store, change.at, change.new)
        return
    old: HangoutPoll | None = change.old
    new: HangoutPoll | None = change.new
    if new is None:
        return
    if old is None and change.at - seconds(new.created_at) <= STALE_SECONDS:
        await _set_timers(store, change.at, new)
    elif old is not None and old.closed_at is None and new.outcome in ("DECIDED", "OVERRULED"):
        await _tell_decided(store, change.at, new)


async def _set_timers(store: Store, at: float, poll: HangoutPoll) -> None:
    hangout = await store.get(Hangout.at(hangout_id=poll.hangout_id))
    if hangout is None:
        return
    lists = [INVITED, ANSWERS, *map(group_list, hangout.group_ids)]
    about = {"hangout_id": poll.hangout_id, "poll_id": poll.poll_id, "from": FIRST}
    await store.write(*(put(timer(TELL_OPENED, at, {**about, "people": one})) for one in lists))


async def tell_opened(store: Store, waited: Timer, now: float) -> None:
    """Tells the next hundred of a list of people of a poll, unless they have voted."""
    about = waited.about
    ref = HangoutPoll.at(hangout_id=about["hangout_id"], poll_id=about["poll_id"])
    hangout, poll = await store.batch_get([Hangout.at(hangout_id=about["hangout_id"]), ref])
    if not isinstance(hangout, Hangout) or not isinstance(poll, HangoutPoll):
        return
    if not (is_open(poll, now) and _is_on(hangout, now)):
        return
    found = await read_recipients(store, hangout, about["people"], start=about["from"])
    voted = await who_voted(store, poll.hangout_id, poll.poll_id, found.people)
    people = [one for one in found.people if one.user_id not in voted]
    facts = _poll_facts(hangout, poll)
    kind, link, by = notifications.POLL_OPENED, _link(poll), poll.created_by
    await tell(store, now, people, kind, facts=facts, link=link, id=poll.poll_id, by=by)
    if found.next_start is not None:
        again = {**about, "from": found.next_start}
        await store.write(put(timer(TELL_OPENED, waited.moment, again)))


async def _tell_decided(store: Store, now: float, poll: HangoutPoll) -> None:
    """Tells those who voted; a Yes for the winner is offered as Going."""
    hangout = await store.get(Hangout.at(hangout_id=poll.hangout_id))
    if hangout is None or not _is_on(hangout, now):
        return
    winner = _winner(hangout, poll)
    asked = ballots(hangout_id=poll.hangout_id, poll_id=poll.poll_id)
    async for page in store.pages(asked, limit=BATCH):
        people = await accounts_of(store, [one.user_id for one in page])
        yes = {one.user_id for one in page if winner and one.votes.get(winner) == "YES"}
        willing = await _not_going(store, hangout, yes)
        for said_yes in (True, False):
            some = [one for one in people if (one.user_id in willing) == said_yes]
            facts = _decided_facts(hangout, poll, said_yes=said_yes)
            await _tell_by_clock(store, now, some, Decision(hangout, poll, facts))


class Decision(Struct, frozen=True):
    """What was decided, as it is told."""

    hangout: Hangout
    poll: HangoutPoll
    facts: Mapping[str, str]


async def _tell_by_clock(store: Store, now: float, people: Sequence[User], made: Decision) -> None:
    """Tells people what was decided; those with another clock read whose time it is."""
    told: dict[str, Any] = {
        "link": notifications.page_of(made.hangout.hangout_id),
        "id": made.poll.poll_id,
        "by": made.poll.closed_by,
    }
    here, elsewhere = notifications.by_clock(people, made.hangout)
    theirs = {**made.facts, "city": notifications.city_of(made.hangout)}
    await tell(store, now, here, notifications.DECIDED, facts=made.facts, **told)
    await tell(store, now, elsewhere, notifications.DECIDED, facts=theirs, **told)


async def _not_going(store: Store, hangout: Hangout, user_ids: set[str]) -> set[str]:
    """Returns those of them who have not said that they go, where there is a day to go on."""
    if hangout.start_timestamp is None:
        return set()
    refs = [Rsvp.at(hangout_id=hangout.hangout_id, user_id=one) for one in sorted(user_ids)]
    found = await store.batch_get(refs) if refs else []
    return user_ids - {one.user_id for one in found if one and one.status == "GOING"}


def _winner(hangout: Hangout, poll: HangoutPoll) -> str | None:
    """Returns the option that won; of a time that was set by hand, the one that says the same."""
    if poll.winner_option_id is not None or poll.subject != "TIME":
        return poll.winner_option_id
    start = hangout.start_timestamp
    return next((one.option_id for one in poll.options if one.start_timestamp == start), None)


async def _tell_when_full(store: Store, now: float, ballot: Ballot) -> None:
    """Tells the person who decides a poll that nobody is missing any more."""
    ref = HangoutPoll.at(hangout_id=ballot.hangout_id, poll_id=ballot.poll_id)
    hangout, poll = await store.batch_get([Hangout.at(hangout_id=ballot.hangout_id), ref])
    if not isinstance(hangout, Hangout) or not isinstance(poll, HangoutPoll):
        return
    if poll.ballot_count < max(hangout.audience, 2) or not is_open(poll, now):
        return
    if not _is_on(hangout, now):
        return
    asked = ballots(hangout_id=poll.hangout_id, poll_id=poll.poll_id)
    # Children vote besides, and are no members.
    voted = [one async for one in store.all(asked) if not one.user_id.startswith("managed_")]
    decider = await who_decides(store, hangout, poll)
    if decider is None or len(voted) < hangout.audience:
        return
    # Ballots may be followed late and in any order: what counts is whose was the last.
    last = max(voted, key=lambda one: (one.voted_at, one.user_id == decider.user_id))
    facts, kind = _poll_facts(hangout, poll), notifications.POLL_FULL
    told: dict[str, Any] = {"facts": facts, "link": _link(poll), "id": poll.poll_id}
    await tell(store, now, [decider], kind, by=last.user_id, **told)


def _is_on(hangout: Hangout, now: float) -> bool:
    is_past = phase(hangout.start_timestamp, hangout.end_timestamp, now) == "past"
    return hangout.cancelled_at is None and not is_past


def _poll_facts(hangout: Hangout, poll: HangoutPoll) -> dict[str, str]:
    return {"title": hangout.title, "question": poll.title or "", "subject": poll.subject}


def _decided_facts(hangout: Hangout, poll: HangoutPoll, *, said_yes: bool) -> dict[str, str]:
    won = next((it for it in poll.options if it.option_id == poll.winner_option_id), None)
    return notifications.hangout_facts(
        hangout,
        subject=poll.subject,
        winner=_label(won) or poll.title or "",
        is_on="yes" if hangout.momentum == "CONFIRMED" else "",
        said_yes="yes" if said_yes else "",
        hangout_id=hangout.hangout_id,
    )


def _label(option: HangoutPollOption | None) -> str:
    return "" if option is None else option.label or ""


def _link(poll: HangoutPoll) -> str:
    return f"{notifications.page_of(poll.hangout_id)}#poll-{poll.poll_id}"


POLL_NEWS = Consumer(
    "hangouts-poll-news",
    (HangoutPoll, Ballot),
    follow_poll,
    sets=(TELL_OPENED,),
    tells=(notifications.POLL_OPENED, notifications.POLL_FULL, notifications.DECIDED),
)

HANDLERS: dict[str, Handler] = {TELL_OPENED: tell_opened}
