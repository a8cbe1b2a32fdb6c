"""After a change of a hangout, those whom it concerns are told, and reminders are set.

A change leaves timers behind, one for each list of people; their handler tells a hundred people,
and leaves a timer for the next hundred.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.hangouts import notifications
from commonroom.hangouts.consumers.recipients import (
    ANSWERS,
    FIRST,
    INVITED,
    accounts_of,
    group_list,
    read_recipients,
    who_voted,
)
from commonroom.hangouts.rules.reminders import reminder_at
from commonroom.hangouts.rules.times import phase
from commonroom.hangouts.tables import Hangout, Rsvp
from commonroom.moments import seconds
from commonroom.notifications.kinds import Kind
from commonroom.notifications.notifications import channels_for, tell
from commonroom.store import Store, Write, delete, put
from commonroom.store.streams import Change, Consumer
from commonroom.timers import Handler, Timer, timer

TELL = "hangouts.tell"
REMIND = "hangouts.remind"
STALE_SECONDS = 24 * 3600
TOGETHER_SECONDS = 60
"""Changes of one minute are announced as one: correcting a time disturbs people once."""
ANNOUNCED = (
    notifications.NEW,
    notifications.CHANGED,
    notifications.CANCELLED,
    notifications.BACK,
    notifications.ON,
)
KINDS: dict[str, Kind] = {one.name: one for one in ANNOUNCED}


class Announcement(Struct, frozen=True):
    """What is to be told, and to which lists of people."""

    kind: Kind
    lists: Sequence[str]
    id: str
    """Of this nobody is told twice."""
    waits: bool = False
    """Whether it is told together with what else changes in the same minute."""
    poll_id: str | None = None
    """The poll that decided it: who voted there hears that, and not this."""


async def follow_hangout(store: Store, change: Change) -> None:
    """Sets the timers that follow from a change, and tells those who got a place."""
    writes = reminder_writes(change)
    new: Hangout | None = change.new
    if new is not None and not _is_carried_here(change):
        writes += [
            put(_timer(change, one, name))
            for one in announcements_for(change)
            for name in one.lists
        ]
    if writes:
        await store.write(*writes)
    if new is not None and change.old is not None:
        await _tell_moved_up(store, change)


def _is_carried_here(change: Change) -> bool:
    """Returns whether a hangout comes from elsewhere, as by an import: that is no news."""
    return change.old is None and change.at - seconds(change.new.updated_at) > STALE_SECONDS


def announcements_for(change: Change) -> list[Announcement]:
    """Returns what is to be told of a change."""
    old: Hangout | None = change.old
    new: Hangout = change.new
    if phase(new.start_timestamp, new.end_timestamp, change.at) == "past":
        return []
    told: list[Announcement] = []
    if old is None and new.changed_by is None:
        return told  # a series made it by itself, and people know of that
    edit = f"{new.hangout_id}/{int(change.at // TOGETHER_SECONDS)}"
    if old is not None and old.series_version != new.series_version:
        # One of many that changed alike: nobody hears of each.
        edit = f"{new.series_id}/{new.series_version}"
    if lists := _new_lists(old, new):
        told.append(Announcement(notifications.NEW, lists, new.hangout_id))
    if old is None:
        return told
    decided = None if old.decided_poll_id == new.decided_poll_id else new.decided_poll_id
    if old.cancelled_at != new.cancelled_at:
        kind = notifications.BACK if new.cancelled_at is None else notifications.CANCELLED
        told.append(Announcement(kind, [ANSWERS], edit, waits=True))
    elif old.momentum != new.momentum == "CONFIRMED":
        everybody = [ANSWERS, INVITED, *map(group_list, new.group_ids)]
        about = f"{new.hangout_id}/{new.version}"
        told.append(Announcement(notifications.ON, everybody, about, poll_id=decided))
    elif (old.start_timestamp, old.time, old.place) != (new.start_timestamp, new.time, new.place):
        changed = notifications.CHANGED
        told.append(Announcement(changed, [ANSWERS], edit, waits=True, poll_id=decided))
    return told


def _new_lists(old: Hangout | None, new: Hangout) -> list[str]:
    """Returns the lists of people for whom a hangout is new."""
    groups = set(() if old is None else old.group_ids)
    invited = set([new.created_by] if old is None else old.invited_user_ids)
    lists = [group_list(one) for one in new.group_ids if one not in groups]
    return [*lists, INVITED] if set(new.invited_user_ids) - invited else lists


def _timer(change: Change, one: Announcement, people: str) -> Timer:
    """Returns the timer that tells one list of people, with one key however often this runs."""
    minute = (change.at // TOGETHER_SECONDS + 1) * TOGETHER_SECONDS
    about = {
        "kind": one.kind.name,
        "hangout_id": change.new.hangout_id,
        "people": people,
        "id": one.id,
        "by": change.new.changed_by or "",
        "from": FIRST,
        "poll_id": one.poll_id or "",
    }
    same = f"{one.kind.name}/{change.new.hangout_id}/{one.id}/{people}"
    return timer(TELL, minute if one.waits else change.at, about, id=same)


async def tell_people(store: Store, waited: Timer, now: float) -> None:
    """Tells the next hundred of a list of people, where it is still true."""
    about = waited.about
    kind = KINDS[about["kind"]]
    hangout = await store.get(Hangout.at(hangout_id=about["hangout_id"]))
    if hangout is None or not _is_true(hangout, kind, now):
        return
    found = await read_recipients(
        store,
        hangout,
        about["people"],
        start=about["from"],
        unless_declined=kind is notifications.ON,
    )
    people = await _without_voters(store, hangout, about.get("poll_id", ""), found.people)
    told: dict[str, Any] = {"id": about["id"], "by": about["by"] or None, "group": found.group_name}
    await _tell(store, now, people, kind, hangout, **told)
    if found.next_start is not None:
        again = {**about, "from": found.next_start}
        await store.write(put(timer(TELL, waited.moment, again)))


async def _without_voters(
    store: Store, hangout: Hangout, poll_id: str, people: Sequence[User]
) -> Sequence[User]:
    """Those who do not hear what was decided because they voted: everybody where nothing was."""
    listening = [one for one in people if poll_id and channels_for(one, notifications.DECIDED)]
    voted = await who_voted(store, hangout.hangout_id, poll_id, listening)
    return [one for one in people if one.user_id not in voted]


def _is_true(hangout: Hangout, kind: Kind, now: float) -> bool:
    if phase(hangout.start_timestamp, hangout.end_timestamp, now) == "past":
        return False
    return (hangout.cancelled_at is not None) == (kind is notifications.CANCELLED)


async def _tell_moved_up(store: Store, change: Change) -> None:
    """Tells those who waited, go still, and wait no longer."""
    hangout: Hangout = change.new
    if not _is_true(hangout, notifications.HAS_PLACE, change.at):
        return
    waiting = {one.answer_id for one in hangout.waiting}
    ids = [one.answer_id for one in change.old.waiting if one.answer_id not in waiting]
    refs = [Rsvp.at(hangout_id=hangout.hangout_id, user_id=one) for one in ids]
    answers = await store.batch_get(refs) if refs else []
    going = [one.user_id for one in answers if one is not None and one.status == "GOING"]
    told: dict[str, Any] = {"id": f"{hangout.hangout_id}/{change.at}", "by": hangout.changed_by}
    people = await accounts_of(store, going)
    await _tell(store, change.at, people, notifications.HAS_PLACE, hangout, **told)


def reminder_writes(change: Change) -> list[Write]:
    """What moves a reminder along with its hangout; one that would be in the past is not set."""
    before = None if change.old is None else _reminder(change.old)
    after = None if change.new is None else _reminder(change.new)
    if before == after:
        return []
    writes: list[Write] = [] if before is None else [delete(before)]
    if after is not None and after.moment > change.at:
        writes.append(put(after))
    return writes


def _reminder(hangout: Hangout) -> Timer | None:
    moment = reminder_at(hangout)
    if moment is None:
        return None
    about = {
        "hangout_id": hangout.hangout_id,
        "start": str(hangout.start_timestamp),
        "from": FIRST,
    }
    return timer(REMIND, moment, about)


async def remind(store: Store, waited: Timer, now: float) -> None:
    """Reminds the next hundred of those who go or are interested, and do not wait for a place."""
    about = waited.about
    hangout = await store.get(Hangout.at(hangout_id=about["hangout_id"]))
    if hangout is None or reminder_at(hangout) is None:
        return
    if str(hangout.start_timestamp) != about["start"] or now >= int(about["start"]):
        return  # it was moved, and has another timer for that; or this is too late
    found = await read_recipients(store, hangout, ANSWERS, start=about["from"], unless_waiting=True)
    same = f"{hangout.hangout_id}/{about['start']}"
    await _tell(store, now, found.people, notifications.REMINDER, hangout, id=same, by=None)
    if found.next_start is not None:
        again = {**about, "from": found.next_start}
        await store.write(put(timer(REMIND, waited.moment, again)))


async def _tell(
    store: Store,
    now: float,
    people: Sequence[User],
    kind: Kind,
    hangout: Hangout,
    *,
    id: str,  # noqa: A002 - the word for it
    by: str | None,
    group: str = "",
) -> None:
    """Tells people of a hangout; those with another clock read whose time it is."""
    facts = notifications.hangout_facts(hangout, group=group)
    link = notifications.page_of(hangout.hangout_id)
    here, elsewhere = notifications.by_clock(people, hangout)
    city = notifications.city_of(hangout)
    told: dict[str, Any] = {"link": link, "id": id, "by": by}
    await tell(store, now, here, kind, facts=facts, **told)
    await tell(store, now, elsewhere, kind, facts={**facts, "city": city}, **told)


ANNOUNCEMENTS = Consumer(
    "hangouts-announcements",
    (Hangout,),
    follow_hangout,
    sets=(TELL, REMIND),
    tells=(*ANNOUNCED, notifications.HAS_PLACE, notifications.REMINDER),
)

HANDLERS: dict[str, Handler] = {TELL: tell_people, REMIND: remind}
