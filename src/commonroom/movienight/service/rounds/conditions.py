"""Conditions of a round's writes: what must still hold, and what is said where it does not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from commonroom.errors import CommonroomError, Conflict, Forbidden, NotFound, Refusal
from commonroom.moments import iso
from commonroom.movienight.rules.rounds import (
    FilmNotInRound,
    Status,
    status_of,
    statuses_read_as,
    steers,
)
from commonroom.movienight.service.household_context import HouseholdContext
from commonroom.movienight.tables import Household, HouseholdMembership, Round, Suggestion
from commonroom.store import (
    Condition,
    ConditionFailed,
    Entity,
    Ref,
    Write,
    absent,
    check,
    equal,
    includes,
    one_of,
    stored,
    update,
)

Refusals: TypeAlias = Mapping[type[Entity], Callable[[Any], CommonroomError | None]]
"""Why something cannot be written, by the kind of what stands in its way; None to say nothing."""

MAX_ID = 100

_IN_STATE: Mapping[Status, str] = {
    "draft": "Voting has not started yet.",
    "voting": "Voting is still open.",
    "selected": "A film has already been picked.",
    "watched": "This film has already been watched.",
    "rated": "This movie night is over, and everyone has rated it.",
    "expired": "This movie night is over.",
}


def round_at(round_id: str) -> Ref[Round]:
    """Returns where a round is; what cannot be the id of one is none."""
    # It may come from an address, and a key takes only so much.
    if not 0 < len(round_id) <= MAX_ID or not round_id.isprintable():
        raise no_such_round()
    return Round.at(round_id=round_id)


def no_such_round() -> NotFound:
    """Returns the refusal for a round that is not there, or not this household's."""
    return NotFound("This movie night does not exist in your household.")


def is_in_state(*statuses: Status) -> Condition:
    """That a round is in one of these states, also where an earlier version wrote it."""
    return one_of("status", *statuses_read_as(*statuses))


def is_attended_by(member_id: str) -> Condition:
    """That a member takes part; earlier versions named nobody where everybody does."""
    everybody = absent("attendees") | one_of("attendees", None)
    return includes(attendees=member_id) | everybody


def has_same_attendees(round_: Round) -> Condition:
    """That the same people take part as when a round was read; votes leave this alone."""
    if round_.attendees is None:
        return absent("attendees") | one_of("attendees", None)
    return equal(attendees=round_.attendees)


def is_unchanged(round_: Round) -> Condition:
    """Returns the condition that nothing has happened in a round since it was read."""
    as_read = equal(version=round_.version)
    # Earlier versions did not count what happened.
    return as_read if round_.version else as_read | absent("version")


def member_check(ctx: HouseholdContext) -> Write:
    """Returns the check that the caller is still in the household."""
    return check(HouseholdMembership.at(group_id=ctx.group_id, user_id=ctx.member_id), if_=stored)


def creator_check(ctx: HouseholdContext) -> Write:
    """Returns the check that the caller is still the household's creator."""
    member = HouseholdMembership.at(group_id=ctx.group_id, user_id=ctx.member_id)
    return check(member, if_=equal(role="creator"))


def steering_check(ctx: HouseholdContext, round_: Round) -> Write:
    """Returns the checks that the caller may move a round on: its starter, or the creator."""
    if not steers(ctx.member_id, round_, ctx.group.created_by):
        raise Forbidden(
            "Only the person who started this movie night and the household’s creator can do that."
        )
    return member_check(ctx) if ctx.member_id == round_.started_by else creator_check(ctx)


def check_state(round_: Round, *wanted: Status) -> None:
    """Refuses where a round is in none of these states."""
    if (refusal := _state_refusal(round_, wanted)) is not None:
        raise refusal


def attendance_refusal() -> Forbidden:
    """Returns the refusal for an action that only attendees may take."""
    return Forbidden("Only people who are watching can do that.")


async def write_or_refuse(ctx: HouseholdContext, *writes: Write, refuse: Refusals) -> None:
    """Writes, or says why that cannot be, by what stands where a condition failed.

    Where nothing is said, the failed condition itself goes on: who wants to can try again.
    """
    try:
        await ctx.store.write(*writes)
    except ConditionFailed as failed:
        refusal = refuse.get(failed.operation.entity_type, lambda _: None)(failed.entity)
        if refusal is None:
            raise
        raise refusal from None


async def write_step(
    ctx: HouseholdContext,
    wanted: tuple[Status, ...],
    *writes: Write,
    refuse: Refusals = MappingProxyType({}),
) -> None:
    """Writes a step of a round that is in one of these states, or says why it cannot be.

    Where the round only changed meanwhile, nothing is said.
    """
    refusals: Refusals = {
        Round: lambda found: _round_refusal(found, ctx, wanted),
        Household: household_refusal,
        HouseholdMembership: membership_refusal,
        Suggestion: film_refusal,
    }
    await write_or_refuse(ctx, *writes, refuse={**refusals, **refuse})


async def take_step(
    ctx: HouseholdContext,
    round_: Round,
    state: Status,
    *writes: Write,
    if_: Condition | None = None,
    **changes: Any,
) -> None:
    """Moves a round on that is in a state, for the caller, with whatever is written beside it.

    What holds is that nothing has happened in it since it was read, or else `if_`.
    """
    stepped = update(
        round_.ref,
        **changes,
        moved_by=ctx.person.user_id,
        updated_at=iso(ctx.now),
        if_=if_ or is_in_state(state) & is_unchanged(round_),
    )
    await write_step(ctx, (state,), stepped, *writes)


def _round_refusal(
    found: Round | None, ctx: HouseholdContext, wanted: tuple[Status, ...]
) -> Refusal | None:
    if found is None or found.group_id != ctx.group_id:
        return no_such_round()
    return _state_refusal(found, wanted)


def _state_refusal(round_: Round, wanted: tuple[Status, ...]) -> Conflict | None:
    status = status_of(round_)
    return None if status in wanted else Conflict(_IN_STATE[status], round_status=status)


def film_refusal(found: Suggestion | None) -> Refusal:
    """Why a film could not be voted on or picked, or not be added."""
    if found is None:
        return FilmNotInRound("This film is not in the vote.")
    return Conflict("This film is already in the vote.")


def household_refusal(found: Household | None) -> Refusal:
    """Why a household could not take or lose its open round."""
    if found is None:
        return NotFound("This household was deleted.")
    return Conflict(
        "Another movie night is open. Finish that one first.", active_round_id=found.open_round_id
    )


def membership_refusal(found: HouseholdMembership | None) -> Refusal:
    """Returns why an action is not possible any more."""
    if found is None:
        return NotFound("You are no longer in this household.")
    return Forbidden("Only the household’s creator can do that.")


def set_open_round(now: float, group_id: str, round_id: str) -> Write:
    """Returns the check that a round is the open one, where there is none."""
    group = Household.at(group_id=group_id)
    return update(group, open_round_id=round_id, updated_at=iso(now), if_=absent("open_round_id"))


def clear_open_round(now: float, group_id: str, round_id: str) -> Write:
    """Returns the check that a round is no longer the open one."""
    # Households of earlier versions did not name their open round.
    its_own = equal(open_round_id=round_id) | absent("open_round_id")
    group = Household.at(group_id=group_id)
    return update(group, open_round_id=None, updated_at=iso(now), if_=its_own)
