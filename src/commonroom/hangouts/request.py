"""What pages and API of hangouts take of a request, and how fast people may write."""

from __future__ import annotations

from functools import partial
from typing import Annotated, TypeAlias

from commonroom.accounts.tables import User
from commonroom.hangouts.service.access import no_such
from commonroom.hangouts.service.guests import PURPOSE, GuestLinks, GuestLinkVisitor
from commonroom.hangouts.service.listing import Scope, group_scope, own_scope
from commonroom.hangouts.tables import BringItem, Car, HangoutPoll, Idea, Offer, TalkMessage
from commonroom.http.arguments import From, ref_in_path
from commonroom.http.call_limits import CallLimit, count_call
from commonroom.http.csrf import SAFE
from commonroom.http.request import Request
from commonroom.rate_limits import Rate
from commonroom.settings import secrets_of
from commonroom.store import Entity, Ref

# Behind one address may be a whole family that answers.
WRITES = CallLimit(
    "hangout-writes",
    guest=Rate(burst=60, per_minute=30),
    account=Rate(burst=300, per_minute=120),
)
"""In one process; what must hold exactly is counted in the store."""


def member_of(request: Request) -> User:
    """Whom a request is for: the person, or the managed member whom they act for."""
    return request.caller.member


Member: TypeAlias = Annotated[User, From(member_of)]


def links_of(request: Request) -> GuestLinks:
    """What makes and reads this installation's guest links; made when the first is needed."""
    state = request.app.state
    try:
        links: GuestLinks = state.guest_links
    except AttributeError:
        links = GuestLinks(secrets_of(request.settings).derived(PURPOSE))
        state.guest_links = links
    return links


async def scope_of(request: Request) -> Scope:
    """Returns whose hangouts a list has: those of the group that the path names, or the caller's.

    One request.
    """
    group_id: str | None = request.path_params.get("group_id")
    if group_id is None:
        return await own_scope(request.context)
    return await group_scope(request.context, group_id)


def visible_links_of(request: Request) -> GuestLinks | None:
    """Returns what makes guest links, for a caller who may see them."""
    return links_of(request) if request.caller.may_see_secrets else None


def visitor_of(request: Request) -> GuestLinkVisitor:
    """Returns the person who comes with the guest link that the path names."""
    return GuestLinkVisitor(
        request.store,
        links_of(request),
        request.now,
        request.path_params["token"],
        request.client_address,
        request.caller.account,
    )


def _in_path(entity: type[Entity]) -> From:
    return ref_in_path(entity, partial(no_such, entity))


Links: TypeAlias = Annotated[GuestLinks, From(links_of)]
ListScope: TypeAlias = Annotated[Scope, From(scope_of)]
GuestVisitor: TypeAlias = Annotated[GuestLinkVisitor, From(visitor_of)]
BringItemRef: TypeAlias = Annotated[Ref[BringItem], _in_path(BringItem)]
CarRef: TypeAlias = Annotated[Ref[Car], _in_path(Car)]
IdeaRef: TypeAlias = Annotated[Ref[Idea], _in_path(Idea)]
MessageRef: TypeAlias = Annotated[Ref[TalkMessage], _in_path(TalkMessage)]
OfferRef: TypeAlias = Annotated[Ref[Offer], _in_path(Offer)]
PollRef: TypeAlias = Annotated[Ref[HangoutPoll], _in_path(HangoutPoll)]


async def limit_writes(request: Request) -> None:
    """The guard of the room's routers: counts whatever does not only look."""
    if request.method not in SAFE:
        count_call(request, WRITES)
