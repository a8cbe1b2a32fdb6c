"""Households: made, changed, deleted."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any
from uuid import uuid4

from commonroom.accounts.context import Context
from commonroom.errors import Forbidden, InvalidField, NotFound
from commonroom.moments import iso
from commonroom.movienight.rules import households as rules
from commonroom.movienight.service import retry
from commonroom.movienight.service.household_context import HouseholdContext
from commonroom.movienight.service.members import (
    departure_writes,
    join_refusal,
    read_household,
    set_household,
)
from commonroom.movienight.tables import Household, HouseholdMembership, group_by_id
from commonroom.store import Condition, ConditionFailed, check, create, stored, update


async def create_household(ctx: Context, *, name: str, services: Collection[str] = ()) -> Household:
    """Creates a household, with the person as its creator and first member."""
    if ctx.person.is_managed:
        raise Forbidden("A managed member is in the household of the person who manages them.")
    group = Household(
        group_id=str(uuid4()),
        name=rules.clean_household_name(name),
        created_by=ctx.person.user_id,
        streaming_services=rules.clean_services(services),
        created_at=iso(ctx.now),
        member_count=1,
        member_ids=[ctx.person.user_id],
    )
    first = HouseholdMembership(
        group_id=group.group_id, user_id=ctx.person.user_id, role="creator", joined_at=iso(ctx.now)
    )
    try:
        await ctx.store.write(
            set_household(ctx.person, group.group_id), create(group), create(first)
        )
    except ConditionFailed as failed:
        raise join_refusal(failed) from None
    return group


async def change_household(
    ctx: HouseholdContext,
    *,
    name: str | None = None,
    services: Collection[str] | None = None,
    votes_are_open: bool | None = None,
    if_: Condition | None = None,
) -> Household:
    """Changes what is given and leaves the rest; nothing where `if_` does not hold."""
    if ctx.is_acting:
        raise Forbidden("A managed member cannot change the household.")
    changes: dict[str, Any] = {"updated_at": iso(ctx.now)}
    if name is not None:
        changes["name"] = rules.clean_household_name(name)
    if services is not None:
        changes["streaming_services"] = rules.clean_services(services)
    if votes_are_open is not None:
        changes["votes_are_open"] = votes_are_open
    own = HouseholdMembership.at(group_id=ctx.group_id, user_id=ctx.member_id)
    try:
        await ctx.store.write(check(own, if_=stored), update(ctx.group.ref, if_=if_, **changes))
    except ConditionFailed as failed:
        if failed.index == 1 and failed.item is not None:
            raise  # the caller's own condition, which the caller can put into words
        raise _not_there() from None
    group = await ctx.store.get(group_by_id(group_id=ctx.group_id))
    if group is None:
        raise _not_there()
    return group


@retry
async def delete_household(ctx: HouseholdContext, typed: str) -> None:
    """Deletes a household for its creator, who types its name to confirm.

    Everybody in it is without a household at once; its rounds and films are cleared up after that.
    """
    household = await read_household(ctx.store, ctx.group_id)
    if ctx.member_id != household.group.created_by:
        raise Forbidden("Only the household’s creator can delete it.")
    if not rules.is_same_name(typed, household.group.name):
        raise InvalidField("typed", f"Type “{household.group.name}” to confirm.")
    everybody = [one.user_id for one in household.members]
    if writes := departure_writes(ctx.now, household, everybody):
        await ctx.store.write(*writes)


def _not_there() -> NotFound:
    return NotFound("This household does not exist, or you are no longer in it.")
