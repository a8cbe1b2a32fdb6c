"""The bring list: things, and who brings how many of them."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from commonroom.hangouts.api import bring_list_views as views
from commonroom.hangouts.api.hangouts import ONE
from commonroom.hangouts.request import BringItemRef, Member
from commonroom.hangouts.rules.bring_list import MAX_NAME, MAX_NEEDED, MAX_NOTE
from commonroom.hangouts.service import bring_list
from commonroom.hangouts.service.bring_list import TypedBringItem
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.bodies import Body
from commonroom.http.operations import Operations

ALL = f"{ONE}/bring-list"
ITEM = f"{ALL}/{{bring_item_id:str}}"
CLAIM = f"{ITEM}/claim"

Name: TypeAlias = Annotated[str, Meta(max_length=1000, description=f"1 to {MAX_NAME} characters.")]
Note: TypeAlias = Annotated[
    str, Meta(max_length=1000, description=f"At most {MAX_NOTE} characters.")
]
Number: TypeAlias = Annotated[int, Meta(description=f"1 to {MAX_NEEDED}.")]


api = Operations("Hangouts: bring list", errors=(404, 409, 429))


class NewBringItem(Body):
    """Something to bring."""

    name: Name
    note: Note | None = None
    needed: Number = 1


class BringItemChange(Body):
    """Changes of it; what is left out stays as it is, null clears it."""

    name: Name | UnsetType = UNSET
    note: Note | UnsetType | None = UNSET
    needed: Number | UnsetType = UNSET


class ClaimGiven(Body):
    """How many one brings."""

    number: Number = 1


@api.post(ALL, Need.NOT_ACTING)
async def add_bring_item(ctx: Ctx, hangout_id: str, new: NewBringItem) -> views.BringItemView:
    """Put something on the list; members of the hangout’s groups and who is invited may."""
    typed = TypedBringItem(**msgspec.structs.asdict(new))
    return views.bring_item(await bring_list.add_item(ctx, hangout_id, typed))


@api.patch(ITEM, Need.NOT_ACTING)
async def change_bring_item(
    ctx: Ctx, item: BringItemRef, change: BringItemChange
) -> views.BringItemView:
    """Change something on the list; members and the person who added it may.

    409 says in `claimed` where more are claimed than are to be needed.
    """
    sent = msgspec.structs.asdict(change)
    named = {name: value for name, value in sent.items() if value is not UNSET}
    return views.bring_item(await bring_list.change_item(ctx, item, named))


@api.delete(ITEM, Need.NOT_ACTING)
async def remove_bring_item(ctx: Ctx, item: BringItemRef) -> None:
    """Take something off the list; members and the person who added it may."""
    await bring_list.remove_item(ctx, item)


@api.put(CLAIM, Need.SIGNED_IN)
async def claim_bring_item(
    ctx: Ctx, member: Member, item: BringItemRef, given: ClaimGiven
) -> views.BringItemView:
    """Say that one brings so many of it, instead of what one said before.

    Where others bring the rest already, 409 says in `left` how many are still needed.
    """
    claimed = await bring_list.claim(ctx, member, item, given.number)
    return views.bring_item(claimed)


@api.delete(CLAIM, Need.SIGNED_IN)
async def unclaim_bring_item(ctx: Ctx, member: Member, item: BringItemRef) -> None:
    """Say that one does not bring it after all."""
    await bring_list.unclaim(ctx, member, item)
