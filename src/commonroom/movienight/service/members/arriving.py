"""Coming into a household."""

from __future__ import annotations

from commonroom.accounts.service.profiles import managed_by, managed_writes, not_managed
from commonroom.accounts.tables import Ceiling, User
from commonroom.errors import CommonroomError, Conflict, Forbidden, NotFound
from commonroom.moments import iso
from commonroom.movienight.rules.households import MOST_MEMBERS
from commonroom.movienight.service.retry import retry
from commonroom.movienight.service.seats import Seat
from commonroom.movienight.tables import Group, Membership
from commonroom.store import (
    ConditionFailed,
    Store,
    Write,
    absent,
    add,
    below,
    check,
    create,
    stored,
    update,
)


async def add_managed(
    store: Store,
    now: float,
    seat: Seat,
    *,
    display_name: str,
    avatar_key: str | None = None,
    ceiling: Ceiling = "PG",
) -> User:
    """A new managed member of the person's, right in the household."""
    _check_not_acting(seat)
    member, made = managed_writes(
        now,
        seat.person,
        display_name=display_name,
        avatar_key=avatar_key,
        ceiling=ceiling,
        household_id=seat.group_id,
    )
    try:
        await store.write(_with_parent(seat), *takes_seat(now, seat.group_id, member), *made)
    except ConditionFailed as failed:
        if failed.operation in made:
            raise not_managed(failed) from None
        raise not_let_in(failed) from None
    return member


async def bring_along(store: Store, now: float, seat: Seat, member_id: str) -> None:
    """Brings a managed member of the person's, who is in no household yet, into theirs."""
    _check_not_acting(seat)
    member = await managed_by(store, seat.person, member_id)
    try:
        await store.write(
            _with_parent(seat),
            moves_in(member, seat.group_id),
            *takes_seat(now, seat.group_id, member),
        )
    except ConditionFailed as failed:
        raise not_let_in(failed) from None


def moves_in(user: User, group_id: str) -> Write:
    """That a person has a household now, if they have none yet: what holds the rule of one."""
    return update(user.ref, household_id=group_id, if_=absent("household_id"))


def takes_seat(now: float, group_id: str, user: User) -> list[Write]:
    """That a household has a member more, if there is room."""
    return [
        update(
            Group.at(group_id=group_id),
            member_count=add(1),
            updated_at=iso(now),
            if_=below(member_count=MOST_MEMBERS),
        ),
        create(
            Membership(
                group_id=group_id,
                user_id=user.user_id,
                member_type="managed" if user.is_managed else "independent",
                joined_at=iso(now),
            )
        ),
    ]


def not_let_in(failed: ConditionFailed) -> CommonroomError:
    """Why somebody could not come into a household."""
    kind = failed.operation.entity_type
    if kind is User:
        if failed.item is None:
            return NotFound("This account was deleted.")
        return Conflict("You can only be in one household. Leave your current one first.")
    if kind is Group:
        if failed.item is None:
            return NotFound("This household was deleted.")
        return Conflict(f"This household is full ({MOST_MEMBERS} members).")
    if failed.item is None:
        return NotFound("You are no longer in this household.")
    return retry.conflict()  # a seat of somebody whose account was deleted is still being cleared


def _check_not_acting(seat: Seat) -> None:
    if seat.is_acting:
        raise Forbidden("A managed member cannot add others. Switch back to your own profile.")


def _with_parent(seat: Seat) -> Write:
    """That the person is in the household when their managed member comes."""
    membership = Membership.at(group_id=seat.group_id, user_id=seat.person.user_id)
    return check(membership, if_=stored)
