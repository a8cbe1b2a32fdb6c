"""Agendas follow hangouts, answers, votes and memberships.

Those invited directly are few and done at once. A group's members may be many: a change leaves
timers behind, and their handler takes a hundred people and leaves a timer for the next hundred. So
do the moments at which a hangout comes on agendas, and leaves them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from commonroom.hangouts.consumers.recipients import BATCH, FIRST, INVITED, group_list
from commonroom.hangouts.rules.agenda import is_listed, listed_from, open_polls
from commonroom.hangouts.rules.times import DAY
from commonroom.hangouts.service.access import retry
from commonroom.hangouts.service.agenda_entries import AgendaKey, refresh_entries
from commonroom.hangouts.service.timeline import NEWEST
from commonroom.hangouts.tables import (
    AgendaEntry,
    Ballot,
    GroupMembership,
    Hangout,
    HangoutPointer,
    Rsvp,
    agenda_from,
    floating_hangouts,
    hangouts_after,
    long_hangouts,
    members_from,
)
from commonroom.store import Ref, Store, as_read, check, delete, new, put
from commonroom.store.streams import Change, Consumer
from commonroom.timers import Handler, Timer, timer

PEOPLE = "hangouts.agenda"
"""Goes through the people of a hangout."""
PERSON = "hangouts.agenda-person"
"""Goes through the agenda of a person."""
JOINED = "hangouts.agenda-joined"
"""Goes through the hangouts of a group that a person has joined."""
AGAIN_SECONDS = 900
"""A group's hangouts are found by an index, which may not have shown the latest."""
OVER_SECONDS = 3600
"""So long after its end a hangout leaves agendas: what people did until then has been followed."""
MAX_JOINED = 50
"""Of a group's hangouts that come up, the earliest."""


async def follow_change(store: Store, change: Change) -> None:
    """Refreshes who has a hangout on their agenda, and where on it."""
    one = change.new or change.old
    match one:
        case Hangout():
            await _follow_hangout(store, change)
        case Rsvp():
            await refresh_entries(store, change.at, [AgendaKey(one.user_id, one.hangout_id)])
        case Ballot() if change.kind != "modify":
            await refresh_entries(store, change.at, [AgendaKey(one.user_id, one.hangout_id)])
        case GroupMembership() if change.kind == "insert":
            about = {"user_id": one.user_id, "group_id": one.group_id}
            moments = (change.at, change.at + AGAIN_SECONDS)
            await store.write(*(put(timer(JOINED, at, about)) for at in moments))
        case GroupMembership() if change.kind == "remove":
            about = {"user_id": one.user_id, "from": FIRST}
            await store.write(put(timer(PERSON, change.at, about)))


async def _follow_hangout(store: Store, change: Change) -> None:
    before: Hangout | None = change.old
    after: Hangout | None = change.new
    if before is None or after is None or _what_counts(before) != _what_counts(after):
        both = [one for one in (before, after) if one is not None]
        await _set_timers(store, change.at, both)
        invited = [AgendaKey(who, one.hangout_id) for one in both for who in one.invited_user_ids]
        await refresh_entries(store, change.at, invited)
    if before is not None and after is not None:
        await _follow_waiting_list(store, change)


def _what_counts(hangout: Hangout) -> tuple[object, ...]:
    """Returns what of a hangout decides who has it on their agenda, and where."""
    return (
        hangout.start_timestamp,
        hangout.end_timestamp,
        hangout.series_id,
        hangout.cancelled_at,
        hangout.group_ids,
        hangout.invited_user_ids,
        open_polls(hangout),
    )


@retry
async def _set_timers(store: Store, at: float, states: Sequence[Hangout]) -> None:
    """Lets groups be gone through now, and later by what the hangout says now.

    What was to be done at moments that it had before, here or in an earlier change, is taken back.
    """
    ref = states[0].ref
    is_shown = any(is_listed(one, at) for one in states)
    groups = {group for one in states for group in one.group_ids} if is_shown else set()

    now = await store.get(ref)
    wanted = [] if now is None else [it for it in _later_timers(now) if it.moment > at]
    wanted += [_through(ref, group_list(one), at) for one in sorted(groups)]
    timers = {it.ref.key: put(it) for it in wanted}
    past = {it.ref.key: delete(it) for one in states for it in _later_timers(one)}
    same = check(ref, if_=new if now is None else as_read(now, "version"))
    await store.write(same, *(past | timers).values())


def _later_timers(hangout: Hangout) -> Iterator[Timer]:
    """Yields when it comes on agendas, and when it is over."""
    moments = [listed_from(hangout)]
    if hangout.end_timestamp is not None:
        moments.append(hangout.end_timestamp + OVER_SECONDS)
    for at in filter(None, moments):
        for people in (INVITED, *map(group_list, hangout.group_ids)):
            yield _through(hangout.ref, people, at)


def _through(hangout: Ref[Hangout], people: str, at: float) -> Timer:
    about = {"hangout_id": hangout.fields["hangout_id"], "people": people, "from": FIRST}
    return timer(PEOPLE, at, about)


async def _follow_waiting_list(store: Store, change: Change) -> None:
    """Records who waits no longer because of another person's action."""
    hangout: Hangout = change.new
    waiting = {one.answer_id for one in hangout.waiting} | {hangout.changed_by}
    moved_up = [one.answer_id for one in change.old.waiting if one.answer_id not in waiting]
    keys = [AgendaKey(one, hangout.hangout_id) for one in moved_up]
    await refresh_entries(store, change.at, keys, have_moved_up=True)


async def go_through_people(store: Store, waited: Timer, now: float) -> None:
    """Refreshes a hangout on the agendas of its next hundred people."""
    about = waited.about
    hangout_id, people = about["hangout_id"], about["people"]
    following = None
    if people == INVITED:
        hangout = await store.get(Hangout.at(hangout_id=hangout_id))
        user_ids = [] if hangout is None else hangout.invited_user_ids
    else:
        group_id = people.removeprefix(group_list(""))
        asked = members_from(group_id=group_id, user_id=about["from"])
        page = await store.page(asked, limit=BATCH)
        user_ids = [one.user_id for one in page.items]
        following = user_ids[-1] if page.cursor is not None else None
    await refresh_entries(store, now, [AgendaKey(one, hangout_id) for one in user_ids])
    if following is not None:
        await store.write(put(timer(PEOPLE, waited.moment, {**about, "from": following})))


async def go_through_agenda(store: Store, waited: Timer, now: float) -> None:
    """Refreshes the next hundred entries of a person who has left a group."""
    about = waited.about
    asked = agenda_from(user_id=about["user_id"], hangout_id=about["from"])
    page = await store.page(asked, limit=BATCH)
    await refresh_entries(store, now, [_key_of(one) for one in page.items])
    if page.cursor is not None:
        following = {**about, "from": page.items[-1].hangout_id}
        await store.write(put(timer(PERSON, waited.moment, following)))


async def add_group(store: Store, waited: Timer, now: float) -> None:
    """Adds a group's hangouts that are not over to the agenda of a person who has joined it.

    What has no day, fifty at a time: all of it is found by agendas alone.
    """
    about = waited.about
    user_id, group_id, before = about["user_id"], about["group_id"], about.get("before", NEWEST)
    ideas = await store.page(floating_hangouts(group_id=group_id, before=before), limit=MAX_JOINED)
    rows: list[HangoutPointer] = [*ideas.items]
    if before == NEWEST:
        rows += await _dated_of_group(store, now, group_id)
    await refresh_entries(store, now, [AgendaKey(user_id, one.hangout_id) for one in rows])
    if ideas.cursor is not None:
        following = {**about, "before": ideas.items[-1].hangout_id}
        await store.write(put(timer(JOINED, waited.moment, following)))


async def _dated_of_group(store: Store, now: float, group_id: str) -> list[HangoutPointer]:
    """Returns what is on or comes up in a group: two requests."""
    soon = hangouts_after(group_id=group_id, after=int(now) - 2 * DAY)
    long = long_hangouts(group_id=group_id, after=int(now))
    pages = await store.gather_all(store.page(it, limit=MAX_JOINED) for it in (soon, long))
    return [one for page in pages for one in page.items]


def _key_of(entry: AgendaEntry) -> AgendaKey:
    return AgendaKey(entry.user_id, entry.hangout_id)


AGENDA = Consumer(
    "hangouts-agenda",
    (Hangout, Rsvp, Ballot, GroupMembership),
    follow_change,
    needs_past=True,
    sets=(PEOPLE, PERSON, JOINED),
)

HANDLERS: dict[str, Handler] = {
    PEOPLE: go_through_people,
    PERSON: go_through_agenda,
    JOINED: add_group,
}
