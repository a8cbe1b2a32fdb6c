"""Plans: the connection between a thing worth a plan and the room with a form that makes one.

Neither knows the other: one gives the words that a plan of its thing begins with
(`AttachmentKind.draft`), the other declares where plans are made (`PlanForm`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

from commonroom.joins.rooms import first_offer

if TYPE_CHECKING:
    from commonroom.http.request import Request

MAX_PARTS = 100


class PlanForm(Struct, frozen=True):
    """Where a room plans something with a thing of another room."""

    address: Callable[[str, str], str]
    """The address of the form, given the kind of the thing and its id."""


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


def plan_address(request: Request, kind: str, thing_id: str) -> str | None:
    """Returns where something can be planned with a thing; None where no room plans anything."""
    form = first_offer(request, PlanForm)
    return None if form is None else form.address(kind, thing_id)
