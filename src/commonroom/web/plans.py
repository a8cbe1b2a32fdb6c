"""Plans: the connection between a thing worth a plan and the room with a form that makes one.

Neither knows the other: one gives the words that a plan of its thing begins with
(`AttachmentKind.draft`), the other declares where plans are made (`Room.plan_form`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

if TYPE_CHECKING:
    from commonroom.web.request import Request

PlanForm: TypeAlias = Callable[[str, str], str]
"""The address of a form that plans something with a thing, given its kind and its id."""


MOST_PARTS = 100


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


def plan_address(request: Request, kind: str, thing_id: str) -> str | None:
    """Where something can be planned with a thing; None where no room plans anything."""
    rooms = request.app.state.get("rooms", ())
    forms: list[PlanForm] = [room.plan_form for room in rooms if room.plan_form is not None]
    return forms[0](kind, thing_id) if forms else None
