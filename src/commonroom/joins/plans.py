"""Plans: the connection between a thing worth a plan and the room with a form that makes one.

Neither knows the other: one gives the words that a plan of its thing begins with
(`AttachmentKind.draft`), the other declares where plans are made (`Room.plan_form`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

if TYPE_CHECKING:
    from commonroom.http.request import Request
    from commonroom.joins.rooms import Room

PlanForm: TypeAlias = Callable[[str, str], str]
"""The address of a form that plans something with a thing, given its kind and its id."""


MAX_PARTS = 100


class PlanDraft(Struct, frozen=True, kw_only=True):
    """What a plan of a thing begins with."""

    title: str
    description: str = ""
    place: str = ""
    link: str = ""
    start: str | None = None
    """Moments in ISO 8601, with their offsets."""
    end: str | None = None
    parts: tuple[str, ...] = ()
    """What each of several is about, where one could plan them one after the other."""


class PlanLink(Struct, frozen=True):
    """A link to a plan."""

    label: str
    """To be translated."""
    address: str


async def plan_link(request: Request, plan_id: str, kind: str, thing_id: str) -> PlanLink | None:
    """The link to the plan that carries a thing, for those who may have it: two requests."""
    rooms: Sequence[Room] = request.app.state.get("rooms", ())
    for keeper in (one.attachment_keeper for one in rooms if one.attachment_keeper):
        if await keeper.find(request.context, plan_id, kind, thing_id) is not None:
            return PlanLink(keeper.link, keeper.address(plan_id))
    return None


def plan_address(request: Request, kind: str, thing_id: str) -> str | None:
    """Returns where something can be planned with a thing; None where no room plans anything."""
    rooms = request.app.state.get("rooms", ())
    forms: list[PlanForm] = [room.plan_form for room in rooms if room.plan_form is not None]
    return forms[0](kind, thing_id) if forms else None
