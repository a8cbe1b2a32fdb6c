"""Lists of hangouts: a group's feed, a person's own, what is over, what floats, and a month."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from typing import Any

from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.rules.groups import MOST_GROUPS
from commonroom.hangouts.rules.ids import is_id
from commonroom.hangouts.rules.momentum import is_quiet
from commonroom.hangouts.rules.times import phase
from commonroom.hangouts.service import timeline
from commonroom.hangouts.service.access import GroupAccess, no_such_group, open_group
from commonroom.hangouts.service.timeline import Partitions, Position, Row, place_of
from commonroom.hangouts.tables import (
    LONG_SECONDS,
    HangoutPointer,
    Membership,
    Rsvp,
    feed,
    groups_of_user,
)
from commonroom.store import Ref, Store

FEED = 100
"""Hangouts of a group that its feed reads at once: most groups have no more."""
PAGE = 50


class Listed(Struct, frozen=True):
    """A hangout in a list, with the answer of whoever looks and its maker's name."""

    row: Row
    rsvp: Rsvp | None
    made_by: str | None
    """None where the maker has left."""


class Sections(Struct, frozen=True):
    """Hangouts by where they stand, each in the order in which it is shown."""

    in_progress: list[Listed]
    upcoming: list[Listed]
    floating: list[Listed]
    """Without a day, the newest first; what has gone quiet is at the end."""
    has_earlier: bool
    """Whether there may be more that has begun; a timeline without a cursor has it."""
    later: str | None
    """The cursor of what comes after the last upcoming one; None at the end."""
    more_floating: str | None
    """The cursor of further ones without a day; None at the end."""


class Feed(Struct, frozen=True):
    """A group with its hangouts."""

    access: GroupAccess
    sections: Sections


class Stretch(Struct, frozen=True):
    """Part of a timeline in the order of time, and the cursors of what is on either side."""

    items: list[Listed]
    earlier: str | None
    later: str | None


class FloatingPage(Struct, frozen=True):
    """Part of what has no day yet, the newest first."""

    items: list[Listed]
    cursor: str | None


async def group_feed(ctx: Context, member: User, group_id: str) -> Feed:
    """A group's feed: three requests, and three more where it has more than one page."""
    if not is_id(group_id):
        raise no_such_group()
    access, page = await ctx.store.gather(
        open_group(ctx, group_id), ctx.store.page(feed(group_id=group_id), limit=FEED)
    )
    of, fresh = Partitions(group_ids=(group_id,)), page.items
    found = _Found(fresh, None, None)
    if page.cursor is not None:
        found = await _find(ctx, of, FEED)
        # As they are now, whatever an index says of them.
        known = {one.hangout_id for one in fresh}
        found = _Found(
            [*fresh, *(one for one in found.rows if one.hangout_id not in known)],
            found.later,
            found.more_floating,
        )
    has_past = page.cursor is not None or any(_phase(ctx, one) == "past" for one in fresh)
    return Feed(access, await _sections(ctx, member, of, found, has_past=has_past))


async def upcoming(ctx: Context, member: User) -> Sections:
    """What is on, comes up and floats for a person, over their groups and invitations.

    Two requests, three for each partition, and one for the answers.
    """
    of, ours = await _own_partitions(ctx)
    confirmed, found = await ctx.store.gather(
        _confirmed_groups(ctx.store, ours), _find(ctx, of, PAGE)
    )
    found = _Found(_visible(confirmed, found.rows), found.later, found.more_floating)
    return await _sections(ctx, member, of, found, has_past=True)


async def stretch(
    ctx: Context,
    member: User,
    *,
    group_id: str | None = None,
    before: str | None = None,
    after: str | None = None,
    limit: int = PAGE,
) -> Stretch:
    """Part of a group's timeline, or of a person's own, on one side of a cursor.

    Without one, what has begun by now. Two requests, one for each partition, and one for answers.
    """
    of, ours = await _partitions(ctx, group_id)
    position, is_later = Position(int(ctx.now) + 1, ""), after is not None
    cursor = before if after is None else after
    if cursor is not None:
        position = timeline.unseal(ctx.store, of, cursor)
    read = timeline.read_after if is_later else timeline.read_before
    confirmed, page = await ctx.store.gather(
        _confirmed_groups(ctx.store, ours), read(ctx.store, of, position, limit)
    )
    rows = page.rows if is_later else page.rows[::-1]
    # On the side it came from, the list goes on next to the first or last that is shown.
    ends = [place_of(one) for one in rows]
    earlier = (ends or [Position(position.start + 1, "")])[0] if is_later else page.next
    back = [] if cursor is None else [Position(position.start, "")]
    later = page.next if is_later else next(reversed(ends or back), None)
    return Stretch(
        await _listed(ctx, member, _visible(confirmed, rows)),
        timeline.seal(ctx.store, of, earlier),
        timeline.seal(ctx.store, of, later),
    )


async def floating(
    ctx: Context, member: User, *, group_id: str | None = None, cursor: str, limit: int = PAGE
) -> FloatingPage:
    """What has no day yet in a group, or for a person, after a cursor."""
    of, ours = await _partitions(ctx, group_id)
    before = timeline.unseal(ctx.store, of, cursor).hangout_id
    confirmed, page = await ctx.store.gather(
        _confirmed_groups(ctx.store, ours),
        timeline.read_floating(ctx.store, of, before, limit),
    )
    items = await _listed(ctx, member, _visible(confirmed, page.rows))
    return FloatingPage(items, timeline.seal(ctx.store, of, page.next))


async def month(
    ctx: Context, member: User, first: int, end: int, *, group_id: str | None = None
) -> list[Listed]:
    """All that is on between two moments, by start: two requests for each partition, and three."""
    of, ours = await _partitions(ctx, group_id)
    confirmed, some, long = await ctx.store.gather(
        _confirmed_groups(ctx.store, ours),
        timeline.read_between(ctx.store, of, first - LONG_SECONDS, end - 1),
        timeline.read_long(ctx.store, of, first),
    )
    rows = {
        one.hangout_id: one
        for one in _visible(confirmed, chain(some, long))
        if (one.start_timestamp or 0) < end and (one.end_timestamp or 0) > first
    }
    return await _listed(ctx, member, sorted(rows.values(), key=place_of))


async def since(ctx: Context, earliest: int, most: int) -> list[Listed]:
    """What is on or starts after a moment for a person, so many at most, the earliest first.

    Two requests for each partition, two, and one for every hundred answers.
    """
    of, ours = await _own_partitions(ctx)
    confirmed, page, long = await ctx.store.gather(
        _confirmed_groups(ctx.store, ours),
        timeline.read_after(ctx.store, of, Position(earliest, ""), most),
        timeline.read_long(ctx.store, of, earliest),
    )
    rows = {one.hangout_id: one for one in _visible(confirmed, chain(long, page.rows))}
    return await _listed(ctx, ctx.person, sorted(rows.values(), key=place_of))


class _Found(Struct, frozen=True):
    """Rows of a list in no order, and where the list goes on."""

    rows: Sequence[Row]
    later: Position | None
    """Up to here, nothing that is to come is missing."""
    more_floating: Position | None


async def _find(ctx: Context, of: Partitions, limit: int) -> _Found:
    """What is on, to come or without a day in some partitions: three requests for each."""
    now = int(ctx.now)
    soon, long, idle = await ctx.store.gather(
        timeline.read_after(ctx.store, of, Position(now - LONG_SECONDS, ""), limit),
        timeline.read_long(ctx.store, of, now),
        timeline.read_floating(ctx.store, of, timeline.NEWEST, PAGE),
    )
    rows = {one.hangout_id: one for one in (*soon.rows, *long, *idle.rows)}
    return _Found(list(rows.values()), soon.next, idle.next)


async def _sections(
    ctx: Context, member: User, of: Partitions, found: _Found, *, has_past: bool
) -> Sections:
    by_phase: dict[str, list[Row]] = {"in_progress": [], "upcoming": [], "floating": []}
    for row in found.rows:
        by_phase.setdefault(_phase(ctx, row), []).append(row)
    ongoing = sorted(by_phase["in_progress"], key=place_of)
    soon = sorted(by_phase["upcoming"], key=place_of)
    if found.later is not None:
        soon = [one for one in soon if place_of(one) <= found.later]
    later = place_of(soon[PAGE - 1]) if len(soon) > PAGE else found.later
    idle = sorted(by_phase["floating"], key=lambda one: one.hangout_id, reverse=True)
    idle.sort(key=lambda one: one.cancelled_at is not None or is_quiet(one, ctx.now))
    shown = [*ongoing, *soon[:PAGE], *idle]
    listed = {one.row.hangout_id: one for one in await _listed(ctx, member, shown)}
    return Sections(
        [listed[one.hangout_id] for one in ongoing],
        [listed[one.hangout_id] for one in soon[:PAGE]],
        [listed[one.hangout_id] for one in idle],
        has_past,
        timeline.seal(ctx.store, of, later),
        timeline.seal(ctx.store, of, found.more_floating),
    )


def _phase(ctx: Context, row: Row) -> str:
    return phase(row.start_timestamp, row.end_timestamp, ctx.now)


async def _listed(ctx: Context, member: User, rows: Sequence[Row]) -> list[Listed]:
    """Rows with the answers of whoever looks and the makers' names: one request for a hundred."""
    makers = list(dict.fromkeys(one.created_by for one in rows))
    refs: list[Ref[Any]] = [
        *(Rsvp.at(hangout_id=one.hangout_id, user_id=member.user_id) for one in rows),
        *(User.at(user_id=one) for one in makers),
    ]
    read = await ctx.store.batch_get(refs) if refs else []
    names = {one.user_id: one.display_name for one in read[len(rows) :] if one is not None}
    answers = read[: len(rows)]
    return [
        Listed(row, answer, names.get(row.created_by))
        for row, answer in zip(rows, answers, strict=True)
    ]


async def _partitions(ctx: Context, group_id: str | None) -> tuple[Partitions, list[Membership]]:
    """Those of one group, or of a person; one request."""
    if group_id is None:
        return await _own_partitions(ctx)
    access = await open_group(ctx, group_id)
    return Partitions(group_ids=(group_id,)), [access.membership]


async def _own_partitions(ctx: Context) -> tuple[Partitions, list[Membership]]:
    me = ctx.person.user_id
    mine = (await ctx.store.page(groups_of_user(user_id=me), limit=MOST_GROUPS)).items
    groups = tuple(sorted(one.group_id for one in mine))
    return Partitions(group_ids=groups, user_id=me), mine


async def _confirmed_groups(store: Store, ours: Sequence[Membership]) -> Collection[str]:
    """The groups that somebody is in by now: an index may still say so of one they have left."""
    read = await store.batch_get([one.ref for one in ours]) if ours else []
    return {one.group_id for one in read if one is not None}


def _visible(confirmed: Collection[str], rows: Iterable[Row]) -> list[Row]:
    """Rows of groups that somebody is in, and their own."""
    return [one for one in rows if not isinstance(one, HangoutPointer) or one.group_id in confirmed]
