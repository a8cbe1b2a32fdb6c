"""The bring list: things, and who brings how many of them."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from commonroom.accounts.api.views import Moment
from commonroom.hangouts import addresses, tables
from commonroom.hangouts.request import BringItemRef, Member
from commonroom.hangouts.rules.bring_list import Name, Note, Number
from commonroom.hangouts.service import bring_list
from commonroom.hangouts.service.bring_list import TypedBringItem
from commonroom.hangouts.service.detail import HangoutThings
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.bodies import Body, sent_fields
from commonroom.http.operations import Operations
from commonroom.http.projections import projection

ALL = f"{addresses.HANGOUT}/bring-list"
ITEM = f"{ALL}/{{bring_item_id:str}}"
CLAIM = f"{ITEM}/claim"


api = Operations("Hangouts: bring list", errors=(404, 409, 429))


class NewBringItem(TypedBringItem, Body):
    """Something to bring."""


class BringItemChange(Body):
    """Changes of it; what is left out stays as it is, null clears it."""

    name: Name | UnsetType = UNSET
    note: Note | UnsetType | None = UNSET
    needed: Number | UnsetType = UNSET


class ClaimGiven(Body):
    """How many one brings."""

    number: Number = 1


class BringItemView(Struct, frozen=True, kw_only=True):
    """Something to bring."""

    bring_item_id: str
    name: str
    note: str | None
    needed: int
    claimed: Annotated[
        int, Meta(description="How many of it people bring; never more than needed.")
    ]
    created_by: str
    created_at: Moment


class BringClaimView(Struct, frozen=True):
    """Who brings how many."""

    user_id: str
    name: str | None
    number: int


class WholeBringItem(BringItemView, frozen=True, kw_only=True):
    """Something to bring, and who brings it."""

    claims: list[BringClaimView]


item_view = projection(tables.BringItem, BringItemView)
whole_item = projection(
    tables.BringItem, WholeBringItem, list[BringClaimView], claims=lambda _, claims: claims
)


def items_of(things: HangoutThings) -> list[WholeBringItem]:
    """Returns the whole list, with who brings how many."""
    return [
        whole_item(
            item, [BringClaimView(one.user_id, one.user_name or None, one.number) for one in claims]
        )
        for item, claims in things.each_with(tables.BringItem, tables.BringClaim)
    ]


@api.post(ALL, Need.NOT_ACTING)
async def add_bring_item(ctx: Ctx, hangout_id: str, new: NewBringItem) -> BringItemView:
    """Put something on the list; members of the hangout’s groups and who is invited may."""
    return item_view(await bring_list.add_item(ctx, hangout_id, new))


@api.patch(ITEM, Need.NOT_ACTING)
async def change_bring_item(ctx: Ctx, item: BringItemRef, change: BringItemChange) -> BringItemView:
    """Change something on the list; members and the person who added it may.

    409 says in `claimed` where more are claimed than are to be needed.
    """
    return item_view(await bring_list.change_item(ctx, item, sent_fields(change)))


@api.delete(ITEM, Need.NOT_ACTING)
async def remove_bring_item(ctx: Ctx, item: BringItemRef) -> None:
    """Take something off the list; members and the person who added it may."""
    await bring_list.remove_item(ctx, item)


@api.put(CLAIM, Need.SIGNED_IN)
async def claim_bring_item(
    ctx: Ctx, member: Member, item: BringItemRef, given: ClaimGiven
) -> BringItemView:
    """Say that one brings so many of it, instead of what one said before.

    Where others bring the rest already, 409 says in `left` how many are still needed.
    """
    claimed = await bring_list.claim(ctx, member, item, given.number)
    return item_view(claimed)


@api.delete(CLAIM, Need.SIGNED_IN)
async def unclaim_bring_item(ctx: Ctx, member: Member, item: BringItemRef) -> None:
    """Say that one does not bring it after all."""
    await bring_list.unclaim(ctx, member, item)
