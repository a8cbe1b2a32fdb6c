"""What pages and API of hangouts take of a request, and how fast people may write."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from math import ceil
from typing import Annotated, Any, TypeAlias

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from commonroom.accounts.tables import User
from commonroom.errors import RateLimited
from commonroom.hangouts.service.access import no_such
from commonroom.hangouts.service.guests import PURPOSE, GuestLinks, GuestLinkVisitor
from commonroom.hangouts.service.listing import Scope, group_scope, own_scope
from commonroom.hangouts.tables import BringItem, Car, HangoutPoll, Idea, Offer, TalkMessage
from commonroom.http.arguments import From, ref_in_path
from commonroom.http.authentication import Caller
from commonroom.http.client_address import client_of
from commonroom.http.csrf import SAFE
from commonroom.http.request import Request
from commonroom.rate_limits import Rate, RateLimiter, network_of
from commonroom.settings import secrets_of
from commonroom.store import Entity, Ref

GUEST = Rate(burst=60, per_minute=30)
"""From one address, behind which a whole family may be that answers."""
ACCOUNT = Rate(burst=300, per_minute=120)

Connection: TypeAlias = ASGIConnection[Any, Any, Any, Any]


def member_of(request: Request) -> User:
    """Whom a request is for: the person, or the managed member whom they act for."""
    return request.caller.member


Member: TypeAlias = Annotated[User, From(member_of)]


def links_of(request: Request) -> GuestLinks:
    """What makes and reads this installation's guest links; made when the first is needed."""
    state = request.scope["litestar_app"].state
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


class HangoutWriteLimits:
    """The buckets of one process; what must hold exactly is counted in the store."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._guests = RateLimiter(GUEST, clock=clock)
        self._accounts = RateLimiter(ACCOUNT, clock=clock)

    def take(self, account_id: str | None, address: str) -> None:
        """Counts a write of a person; refused where there were too many."""
        if account_id is not None:
            wait = self._accounts.take(account_id)
        else:
            wait = self._guests.take(network_of(address))
        if wait:
            raise RateLimited(ceil(wait))


async def limit_writes(connection: Connection, _: BaseRouteHandler) -> None:
    """The guard of the room's routers: counts whatever does not only look."""
    if connection.scope["method"] in SAFE:  # type: ignore[typeddict-item] # it is no websocket
        return
    caller: Caller = connection.scope["state"]["caller"]
    account_id = None if caller.account is None else caller.account.user_id
    state = connection.scope["litestar_app"].state
    try:
        limits: HangoutWriteLimits = state.hangout_write_limits
    except AttributeError:
        limits = state.hangout_write_limits = HangoutWriteLimits()
    limits.take(account_id, client_of(connection)["address"])
