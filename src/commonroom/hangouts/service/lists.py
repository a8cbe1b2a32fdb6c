"""Lists of hangouts: a group's feed, a person's own, what is over, what floats, and a month."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.rules.momentum import is_quiet
from commonroom.hangouts.rules.times import MAX_DURATION, phase
from commonroom.hangouts.service import timeline
from commonroom.hangouts.service.access import GroupAccess, no_such, open_group
from commonroom.hangouts.service.detail import version_of
from commonroom.hangouts.service.listing import (
    HangoutRow,
    Scope,
    group_scope,
    list_rows,
    own_scope,
)
from commonroom.hangouts.service.timeline import (
    BEFORE_IDEAS,
    Partitions,
    Row,
    TimelinePosition,
    position_of,
)
from commonroom.hangouts.tables import LONG_SECONDS, FriendGroup, agenda_between, feed
from commonroom.ids import is_id
from commonroom.store import Store

FEED = 100
"""Hangouts of a group that its feed reads at once: most groups have no more."""
PAGE = 50
IDEAS, MAX_BEGUN = 25, 8
"""Of what a person's list takes from their agenda; with a page and all names, two requests."""


class Sections(Struct, frozen=True):
    """Hangouts by where they stand, each in the order in which it is shown."""

    in_progress: list[HangoutRow]
    upcoming: list[HangoutRow]
    floating: list[HangoutRow]
    """Without a day, the newest first; what has gone quiet is at the end."""
    has_earlier: bool
    """Whether there may be more that has begun; a timeline without a cursor has it."""
    later: str | None
    """The cursor of what comes after the last upcoming one; None at the end."""
    more_floating: str | None
    """The cursor of further ones without a day; None at the end."""


class HangoutFeed(Struct, frozen=True):
    """A group with its hangouts."""

    access: GroupAccess
    sections: Sections


class Stretch(Struct, frozen=True):
    """Part of a timeline in the order of time, and the cursors of what is on either side."""

    items: list[HangoutRow]
    earlier: str | None
    later: str | None


class FloatingPage(Struct, frozen=True):
    """Part of what has no day yet, the newest first."""

    items: list[HangoutRow]
    cursor: str | None


async def group_feed(ctx: Context, member: User, group_id: str) -> HangoutFeed:
    """Returns a group's feed: three requests, and three more where it has more than one page."""
    if not is_id(group_id):
        raise no_such(FriendGroup)
    access, page = await ctx.store.gather(
        open_group(ctx, group_id), ctx.store.page(feed(group_id=group_id), limit=FEED)
    )
    scope = Scope(group=access.group)
    found = _ListRows(page.items, None, None)
    if page.cursor is not None:
        found = await _find(ctx, scope.partitions)
        # As they are now, whatever an index says of them.
        known = {one.hangout_id for one in page.items}
        older = [one for one in found.rows if one.hangout_id not in known]
        found = _ListRows([*page.items, *older], found.later, found.more_floating)
    has_past = page.cursor is not None or any(_phase(ctx, one) == "past" for one in page.items)
    listed = await list_rows(ctx, member, scope, _current(ctx, found.rows))
    return HangoutFeed(access, _sections(ctx, scope, listed, found, has_past=has_past))


async def feed_version(store: Store, group_id: str) -> str:
    """Returns the version of a group's feed, which open pages watch: one request."""
    return version_of((await store.page(feed(group_id=group_id), limit=FEED)).items)


async def upcoming(ctx: Context, member: User, scope: Scope) -> Sections:
    """Returns what is on, comes up and floats for a person, over their groups and invitations.

    One request for each partition. What has no day, and what began days ago, is on their agenda:
    two requests, and two for the originals of that, all answers and names.
    """
    now, me = int(ctx.now), ctx.person.user_id
    long_ago = agenda_between(user_id=me, earliest=now - MAX_DURATION, latest=now - LONG_SECONDS)
    soon, begun, ideas = await ctx.store.gather(
        timeline.read_after(
            ctx.store, scope.partitions, TimelinePosition(now - LONG_SECONDS, ""), PAGE
        ),
        ctx.store.page(long_ago, limit=MAX_BEGUN),
        timeline.read_ideas(ctx.store, me, BEFORE_IDEAS, IDEAS),
    )
    rows, entries = _current(ctx, soon.rows), [*begun.items, *ideas.rows]
    listed = await list_rows(ctx, member, scope, rows, entries)
    found = _ListRows(soon.rows, soon.next, ideas.next)
    return _sections(ctx, scope, listed, found, has_past=True)


async def stretch(
    ctx: Context,
    member: User,
    scope: Scope,
    *,
    before: str | None = None,
    after: str | None = None,
    limit: int = PAGE,
) -> Stretch:
    """Part of a group's timeline, or of a person's own, on one side of a cursor.

    Without one, what has begun by now. One request for each partition, and one for a hundred
    answers and names.
    """
    of = scope.partitions
    position, is_later = TimelinePosition(int(ctx.now) + 1, ""), after is not None
    cursor = before if after is None else after
    if cursor is not None:
        position = timeline.unseal(ctx.store, of, cursor)
    read = timeline.read_after if is_later else timeline.read_before
    page = await read(ctx.store, of, position, limit)
    rows = page.rows if is_later else page.rows[::-1]
    # On the side it came from, the list goes on next to the first or last that is shown.
    ends = [position_of(one) for one in rows]
    earlier = (ends or [TimelinePosition(position.start + 1, "")])[0] if is_later else page.next
    back = [] if cursor is None else [TimelinePosition(position.start, "")]
    later = page.next if is_later else next(reversed(ends or back), None)
    return Stretch(
        await list_rows(ctx, member, scope, rows),
        timeline.seal(ctx.store, of, earlier),
        timeline.seal(ctx.store, of, later),
    )


async def group_floating(
    ctx: Context, member: User, group_id: str, *, cursor: str, limit: int = PAGE
) -> FloatingPage:
    """Returns what has no day yet in a group, after a cursor."""
    scope = await group_scope(ctx, group_id)
    of = scope.partitions
    before = timeline.unseal(ctx.store, of, cursor).hangout_id
    page = await timeline.read_floating(ctx.store, of, before, limit)
    items = await list_rows(ctx, member, scope, page.rows)
    return FloatingPage(items, timeline.seal(ctx.store, of, page.next))


async def floating(ctx: Context, member: User, *, cursor: str, limit: int = PAGE) -> FloatingPage:
    """What has no day yet for a person, after a cursor: one request, and those of its rows."""
    scope = Scope(user_id=ctx.person.user_id)
    of = scope.partitions
    position = max(timeline.unseal(ctx.store, of, cursor), BEFORE_IDEAS)
    page = await timeline.read_ideas(ctx.store, ctx.person.user_id, position, limit)
    listed = await list_rows(ctx, member, scope, (), page.rows)
    items = [one for one in listed if one.row.start_timestamp is None]
    return FloatingPage(items, timeline.seal(ctx.store, of, page.next))


async def month(ctx: Context, member: User, scope: Scope, first: int, end: int) -> list[HangoutRow]:
    """Returns all that is on between two moments, by start: one request for each partition.

    One more for a hundred answers and names.
    """
    some = await timeline.read_between(ctx.store, scope.partitions, first - MAX_DURATION, end - 1)
    rows = [one for one in some if (one.end_timestamp or 0) > first]
    listed = await list_rows(ctx, member, scope, rows)
    return sorted(listed, key=lambda one: position_of(one.row))


async def since(ctx: Context, earliest: int, most: int) -> list[HangoutRow]:
    """What is on or starts after a moment for a person, so many at most, the earliest first.

    Two requests for each partition, one, and one for every hundred answers.
    """
    scope = await own_scope(ctx)
    of = scope.partitions
    page, long = await ctx.store.gather(
        timeline.read_after(ctx.store, of, TimelinePosition(earliest, ""), most),
        timeline.read_long(ctx.store, of, earliest),
    )
    listed = await list_rows(ctx, ctx.person, scope, list(chain(long, page.rows)))
    return sorted(listed, key=lambda one: position_of(one.row))


class _ListRows(Struct, frozen=True):
    """Rows of a list in no order, and where the list goes on."""

    rows: Sequence[Row]
    later: TimelinePosition | None
    """Up to here, nothing that is to come is missing."""
    more_floating: TimelinePosition | None


async def _find(ctx: Context, of: Partitions) -> _ListRows:
    """Returns what is on, to come or without a day in some partitions: three requests for each."""
    now = int(ctx.now)
    soon, long, idle = await ctx.store.gather(
        timeline.read_after(ctx.store, of, TimelinePosition(now - LONG_SECONDS, ""), FEED),
        timeline.read_long(ctx.store, of, now),
        timeline.read_floating(ctx.store, of, timeline.NEWEST, PAGE),
    )
    rows = {one.hangout_id: one for one in (*soon.rows, *long, *idle.rows)}
    return _ListRows(list(rows.values()), soon.next, idle.next)


def _current(ctx: Context, rows: Iterable[Row]) -> list[Row]:
    """Rows without what is over, and of what comes up one more than is shown."""
    now_or_later = [one for one in rows if _phase(ctx, one) != "past"]
    soon = sorted((one for one in now_or_later if _phase(ctx, one) == "upcoming"), key=position_of)
    others = [one for one in now_or_later if _phase(ctx, one) != "upcoming"]
    return [*others, *soon[: PAGE + 1]]


def _sections(
    ctx: Context, scope: Scope, listed: Sequence[HangoutRow], found: _ListRows, *, has_past: bool
) -> Sections:
    by_phase: dict[str, list[HangoutRow]] = {"in_progress": [], "upcoming": [], "floating": []}
    for one in sorted(listed, key=lambda one: position_of(one.row)):
        by_phase.setdefault(_phase(ctx, one.row), []).append(one)
    soon = by_phase["upcoming"]
    if found.later is not None:
        soon = [one for one in soon if position_of(one.row) <= found.later]
    later = position_of(soon[PAGE - 1].row) if len(soon) > PAGE else found.later
    idle = by_phase["floating"][::-1]
    idle.sort(key=lambda one: one.row.cancelled_at is not None or is_quiet(one.row, ctx.now))
    of = scope.partitions
    return Sections(
        by_phase["in_progress"],
        soon[:PAGE],
        idle,
        has_past,
        timeline.seal(ctx.store, of, later),
        timeline.seal(ctx.store, of, found.more_floating),
    )


def _phase(ctx: Context, row: Row) -> str:
    return phase(row.start_timestamp, row.end_timestamp, ctx.now)
