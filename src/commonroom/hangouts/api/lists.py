"""Lists of hangouts: a group's feed, one's own, what is over, what floats, and a month."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.errors import BadRequest
from commonroom.hangouts.api import groups, hangouts, views
from commonroom.hangouts.request import Member
from commonroom.hangouts.rules.months import month_bounds
from commonroom.hangouts.service import lists
from commonroom.hangouts.service.listing import HangoutRow as ListedHangout
from commonroom.hangouts.service.listing import Scope, group_scope, own_scope
from commonroom.hangouts.service.lists import FloatingPage, Sections, Stretch
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.etags import IfNoneMatch, tagged
from commonroom.http.operations import Operations
from commonroom.http.paging import MAX_CURSOR, PagedList
from commonroom.http.responses import JsonResponse

Cursor = Annotated[str, Meta(max_length=MAX_CURSOR, pattern="^[A-Za-z0-9_-]*$")]
Limit = Annotated[int, Meta(ge=1, le=100, description="Maximum number of items.")]


api = Operations("Hangouts: lists", errors=(404,))


class HangoutFeedView(Struct, frozen=True):
    """Hangouts by where they stand."""

    in_progress: list[views.HangoutView]
    upcoming: list[views.HangoutView]
    floating: Annotated[
        list[views.HangoutView],
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

    items: list[views.HangoutView]
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


@api.get(f"{groups.ONE}/feed", Need.SIGNED_IN, errors=(304, 404))
async def get_group_feed(
    ctx: Ctx, member: Member, group_id: str, if_none_match: IfNoneMatch
) -> JsonResponse[HangoutFeedView]:
    """Get a group’s feed: what is on, comes up, and has no day yet."""
    found = await lists.group_feed(ctx, member, group_id)
    return tagged(_feed(ctx, found.sections), unless=if_none_match)


@api.get(f"{groups.ONE}/timeline", Need.SIGNED_IN)
async def get_group_timeline(
    ctx: Ctx, member: Member, group_id: str, paging: TimelinePaging
) -> HangoutTimelineView:
    """Get part of a group’s timeline, before or after a cursor."""
    return await _timeline(ctx, member, paging, await group_scope(ctx, group_id))


@api.get(f"{groups.ONE}/floating", Need.SIGNED_IN)
async def list_floating_of_group(
    ctx: Ctx, member: Member, group_id: str, paging: FloatingPaging
) -> PagedList[views.HangoutView]:
    """List further hangouts of a group without a day."""
    found = await lists.group_floating(
        ctx, member, group_id, cursor=paging.cursor, limit=paging.limit
    )
    return _floating(ctx, found)


@api.get(f"{groups.ONE}/month", Need.SIGNED_IN, errors=(404, 422))
async def get_month_of_group(
    ctx: Ctx, member: Member, group_id: str, wanted: MonthParameters
) -> PagedList[views.HangoutView]:
    """List all hangouts of a group in one month."""
    return await _month(ctx, member, wanted, await group_scope(ctx, group_id))


@api.get(f"{hangouts.ALL}/upcoming", Need.SIGNED_IN, errors=(304,))
async def get_upcoming_hangouts(
    ctx: Ctx, member: Member, if_none_match: IfNoneMatch
) -> JsonResponse[HangoutFeedView]:
    """Get what is on, comes up and has no day yet, over all one’s groups and invitations."""
    found = await lists.upcoming(ctx, member, await own_scope(ctx))
    return tagged(_feed(ctx, found), unless=if_none_match)


@api.get(f"{hangouts.ALL}/timeline", Need.SIGNED_IN, errors=())
async def get_my_timeline(ctx: Ctx, member: Member, paging: TimelinePaging) -> HangoutTimelineView:
    """Get part of one’s own timeline, before or after a cursor."""
    return await _timeline(ctx, member, paging, await own_scope(ctx))


@api.get(f"{hangouts.ALL}/floating", Need.SIGNED_IN, errors=())
async def list_my_floating_hangouts(
    ctx: Ctx, member: Member, paging: FloatingPaging
) -> PagedList[views.HangoutView]:
    """List further hangouts without a day, over all one’s groups and invitations."""
    found = await lists.floating(ctx, member, cursor=paging.cursor, limit=paging.limit)
    return _floating(ctx, found)


@api.get(f"{hangouts.ALL}/month", Need.SIGNED_IN, errors=(422,))
async def get_my_month(
    ctx: Ctx, member: Member, wanted: MonthParameters
) -> PagedList[views.HangoutView]:
    """List all one’s hangouts in one month."""
    return await _month(ctx, member, wanted, await own_scope(ctx))


def _feed(ctx: Context, found: Sections) -> HangoutFeedView:
    def shown(section: list[ListedHangout]) -> list[views.HangoutView]:
        return [views.list_item(ctx.now, one) for one in section]

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
    items = [views.list_item(ctx.now, one) for one in found.items]
    return HangoutTimelineView(items, found.earlier, found.later)


def _floating(ctx: Context, found: FloatingPage) -> PagedList[views.HangoutView]:
    return PagedList([views.list_item(ctx.now, one) for one in found.items], found.cursor)


async def _month(
    ctx: Context, member: User, wanted: MonthParameters, scope: Scope
) -> PagedList[views.HangoutView]:
    first, end = month_bounds(wanted.month, wanted.time_zone or ctx.person.time_zone)
    found = await lists.month(ctx, member, scope, first, end)
    return PagedList([views.list_item(ctx.now, one) for one in found], None)
