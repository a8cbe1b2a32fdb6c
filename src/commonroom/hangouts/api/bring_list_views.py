"""What the API shows of the bring list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from msgspec import Meta, Struct

from commonroom.accounts.api.views import Moment
from commonroom.hangouts import tables


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


def bring_item(one: tables.BringItem) -> BringItemView:
    """Returns a thing to bring."""
    return BringItemView(**_fields(one))


def whole_bring_item(one: tables.BringItem, claims: Sequence[tables.BringClaim]) -> WholeBringItem:
    """Returns a whole item, with those of the claims that are its own."""
    own = [
        BringClaimView(claim.user_id, claim.user_name or None, claim.number)
        for claim in claims
        if claim.bring_item_id == one.bring_item_id
    ]
    return WholeBringItem(**_fields(one), claims=own)


def _fields(one: tables.BringItem) -> dict[str, Any]:
    return {name: getattr(one, name) for name in BringItemView.__struct_fields__}
