"""Hangouts of a series as they are made: one after the other, each once, up to a year ahead."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any

from msgspec.structs import asdict, replace

from commonroom.accounts.context import Context
from commonroom.accounts.service.blocks import has_blocked
from commonroom.accounts.service.throttle import Limit, count_try
from commonroom.accounts.tables import User
from commonroom.errors import InvalidField
from commonroom.hangouts.rules import series as rules
from commonroom.hangouts.rules.agenda import agenda_entry
from commonroom.hangouts.rules.ids import occurrence_id, time_ordered_id
from commonroom.hangouts.rules.momentum import momentum
from commonroom.hangouts.rules.parties import party_title
from commonroom.hangouts.rules.times import time_span
from commonroom.hangouts.service.access import audience_of
from commonroom.hangouts.service.fields import time_fields
from commonroom.hangouts.service.pointers import new_pointers
from commonroom.hangouts.tables import (
    FriendGroup,
    GroupMembership,
    Hangout,
    HangoutTemplate,
    Repetition,
    Rsvp,
    Series,
)
from commonroom.moments import iso
from commonroom.store import (
    ConditionFailed,
    Ref,
    Store,
    Write,
    check,
    create,
    equal,
    put,
    stored,
    update,
)
from commonroom.timers import Timer, timer

MAKE = "hangouts.series"
BATCH = 25
"""How many hangouts are made or changed before other timers have their turn."""
SERIES_OF_PERSON = Limit("hangout-series", 20, 24 * 3600)
SAID = frozenset(HangoutTemplate.__struct_fields__) - {"time", "days_later"}
"""What a template says of a hangout as it is."""


def first_writes(
    new: Hangout, maker: User, groups: Sequence[FriendGroup], now: float, *, is_on: bool
) -> tuple[Hangout, list[Write]]:
    """Returns what makes a hangout with its pointers and its maker's answer.

    Without a day it is on the maker's agenda at once, where their list finds it.
    """
    hangout = replace(
        new,
        going_count=1 if is_on else 0,
        interested_count=0 if is_on else 1,
        going_rsvps=1 if is_on else 0,
        momentum="CONFIRMED" if is_on else "BUILDING",
        audience=audience_of(new, groups),
    )
    hangout = replace(hangout, momentum=momentum(hangout, now))
    rsvp = Rsvp(
        hangout_id=hangout.hangout_id,
        user_id=maker.user_id,
        user_name=maker.display_name,
        status="GOING" if is_on else "INTERESTED",
        created_at=hangout.created_at,
        updated_at=hangout.created_at,
    )
    is_idea = hangout.start_timestamp is None
    entries = [agenda_entry(hangout, rsvp.user_id, rsvp, ())] if is_idea else []
    return hangout, [
        create(hangout),
        create(rsvp),
        *(create(one) for one in new_pointers(hangout)),
        *(create(one) for one in entries),
        check(maker, if_=equal(display_name=maker.display_name)),
    ]


async def count_series(ctx: Context) -> None:
    """Counts that a person begins a series, which may be hundreds of hangouts."""
    await count_try(ctx.store, ctx.now, SERIES_OF_PERSON, ctx.person.user_id)


def begin_series(
    first: Hangout, given: Repetition, now: float, *, is_on: bool, parts: Sequence[str] = ()
) -> tuple[Hangout, list[Write]]:
    """Returns the first hangout of a new series, and what makes the series and goes on with it.

    With `parts` it is a watch party: one title for each hangout.
    """
    if first.time is None:
        raise InvalidField("repetition.frequency", "Choose a day first: then it can repeat.")
    day = rules.date_of(first.time)
    series = Series(
        series_id=time_ordered_id(now),
        template=template_of(first),
        repetition=rules.repetition(given, day, now),
        first=day.isoformat(),
        is_on=is_on,
        group_ids=first.group_ids,
        invited_user_ids=first.invited_user_ids,
        parts=list(parts),
        made_until=day.isoformat(),
        created_by=first.created_by,
        created_at=iso(now),
        updated_at=iso(now),
    )
    member = replace(
        first,
        series_id=series.series_id,
        occurrence=series.first,
        series_version=series.version,
        **_part_fields(series, 0),
    )
    return member, [create(series), put(making(series.series_id, now))]


def making(series_id: str, at: float) -> Timer:
    """Returns the timer that makes a series' hangouts, and changes those that are to change."""
    return timer(MAKE, at, {"series_id": series_id})


def template_of(hangout: Hangout) -> HangoutTemplate:
    """Returns what a hangout says, for others of its series to say."""
    if hangout.time is None:
        raise InvalidField("time", "A hangout that repeats needs a day.")
    return HangoutTemplate(**{name: getattr(hangout, name) for name in SAID}, time=hangout.time)


def fields_on(template: HangoutTemplate, day: str) -> dict[str, Any]:
    """Returns what the hangout of a date says by its template."""
    fields = asdict(template)
    away = date.fromisoformat(day).toordinal() + fields.pop("days_later")
    span = time_span(rules.time_on(fields.pop("time"), date.fromordinal(away)))
    return {**fields, **time_fields(span)}


def _part_fields(series: Series, part: int) -> dict[str, Any]:
    """Returns what the hangout of a watch party says of its title."""
    if not series.parts:
        return {}
    return {"part": part, "title": party_title(series.template.title, series.parts[part])}


async def make_more(store: Store, now: float, series: Series, next_part: int = 0) -> float | None:
    """Makes the next hangouts of a series; gives the moment to go on, None behind the last.

    A watch party goes on with a title, and is over behind its last.
    """
    found = await _read_people(store, series)
    if found is None:
        return None  # its maker is gone, and it ends with them
    maker, memberships, groups, invited = found
    series = replace(series, invited_user_ids=invited)
    for _ in range(BATCH):
        day = rules.next_date(
            date.fromisoformat(series.first),
            series.repetition,
            date.fromisoformat(series.made_until),
        )
        if day is None or (series.parts and next_part >= len(series.parts)):
            return None
        due = datetime(day.year, day.month, day.day, tzinfo=UTC) - rules.AHEAD
        if due.timestamp() > now:
            return due.timestamp()
        hangout, writes = first_writes(
            _occurrence(series, day.isoformat(), groups, now, next_part),
            maker,
            groups,
            now,
            is_on=series.is_on,
        )
        if (hangout.end_timestamp or 0) <= now:
            writes = []  # nobody can come to it any more
        held = [check(one, if_=stored) for one in memberships]
        step = update(
            series.ref,
            made_until=day.isoformat(),
            if_=equal(version=series.version, made_until=series.made_until),
        )
        try:
            await store.write(step, *writes, *held)
        except ConditionFailed:
            if await store.get(hangout.ref) is None:
                return now  # the series, its maker or a group changed in between
            await _skip(store, step)  # it is there since an earlier rule
            if series.parts:
                return now  # with a title of its own, behind which the others come
        next_part += bool(writes)
        series = replace(series, made_until=day.isoformat())
    return now


async def _skip(store: Store, step: Write) -> None:
    try:
        await store.write(step)
    except ConditionFailed:
        return  # another was faster; the next look at the series tells


def _occurrence(
    series: Series, day: str, groups: Sequence[FriendGroup], now: float, part: int
) -> Hangout:
    """Returns the hangout of a date; nobody made it just now, so nobody is told that it is new."""
    return Hangout(
        **fields_on(series.template, day) | _part_fields(series, part),
        hangout_id=occurrence_id(series.series_id, day),
        series_id=series.series_id,
        occurrence=day,
        series_version=series.version,
        group_ids=[one.group_id for one in groups],
        invited_user_ids=series.invited_user_ids,
        created_by=series.created_by,
        created_at=iso(now),
        updated_at=iso(now),
    )


async def _read_people(
    store: Store, series: Series
) -> tuple[User, list[GroupMembership], list[FriendGroup], list[str]] | None:
    """Returns the maker, the groups in which they still are, and who is invited and still there.

    Who has blocked the maker since is invited no longer.

    None where the maker has left.
    """
    me = series.created_by
    refs: list[Ref[Any]] = [
        User.at(user_id=me),
        *(GroupMembership.at(group_id=one, user_id=me) for one in series.group_ids),
        *(FriendGroup.at(group_id=one) for one in series.group_ids),
        *(User.at(user_id=one) for one in series.invited_user_ids if one != me),
    ]
    maker, *read = await store.batch_get(refs)
    memberships = [one for one in read if isinstance(one, GroupMembership)]
    mine = {one.group_id for one in memberships}
    groups = [one for one in read if isinstance(one, FriendGroup) and one.group_id in mine]
    if not isinstance(maker, User) or (series.group_ids and not groups):
        return None
    others = [one for one in read if isinstance(one, User) and not has_blocked(one, me)]
    known = {me, *(one.user_id for one in others)}
    invited = [one for one in series.invited_user_ids if one in known]
    return maker, memberships, groups, invited
