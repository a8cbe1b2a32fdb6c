"""Attachments: things of one room that can be attached to a plan of another, declared.

Neither room knows the other: one declares its `AttachmentKind`s and, for workers, their
`AttachableData`, the other an `AttachmentKeeper`.
Whose a thing is decides what is seen of it, for each reader and at the moment they look.
"""

from __future__ import annotations

from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Mapping,
    Sequence,
)
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.joins.plans import PlanDraft, PlanLink
from commonroom.joins.rooms import open_offers
from commonroom.store import Entity, Ref, Store, Write
from commonroom.store.streams import Change

if TYPE_CHECKING:
    from commonroom.http.request import Request
    from commonroom.http.responses import Response

MAX_ID = 100
"""Of what can be attached."""


class AttachmentCard(Struct, frozen=True):
    """A thing as it is attached."""

    thing_id: str
    attached_by: str
    plan_id: str = ""
    """What it is attached to; empty while that is only being offered."""


class ThingView(Struct, frozen=True, kw_only=True):
    """What the reader sees of a thing."""

    title: str
    state: str
    """How it stands, in a line."""
    address: str | None
    """Its page; None where there is none for them now."""
    opens_here: bool = False
    """Whether its page lets them in because they come from the plan."""
    picture: str | None = None
    """The address of a poster."""
    version: str
    """Changes with what is shown; says nothing of what is not."""


class ThingChoice(Struct, frozen=True):
    """Something that the caller can attach."""

    thing_id: str
    title: str
    hint: str


class CarryingPlan(Struct, frozen=True):
    """A plan that carries a thing, as far as the thing's room knows it."""

    plan_id: str
    day: str | None
    """Its date where it takes place, in ISO 8601; None while it has none."""


class Claim(Struct, frozen=True):
    """A thing that the caller may attach, and what must still hold when they do."""

    thing_id: str
    holds: Sequence[Write]
    carried: Callable[[CarryingPlan], Write] | None = None
    """What the thing keeps of the plan, written with the attachment."""


class Beginning(Struct, frozen=True, kw_only=True):
    """How one begins a new thing for a plan, in one press."""

    label: str
    offers: Callable[[Request], bool]
    """Whether the reader could; no request."""
    begin: Callable[[Request, Sequence[str]], Coroutine[Any, Any, str]]
    """Begins it for those who come, as far as they may take part, and returns its id."""


Views: TypeAlias = Mapping[str, ThingView]
"""By the id of the thing; what the reader may not see is missing."""


class AttachmentKind(Struct, frozen=True, kw_only=True):
    """A kind of thing that can be attached. All that reads takes many things at once."""

    key: str
    name: str
    """What one is called."""
    icon: str
    nothing: str
    """What is said to a person who has none to attach."""
    choices: Callable[[Request], Coroutine[Any, Any, Sequence[ThingChoice]]]
    """Returns what the caller can attach, the newest first; never more than a few dozen."""
    claim: Callable[[Request, str], Coroutine[Any, Any, Claim]]
    """Returns the named thing, where it is the caller's to attach; refused with 404 else."""
    load: Callable[[Request, Sequence[AttachmentCard]], Coroutine[Any, Any, Views]]
    """Returns what the reader may see: one request, and one more for what that leads to."""
    versions: Callable[[Store, float, Sequence[str]], Coroutine[Any, Any, Mapping[str, str]]]
    """Returns the versions that `load` does, for a reader who could see all of them."""
    open: Callable[[Request, AttachmentCard], Coroutine[Any, Any, Response[Any]]] | None = None
    """Leads a person of the plan to the thing, and lets them in."""
    beginning: Beginning | None = None
    draft: Callable[[Request, str], Coroutine[Any, Any, PlanDraft]] | None = None
    """Returns what a plan of the thing begins with, for the caller; refused with 404 else."""


class AttachableData(Struct, frozen=True, kw_only=True):
    """What is stored of a kind of thing that can be attached, as far as the house follows it."""

    key: str
    """That of its `AttachmentKind`."""
    follow_plan: Callable[[Store, str, CarryingPlan, bool], Awaitable[None]] | None = None
    """Keeps a plan as it is now with the thing of an id, or forgets it where the plan carries the
    thing no more; twice does no harm."""
    entities: Sequence[type[Entity]]
    """Whose end is the thing's."""
    id_of: Callable[[Any], str]
    """The id under which such an entity is attached."""
    ref: Callable[[str], Ref[Any] | None]
    """Where the entity of an id is; None where the id cannot be one."""


class Carried(Struct, frozen=True):
    """That a plan carries a thing, or no more."""

    kind: str
    thing_id: str
    plan: CarryingPlan
    is_carried: bool


class AttachmentKeeper(Struct, frozen=True, kw_only=True):
    """What keeps attachments."""

    entity: type[Entity]
    thing: Callable[[Any], tuple[str, str]]
    """The kind and the id of what a stored attachment is of."""
    forget: Callable[[Store, str, str], Awaitable[None]]
    """Removes all attachments of a thing that is gone; twice does no harm."""
    removal: Callable[[Any], Sequence[Write]]
    """What removes one attachment."""
    find: Callable[[Context, str, str, str], Awaitable[AttachmentCard | None]]
    """A thing, by its plan, kind and id, as it is attached for a person who may have the plan."""
    link: str
    """The label of a link to a plan."""
    address: Callable[[str], str]
    """The page of a plan."""
    plan_entities: Sequence[type[Entity]]
    """Whose changes may be of interest to what plans carry, the attachments among them."""
    carried_after: Callable[[Store, Change], AsyncIterator[Carried]]
    """What is to be known, after such a change, of the things that a plan carries or carried."""


def kinds_of(request: Request) -> dict[str, AttachmentKind]:
    """Returns every kind that can be attached: those of the rooms that are not switched off."""
    return {one.key: one for one in open_offers(request, AttachmentKind)}


async def plan_link(request: Request, plan_id: str, kind: str, thing_id: str) -> PlanLink | None:
    """Returns the link to the plan of a thing, for those who may have it: two requests."""
    for keeper in open_offers(request, AttachmentKeeper):
        if await keeper.find(request.context, plan_id, kind, thing_id) is not None:
            return PlanLink(keeper.link, keeper.address(plan_id))
    return None
