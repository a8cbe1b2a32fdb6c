"""Households."""

from __future__ import annotations

import time
from typing import Annotated

from msgspec import UNSET, Meta, Struct

from commonroom.movienight.api import views
from commonroom.movienight.api.asking import seat_of
from commonroom.movienight.api.bodies import HouseholdChange, NewHousehold
from commonroom.movienight.service import households, members
from commonroom.store import ConditionFailed
from commonroom.web.access import Need
from commonroom.web.etags import IfMatch, IfNoneMatch, as_read, changed, check_match, tagged
from commonroom.web.json_responses import JsonResponse
from commonroom.web.operations import delete, get, part, patch, post
from commonroom.web.request import Request

ONE = "/households/{group_id:str}"


class Typed(Struct, forbid_unknown_fields=True):
    """What somebody typed to confirm."""

    name: Annotated[str, Meta(max_length=200, description="The household’s name, to confirm.")] = ""


@post("/households", Need.THEMSELVES, errors=(409,))
async def create_household(request: Request, new: NewHousehold) -> JsonResponse[views.Household]:
    """Create a household.

    Whoever creates it is its creator and first member; nobody is in two households.
    """
    group = await households.create_household(
        request.store,
        time.time(),
        request.person,
        name=new.name,
        services=new.streaming_services,
    )
    return tagged(views.household(group), status=201)


@get(ONE, Need.SIGNED_IN, errors=(304, 404))
async def get_household(
    request: Request, group_id: str, if_none_match: IfNoneMatch
) -> JsonResponse[views.Household]:
    """Get one's household."""
    seat = await seat_of(request, group_id)
    return tagged(views.household(seat.group), unless=if_none_match)


@patch(ONE, Need.THEMSELVES, errors=(404, 412))
async def change_household(
    request: Request, group_id: str, if_match: IfMatch, change: HouseholdChange
) -> JsonResponse[views.Household]:
    """Change a household.

    What is left out stays as it is.
    """
    seat = await seat_of(request, group_id)
    check_match(if_match, views.household(seat.group))
    try:
        group = await households.change_household(
            request.store,
            time.time(),
            seat,
            name=None if change.name is UNSET else change.name,
            services=None if change.streaming_services is UNSET else change.streaming_services,
            votes_are_open=None if change.votes_are_open is UNSET else change.votes_are_open,
            if_=None if if_match is None else as_read(seat.group, "version"),
        )
    except ConditionFailed:
        raise changed() from None
    return tagged(views.household(group))


@delete(ONE, Need.THEMSELVES, errors=(404, 409, 422))
async def delete_household(request: Request, group_id: str, typed: Typed) -> JsonResponse[None]:
    """Delete a household.

    Its creator may, and gives its name to be sure. Everything that belongs to it goes.
    """
    seat = await seat_of(request, group_id)
    await households.delete_household(request.store, time.time(), seat, typed.name)
    return JsonResponse(None)


@post(f"{ONE}/leave", Need.THEMSELVES, errors=(404, 409))
async def leave_household(request: Request, group_id: str) -> JsonResponse[None]:
    """Leave one's household.

    One's managed members leave along. Where the creator leaves, the longest-standing member with a
    login takes over; with the last of them, the household ends.
    """
    await members.leave(request.store, time.time(), await seat_of(request, group_id))
    return JsonResponse(None)


OPERATIONS = part(
    "Movie night: households",
    create_household,
    get_household,
    change_household,
    delete_household,
    leave_household,
)
