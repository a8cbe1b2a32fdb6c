"""Households: who lives with a person, where a room knows that."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.joins.rooms import first_offer
from commonroom.store import Store

if TYPE_CHECKING:
    from commonroom.http.request import Request


class HouseholdSource(Struct, frozen=True):
    """A room that knows households."""

    people: Callable[[Store, User], Awaitable[Sequence[User]]]
    """Returns everybody in a person's household, themselves included; none without one."""


async def household_of(request: Request, store: Store, person: User) -> list[User]:
    """Everybody in a person's household, as the first open room knows that has households."""
    source = first_offer(request, HouseholdSource)
    return [] if source is None else [*await source.people(store, person)]
