"""Lists of hangouts: a group's feed, one's own, what is over, what floats, and a month."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from commonroom.accounts.api.views import Moment
from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import BadRequest
from commonroom.hangouts import addresses
from commonroom.hangouts.api.rsvps import People
from commonroom.hangouts.api.time_and_place import Epoch, Time, VenueView, time_view, venue_of
from commonroom.hangouts.request import ListScope, Member
from commonroom.hangouts.rules.momentum import is_quiet, momentum
from commonroom.hangouts.rules.months import month_bounds
from commonroom.hangouts.rules.rsvps import waits
from commonroom.hangouts.service import lists
from commonroom.hangouts.service.listing import HangoutRow, Scope
from commonroom.hangouts.service.lists import FloatingPage, Sections, Stretch
from commonroom.hangouts.tables import NOBODY, HangoutSummary, Momentum, RsvpStatus, Visibility
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.etags import IfNoneMatch, tagged
from commonroom.http.operations import Operations
from commonroom.http.paging import MAX_CURSOR, PagedList
from commonroom.http.responses import JsonResponse
from commonroom.moments import known

Cursor = Annotated[str, Meta(max_length=MAX_CURSOR, pattern="^[A-Za-z0-9_-]*$")]
Limit = Annotated[int, Meta(ge=1, le=100, description="Maximum number of items.")]


api = Operations("Hangouts: lists", errors=(404,))


class HangoutView(Struct, frozen=True, kw_only=True):
    """A hangout as lists show it."""

    hangout_id: str
    title: str
    time: Annotated[Time | None, Meta(description="Null: it floats, and needs a day.")]
    start_timestamp: Epoch | None
    end_timestamp: Epoch | None
    place: VenueView | None
    picture: str | None
    visibility: Visibility
    group_ids: list[str]
    series_id: str | None
    created_by: str | None
    made_by: Annotated[str | None, Meta(description="Its maker’s name.")]
    created_at: Moment | None
    cancelled_at: Moment | None
    momentum: Momentum
    is_quiet: Annotated[
        bool, Meta(description="Whether a suggestion has had no answers for five days.")
    ]
    going_count: People
    interested_count: People
    not_going_count: People
    waiting_count: People
    place_limit: Annotated[int | None, Meta(description="How many people there are places for.")]
    my_status: RsvpStatus | None
    is_waiting: Annotated[bool, Meta(description="Whether the caller waits for a place.")]
    version: int


def list_item(now: float, one: HangoutRow) -> HangoutView:
    """Returns a hangout of a list. There are fifty at once, so nothing is made twice on the way."""
    row, mine = one.row, one.rsvp
    return HangoutView(
        hangout_id=row.hangout_id,
        title=row.title,
        time=None if row.time is None else time_view(row.time),
        start_timestamp=row.start_timestamp,
        end_timestamp=row.end_timestamp,
        place=venue_of(row, mine, "" if mine is None else mine.user_id),
        picture=row.picture,
        visibility=row.visibility,
        group_ids=row.group_ids,
        series_id=row.series_id,
        created_by=maker_of(row),
        made_by=one.made_by,
        created_at=known(row.created_at),
        cancelled_at=row.cancelled_at,
        momentum=momentum(row, now),
        is_quiet=is_quiet(row, now),
        going_count=row.going_count,
        interested_count=row.interested_count,
        not_going_count=row.not_going_count,
        waiting_count=row.waiting_count,
        place_limit=row.place_limit,
        my_status=None if mine is None else mine.status,
        is_waiting=waits(row, mine),
        version=row.hangout_version,
    )


def maker_of(row: HangoutSummary) -> str | None:
    """Returns who made a hangout; None where nobody knows."""
    return None if row.created_by == NOBODY else row.created_by


class HangoutFeedView(Struct, frozen=True):
    """Hangouts by where they stand."""

    in_progress: list[HangoutView]
    upcoming: list[HangoutView]
    floating: Annotated[
        list[HangoutView],
        Meta(description="Without a day, the newest first; what went quiet is at the end."),
    ]
    has_earlier: Annotated[
        bool, Meta(description="Whether more may have begun: the timeline without a cursor has it.")
    ]
    later_cursor: Annotated[
        str | None, Meta(description="Of the timeline, `after` which further upcoming ones are.")
    ]
    floating_cursor: Annotated[
        str | None, Meta(description="Of further ones without a day; null at the end.")
    ]


class HangoutTimelineView(Struct, frozen=True):
    """Hangouts in the order of their start."""

    items: list[HangoutView]
    earlier_cursor: Annotated[str | None, Meta(description="Null where nothing is earlier.")]
    later_cursor: Annotated[str | None, Meta(description="Null where nothing is later.")]


class TimelinePaging(Struct, frozen=True, forbid_unknown_fields=True):
    """Which part of a timeline; without a cursor, what has begun by now."""

    before: Annotated[Cursor | None, Meta(description="An `earlier_cursor`.")] = None
    after: Annotated[Cursor | None, Meta(description="A `later_cursor`.")] = None
    limit: Limit = 50


class FloatingPaging(Struct, frozen=True, forbid_unknown_fields=True):
    """Which part of what has no day yet."""

    cursor: Annotated[Cursor, Meta(description="A `floating_cursor` or `next_cursor`.")]
    limit: Limit = 50


class MonthParameters(Struct, frozen=True, forbid_unknown_fields=True):
    """Which month, and where."""

    month: Annotated[str, Meta(max_length=20, description="Such as `2026-05`.")]
    time_zone: Annotated[
        Annotated[str, Meta(max_length=100)] | None,
        Meta(description="Such as `Europe/Paris`; left out: that of one’s account."),
    ] = None


@api.get(f"{addresses.GROUP}/feed", Need.SIGNED_IN, errors=(304, 404))
async def get_group_feed(
    ctx: Ctx, member: Member, group_id: str, if_none_match: IfNoneMatch
) -> JsonResponse[HangoutFeedView]:
    """Get a group’s feed: what is on, comes up, and has no day yet."""
    found = await lists.group_feed(ctx, member, group_id)
    return tagged(_feed(ctx, found.sections), unless=if_none_match)


@api.get(f"{addresses.GROUP}/timeline", Need.SIGNED_IN)
async def get_group_timeline(
    ctx: Ctx, member: Member, scope: ListScope, paging: TimelinePaging
) -> HangoutTimelineView:
    """Get part of a group’s timeline, before or after a cursor."""
    return await _timeline(ctx, member, paging, scope)


@api.get(f"{addresses.GROUP}/floating", Need.SIGNED_IN)
async def list_floating_of_group(
    ctx: Ctx, member: Member, group_id: str, paging: FloatingPaging
) -> PagedList[HangoutView]:
    """List further hangouts of a group without a day."""
    found = await lists.group_floating(
        ctx, member, group_id, cursor=paging.cursor, limit=paging.limit
    )
    return _floating(ctx, found)


@api.get(f"{addresses.GROUP}/month", Need.SIGNED_IN, errors=(404, 422))
async def get_month_of_group(
    ctx: Ctx, member: Member, scope: ListScope, wanted: MonthParameters
) -> PagedList[HangoutView]:
    """List all hangouts of a group in one month."""
    return await _month(ctx, member, wanted, scope)


@api.get(f"{addresses.ROOM}/upcoming", Need.SIGNED_IN, errors=(304,))
async def get_upcoming_hangouts(
    ctx: Ctx, member: Member, scope: ListScope, if_none_match: IfNoneMatch
) -> JsonResponse[HangoutFeedView]:
    """Get what is on, comes up and has no day yet, over all one’s groups and invitations."""
    found = await lists.upcoming(ctx, member, scope)
    return tagged(_feed(ctx, found), unless=if_none_match)


@api.get(f"{addresses.ROOM}/timeline", Need.SIGNED_IN, errors=())
async def get_my_timeline(
    ctx: Ctx, member: Member, scope: ListScope, paging: TimelinePaging
) -> HangoutTimelineView:
    """Get part of one’s own timeline, before or after a cursor."""
    return await _timeline(ctx, member, paging, scope)


@api.get(f"{addresses.ROOM}/floating", Need.SIGNED_IN, errors=())
async def list_my_floating_hangouts(
    ctx: Ctx, member: Member, paging: FloatingPaging
) -> PagedList[HangoutView]:
    """List further hangouts without a day, over all one’s groups and invitations."""
    found = await lists.floating(ctx, member, cursor=paging.cursor, limit=paging.limit)
    return _floating(ctx, found)


@api.get(f"{addresses.ROOM}/month", Need.SIGNED_IN, errors=(422,))
async def get_my_month(
    ctx: Ctx, member: Member, scope: ListScope, wanted: MonthParameters
) -> PagedList[HangoutView]:
    """List all one’s hangouts in one month."""
    return await _month(ctx, member, wanted, scope)


def _feed(ctx: Context, found: Sections) -> HangoutFeedView:
    def shown(section: list[HangoutRow]) -> list[HangoutView]:
        return [list_item(ctx.now, one) for one in section]

    return HangoutFeedView(
        shown(found.in_progress),
        shown(found.upcoming),
        shown(found.floating),
        found.has_earlier,
        found.later,
        found.more_floating,
    )


async def _timeline(
    ctx: Context, member: User, paging: TimelinePaging, scope: Scope
) -> HangoutTimelineView:
    if paging.before is not None and paging.after is not None:
        raise BadRequest("Give `before` or `after`, not both.", field="after")
    found: Stretch = await lists.stretch(
        ctx,
        member,
        scope,
        before=paging.before,
        after=paging.after,
        limit=paging.limit,
    )
    items = [list_item(ctx.now, one) for one in found.items]
    return HangoutTimelineView(items, found.earlier, found.later)


def _floating(ctx: Context, found: FloatingPage) -> PagedList[HangoutView]:
    return PagedList([list_item(ctx.now, one) for one in found.items], found.cursor)


async def _month(
    ctx: Context, member: User, wanted: MonthParameters, scope: Scope
) -> PagedList[HangoutView]:
    first, end = month_bounds(wanted.month, wanted.time_zone or ctx.person.time_zone)
    found = await lists.month(ctx, member, scope, first, end)
    return PagedList([list_item(ctx.now, one) for one in found], None)
