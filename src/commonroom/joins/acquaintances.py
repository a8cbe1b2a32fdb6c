"""Acquaintances: who lives with whom, or shares a group or list with them, as rooms declare it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Coroutine, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from commonroom.accounts.rules import is_user_id
from commonroom.accounts.tables import User
from commonroom.joins.rooms import first_offer, open_offers
from commonroom.store import Store

if TYPE_CHECKING:
    from commonroom.http.request import Request

MAX_LOOKED_UP = 20


class HouseholdSource(Struct, frozen=True):
    """A room that knows households."""

    people: Callable[[Store, User], Awaitable[Sequence[User]]]
    """Returns everybody in a person's household, themselves included; none without one."""


class AcquaintanceSource(Struct, frozen=True):
    """A room that knows with whom a person shares a group, a household or a list."""

    among: Callable[[Store, User, Sequence[User]], Coroutine[Any, Any, Collection[str]]]
    """Returns the ids of those among some people with whom a person shares something of it."""


async def household_of(request: Request, store: Store, person: User) -> list[User]:
    """Everybody in a person's household, as the first open room knows that has households."""
    source = first_offer(request, HouseholdSource)
    return [] if source is None else [*await source.people(store, person)]


async def acquainted(request: Request, user_ids: Sequence[str]) -> set[str]:
    """Those of these people with whom the caller shares something: one read, and each room's.

    Who has blocked the caller is a stranger.
    """
    me, store = request.person, request.store
    others = [one for one in dict.fromkeys(user_ids) if is_user_id(one) and one != me.user_id]
    if not others or len(others) > MAX_LOOKED_UP:
        return set()
    found = await store.batch_get([User.at(user_id=one) for one in others])
    left = [one for one in found if one is not None and me.user_id not in one.blocked]
    known: set[str] = set()
    for source in open_offers(request, AcquaintanceSource):
        if left:
            known |= set(await source.among(store, me, left))
            left = [one for one in left if one.user_id not in known]
    return known
