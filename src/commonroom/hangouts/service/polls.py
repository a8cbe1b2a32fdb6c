"""Polls: made, changed and deleted, and the options that people add."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.errors import Conflict, FieldErrors, Forbidden, InvalidField, NotFound
from commonroom.hangouts.rules import polls as rules
from commonroom.hangouts.rules.ids import time_ordered_id
from commonroom.hangouts.rules.polls import TypedHangoutPollOption
from commonroom.hangouts.service.access import HangoutAccess, open_hangout, open_thing, retry
from commonroom.hangouts.service.rsvps import check_open
from commonroom.hangouts.tables import Hangout, HangoutPoll, HangoutPollOption, PollSubject
from commonroom.moments import iso, seconds
from commonroom.store import (
    Ref,
    Write,
    delete,
    discard,
    equal,
    insert,
    merge,
    put,
    remove,
    update,
    update_with_copies,
)
from commonroom.timers import Timer, timer

DEADLINE = "hangouts-poll-deadline"
"""The timer that closes a poll."""
OPEN_POLL: dict[PollSubject, str] = {"TIME": "time_poll_id", "PLACE": "place_poll_id"}
"""Where a hangout says which poll of a subject is open; there is one at a time."""


class TypedHangoutPoll(Struct, frozen=True, kw_only=True):
    """A poll as entered."""

    subject: PollSubject
    title: str | None = None
    options: Sequence[TypedHangoutPollOption] = ()
    others_add_options: bool = True
    deadline: str | None = None


@retry
async def create_poll(ctx: Context, hangout_id: str, typed: TypedHangoutPoll) -> HangoutPoll:
    """Creates a poll with its options and its deadline: two reads and one write."""
    poll = _new_poll(ctx, hangout_id, typed)

    access = (await open_hangout(ctx, hangout_id)).editable()
    hangout = access.hangout
    check_open(hangout, ctx.now)
    named = OPEN_POLL.get(poll.subject)
    open_poll = None if named is None else getattr(hangout, named)
    if open_poll is not None:
        raise Conflict("There is already a poll about this. Vote there.", poll_id=open_poll)
    condition = equal(version=hangout.version)
    fields: dict[str, Any] = {"open_polls": merge({poll.poll_id: poll.subject})}
    if named is not None:
        condition = condition & equal(**{named: None})
        fields[named] = poll.poll_id
    await ctx.store.write(
        *insert(poll, on=[hangout]),
        *update_with_copies(hangout, if_=condition, **fields),
        *deadline_changes(None, poll),
        *access.still_allowed,
    )
    return poll


def _new_poll(ctx: Context, hangout_id: str, typed: TypedHangoutPoll) -> HangoutPoll:
    errors = FieldErrors()
    title = errors.check(rules.poll_title, typed.subject, typed.title)
    deadline = errors.check(rules.poll_deadline, typed.deadline, ctx.now)
    me, zone = ctx.person.user_id, ctx.person.time_zone
    made = [
        errors.check(rules.new_option, typed.subject, one, me, zone, ctx.now)
        for one in typed.options[: rules.MAX_OPTIONS + 1]
    ]
    errors.raise_if_any()
    options: list[HangoutPollOption] = []
    for one in made:
        options = rules.with_option(options, one)
    if len(options) < (1 if typed.others_add_options else 2):
        raise InvalidField("options", "Give people something to choose from.")
    return HangoutPoll(
        hangout_id=hangout_id,
        poll_id=time_ordered_id(ctx.now),
        title=title,
        subject=typed.subject,
        others_add_options=typed.others_add_options,
        deadline=deadline,
        options=options,
        created_by=me,
        created_at=iso(ctx.now),
    )


async def change_poll(ctx: Context, ref: Ref[HangoutPoll], given: Mapping[str, Any]) -> HangoutPoll:
    """Changes what a poll asks, who adds options, or its deadline; None clears a field."""

    def change(access: HangoutAccess, poll: HangoutPoll) -> dict[str, Any]:
        _check_owner(ctx, access, poll)
        errors = FieldErrors()
        fields = dict(given)
        if "title" in given:
            fields["title"] = errors.check(rules.poll_title, poll.subject, given["title"])
        if "deadline" in given:
            fields["deadline"] = errors.check(rules.poll_deadline, given["deadline"], ctx.now)
            fields["overdue_at"] = None
        errors.raise_if_any()
        return fields

    return await _edit(ctx, ref, change)


async def add_option(
    ctx: Context, ref: Ref[HangoutPoll], typed: TypedHangoutPollOption
) -> HangoutPoll:
    """One more option, where others than its maker may add them: two reads and one write."""

    def change(access: HangoutAccess, poll: HangoutPoll) -> dict[str, Any]:
        access.extendable()
        if not (poll.others_add_options or _is_its_own(ctx, access, poll)):
            raise Forbidden("Only whoever made this poll adds options.")
        rules.check_takes_votes(poll, ctx.now)
        me, zone = ctx.person.user_id, ctx.person.time_zone
        option = rules.new_option(poll.subject, typed, me, zone, ctx.now)
        return {"options": rules.with_option(poll.options, option)}

    return await _edit(ctx, ref, change)


async def remove_option(ctx: Context, ref: Ref[HangoutPoll], option_id: str) -> HangoutPoll:
    """Removes an option with its votes: the person who added it and the poll's maker may."""

    def change(access: HangoutAccess, poll: HangoutPoll) -> dict[str, Any]:
        option = next((one for one in poll.options if one.option_id == option_id), None)
        if option is None:
            raise NotFound("This option does not exist any more.")
        if option.created_by != ctx.person.user_id:
            _check_owner(ctx, access, poll)
        if len(poll.options) == 1:
            raise Conflict("A poll has at least one option. You can delete the poll.")
        return {"options": [one for one in poll.options if one.option_id != option_id]}

    return await _edit(ctx, ref, change)


@retry
async def _edit(
    ctx: Context,
    ref: Ref[HangoutPoll],
    change: Callable[[HangoutAccess, HangoutPoll], dict[str, Any]],
) -> HangoutPoll:
    access, before = await open_thing(ctx, ref)
    check_open(access.hangout, ctx.now)
    if before.closed_at is not None:
        raise Conflict("This poll is closed.")
    fields = change(access, before)
    after = replace(before, **fields)
    if after == before:
        return before
    kept = {one.option_id for one in after.options}
    gone = [one.option_id for one in before.options if one.option_id not in kept]
    if gone:
        keys = [rules.tally_key(one, vote) for one in gone for vote in rules.VOTES]
        fields["tallies"] = discard(*keys)
        left = {key: votes for key, votes in before.tallies.items() if key not in keys}
        after = replace(after, tallies=left)
    await ctx.store.write(
        update(before, **fields), *deadline_changes(before, after), *access.unchanged
    )
    return replace(after, version=before.version + 1)


@retry
async def delete_poll(ctx: Context, ref: Ref[HangoutPoll]) -> None:
    """Deletes a poll; its ballots are cleared up after that. Two reads and one write."""
    access, poll = await open_thing(ctx, ref)
    _check_owner(ctx, access, poll)
    await ctx.store.write(
        *remove(poll, if_=equal(version=poll.version)),
        *no_longer_open(access.hangout, poll),
        *deadline_changes(poll, None),
        *access.still_allowed,
    )


def no_longer_open(hangout: Hangout, poll: HangoutPoll, **fields: Any) -> Sequence[Write]:
    """That a hangout has no such poll open any more, on all its pointers; it is no edit of it."""
    condition = equal(version=hangout.version)
    fields["open_polls"] = discard(poll.poll_id)
    named = OPEN_POLL.get(poll.subject)
    if named is not None and getattr(hangout, named) == poll.poll_id:
        condition = condition & equal(**{named: poll.poll_id})
        fields[named] = None
    return update_with_copies(hangout, if_=condition, **fields)


def deadline_changes(before: HangoutPoll | None, after: HangoutPoll | None) -> list[Write]:
    """Sets the timer of a poll's deadline, and takes an earlier one back."""
    old, new = _deadline_timer(before), _deadline_timer(after)
    if old == new:
        return []
    writes = [] if old is None else [delete(old)]
    return writes if new is None else [*writes, put(new)]


def _deadline_timer(poll: HangoutPoll | None) -> Timer | None:
    if poll is None or poll.deadline is None:
        return None
    about = {"hangout_id": poll.hangout_id, "poll_id": poll.poll_id}
    return timer(DEADLINE, seconds(poll.deadline), about)


def _is_its_own(ctx: Context, access: HangoutAccess, poll: HangoutPoll) -> bool:
    mine = poll.created_by == ctx.person.user_id and access.standing.may_edit
    return mine or access.standing.may_manage


def _check_owner(ctx: Context, access: HangoutAccess, poll: HangoutPoll) -> None:
    if not _is_its_own(ctx, access, poll):
        raise Forbidden("Only whoever made this poll, or manages the hangout, can do this.")
