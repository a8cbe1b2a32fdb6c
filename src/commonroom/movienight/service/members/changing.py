"""Changing the managed members of a household."""

from __future__ import annotations

from commonroom.accounts.service.profiles import managed_changes
from commonroom.accounts.tables import Ceiling, User
from commonroom.errors import CommonroomError, Forbidden, NotFound
from commonroom.movienight.rules.households import looks_after
from commonroom.movienight.service.members.listing import member_in, no_such_member
from commonroom.movienight.service.seats import Seat, touched
from commonroom.movienight.tables import Group
from commonroom.store import Condition, ConditionFailed, Store, Write, equal, update


async def change_managed(
    store: Store,
    now: float,
    seat: Seat,
    member_id: str,
    *,
    display_name: str | None = None,
    avatar_key: str | None = None,
    ceiling: Ceiling | None = None,
    if_: Condition | None = None,
) -> User:
    """Changes a managed member, for its parent or the creator; nothing where `if_` fails."""
    member = await member_in(store, seat.group_id, member_id)
    changes = managed_changes(now, display_name, avatar_key, ceiling)
    here = equal(household_id=seat.group_id)
    try:
        await store.write(
            by_who_looks_after(now, seat, member),
            update(member.ref, if_=here if if_ is None else here & if_, **changes),
        )
    except ConditionFailed as failed:
        if failed.index == 1 and failed.entity and failed.entity.household_id == seat.group_id:
            raise  # the caller's own condition, which the caller can put into words
        raise no_longer(failed) from None
    return await member_in(store, seat.group_id, member_id)


def by_who_looks_after(now: float, seat: Seat, member: User) -> Write:
    """That a managed member is changed by somebody who may: the parent, or still the creator."""
    if not looks_after(seat.member_id, seat.group.created_by, member):
        raise Forbidden(
            "Only the person who manages this member, or the household’s creator, can do that."
        )
    return touched(now, seat, by_creator=seat.member_id != member.parent_user_id)


def no_longer(failed: ConditionFailed) -> CommonroomError:
    """Why a member could not be changed by somebody who might have a moment ago."""
    if failed.operation.entity_type is not Group:
        return no_such_member()
    if failed.item is None:
        return NotFound("This household was deleted.")
    return Forbidden("You are no longer the creator of this household.")
