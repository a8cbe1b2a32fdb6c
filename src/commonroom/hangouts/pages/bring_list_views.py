"""The bring list as pages show it."""

from __future__ import annotations

from collections import defaultdict

from msgspec import Struct

from commonroom.hangouts.service.detail import HangoutDetail
from commonroom.hangouts.tables import BringClaim, BringItem
from commonroom.http.request import Request
from commonroom.http.words import _, join_names, pluralize


class BringItemCard(Struct, frozen=True, kw_only=True):
    """A thing, how much of it is still needed, and who brings it."""

    item_id: str
    address: str
    name: str
    note: str
    needed: int
    left: int
    mine: int
    people: str
    standing: str
    is_covered: bool
    may_change: bool


def bring_list_of(request: Request, seen: HangoutDetail, address: str) -> list[BringItemCard]:
    """Returns the whole list, in the order in which things were added."""
    claims: dict[str, list[BringClaim]] = defaultdict(list)
    for claim in seen.things.of(BringClaim):
        claims[claim.bring_item_id].append(claim)
    items = seen.things.of(BringItem)
    return [_item(request, seen, one, claims[one.bring_item_id], address) for one in items]


def _item(
    request: Request,
    seen: HangoutDetail,
    one: BringItem,
    claims: list[BringClaim],
    address: str,
) -> BringItemCard:
    left = max(0, one.needed - one.claimed)
    is_theirs = one.created_by == request.person.user_id
    is_acting = request.caller.acting_as is not None
    me = seen.member.user_id
    return BringItemCard(
        item_id=one.bring_item_id,
        address=f"{address}/bring-list/{one.bring_item_id}",
        name=one.name,
        note=one.note or "",
        needed=one.needed,
        left=left,
        mine=next((claim.number for claim in claims if claim.user_id == me), 0),
        people=join_names([_claimer(claim, one.needed) for claim in claims]),
        standing=pluralize("%(n)d still needed", "%(n)d still needed", left) if left else "",
        is_covered=left == 0,
        may_change=(seen.access.standing.may_edit or is_theirs) and not is_acting,
    )


def _claimer(claim: BringClaim, needed: int) -> str:
    name = claim.user_name or _("Former member")
    return name if needed == 1 else f"{name} ({claim.number})"
