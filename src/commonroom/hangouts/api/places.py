"""Places that groups and persons keep, to be chosen for a hangout."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from commonroom.accounts.api.views import Moment
from commonroom.hangouts import addresses, tables
from commonroom.hangouts.rules import hangouts
from commonroom.hangouts.rules.fields import Link, characters
from commonroom.hangouts.service import places
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.bodies import Body, sent_fields
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList
from commonroom.http.projections import projection

PlaceName: TypeAlias = Annotated[
    str,
    Meta(
        max_length=1000,
        description=f"What it is called, 1 to {hangouts.MAX_PLACE_NAME} characters.",
    ),
]
PlaceAddress: TypeAlias = Annotated[str, characters(hangouts.MAX_ADDRESS, most=2000)]
PlaceNotes: TypeAlias = Annotated[
    str,
    Meta(
        max_length=5000,
        description=f"What helps to find it, at most {hangouts.MAX_PLACE_NOTES} characters.",
    ),
]


api = Operations("Hangouts: places", errors=(404, 409, 429))


class NewPlace(Body):
    """A place to be kept."""

    name: PlaceName
    address: PlaceAddress | None = None
    url: Link | None = None
    notes: PlaceNotes | None = None


class NewOwnPlace(NewPlace):
    """A place of one’s own to be kept."""

    is_home: bool = False


class PlaceChange(Body):
    """Changes of a kept place; what is left out stays as it is, null clears it."""

    name: PlaceName | UnsetType = UNSET
    address: PlaceAddress | UnsetType | None = UNSET
    url: Link | UnsetType | None = UNSET
    notes: PlaceNotes | UnsetType | None = UNSET
    is_archived: Annotated[
        bool | UnsetType, Meta(description="An archived place is no longer offered.")
    ] = UNSET


class OwnPlaceChange(PlaceChange):
    """Changes of a place of one’s own."""

    is_home: Annotated[
        bool | UnsetType, Meta(description="Home, in place of any other; an archived one is none.")
    ] = UNSET


class GroupPlaceView(Struct, frozen=True):
    """A place that a group goes to."""

    place_id: str
    name: str
    address: str | None
    url: str | None
    notes: str | None
    archived_at: Moment | None


class OwnPlaceView(GroupPlaceView, frozen=True):
    """A place of one’s own."""

    is_home: bool


group_place_view = projection(tables.GroupPlace, GroupPlaceView)


own_place_view = projection(
    tables.PersonPlace,
    OwnPlaceView,
    str,
    is_home=lambda place, home: place.place_id == home,
)


@api.get(addresses.PLACES, Need.SIGNED_IN, errors=(404,))
async def list_group_places(ctx: Ctx, group_id: str) -> PagedList[GroupPlaceView]:
    """List a group’s places by name; those that are archived come last."""
    _, found = await places.see_group_places(ctx, group_id)
    return PagedList([group_place_view(one) for one in found], None)


@api.post(addresses.PLACES, Need.NOT_ACTING)
async def add_group_place(ctx: Ctx, group_id: str, new: NewPlace) -> GroupPlaceView:
    """Keep a place for a group; any member may."""
    given = msgspec.structs.asdict(new)
    return group_place_view(await places.add_group_place(ctx, group_id, given))


@api.patch(f"{addresses.PLACES}/{{place_id:str}}", Need.NOT_ACTING)
async def change_group_place(
    ctx: Ctx, group_id: str, place_id: str, change: PlaceChange
) -> GroupPlaceView:
    """Change a group’s place, archive it or bring it back; hangouts keep the words they took."""
    given = sent_fields(change)
    return group_place_view(await places.change_group_place(ctx, group_id, place_id, given))


@api.delete(f"{addresses.PLACES}/{{place_id:str}}", Need.NOT_ACTING)
async def remove_group_place(ctx: Ctx, group_id: str, place_id: str) -> None:
    """Delete a group’s place; one that a hangout has taken is archived instead."""
    await places.remove_group_place(ctx, group_id, place_id)


@api.get(addresses.OWN_PLACES, Need.NOT_ACTING, errors=())
async def list_own_places(ctx: Ctx) -> PagedList[OwnPlaceView]:
    """List one’s own places, home first; those that are archived come last."""
    found = await places.see_own_places(ctx)
    return PagedList([own_place_view(one, found.home_place_id or "") for one in found.places], None)


@api.post(addresses.OWN_PLACES, Need.NOT_ACTING, errors=(409, 429))
async def add_own_place(ctx: Ctx, new: NewOwnPlace) -> OwnPlaceView:
    """Keep a place of one’s own."""
    given: dict[str, Any] = msgspec.structs.asdict(new)
    is_home: bool = given.pop("is_home")
    made = await places.add_own_place(ctx, given, is_home=is_home)
    return own_place_view(made, made.place_id if is_home else "")


@api.patch(f"{addresses.OWN_PLACES}/{{place_id:str}}", Need.NOT_ACTING)
async def change_own_place(ctx: Ctx, place_id: str, change: OwnPlaceChange) -> OwnPlaceView:
    """Change a place of one’s own, make it home, archive it or bring it back."""
    given = sent_fields(change)
    is_home: bool | None = given.pop("is_home", None)
    changed = await places.change_own_place(ctx, place_id, given, is_home=is_home)
    return own_place_view(changed.place, changed.home_place_id or "")


@api.delete(f"{addresses.OWN_PLACES}/{{place_id:str}}", Need.NOT_ACTING)
async def remove_own_place(ctx: Ctx, place_id: str) -> None:
    """Delete a place of one’s own; one that a hangout has taken is archived instead."""
    await places.remove_own_place(ctx, place_id)
