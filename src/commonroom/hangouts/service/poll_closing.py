"""Closing a poll, by hand or at its deadline: the winner becomes the hangout's time or place."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.errors import Conflict
from commonroom.hangouts.rules import polls as rules
from commonroom.hangouts.rules.momentum import momentum
from commonroom.hangouts.rules.times import takes_answers
from commonroom.hangouts.service.access import open_thing, retry
from commonroom.hangouts.service.pointers import edit_writes
from commonroom.hangouts.service.polls import (
    OPEN_POLL,
    deadline_changes,
    no_longer_open,
)
from commonroom.hangouts.service.rsvps import check_open
from commonroom.hangouts.tables import Hangout, HangoutPoll, HangoutPollOption
from commonroom.moments import iso, seconds
from commonroom.store import Ref, Store, Write, as_read, check, equal, update


class TiedPoll(Conflict):
    """Several options are in front; the person who closes the poll chooses one."""

    title = "It is a tie"


@retry
async def close_poll(
    ctx: Context,
    ref: Ref[HangoutPoll],
    *,
    option_id: str | None = None,
    undecided: bool = False,
) -> HangoutPoll:
    """Closes a poll; its winner becomes the hangout's time or place. Two reads and one write.

    `option_id` chooses among those that are tied; `undecided` closes it without a winner.
    """
    access, poll = await open_thing(ctx, ref)
    hangout = access.editable().hangout
    check_open(hangout, ctx.now)
    if poll.closed_at is not None:
        raise Conflict("This poll is closed.")
    winner = None if undecided else _winner(poll, ctx.now, option_id)
    closed, writes = _closing(hangout, poll, ctx.now, winner, by=ctx.person.user_id)
    await ctx.store.write(*writes, *access.still_allowed)
    return closed


def _winner(poll: HangoutPoll, now: float, option_id: str | None) -> HangoutPollOption | None:
    front = rules.leaders(poll, now)
    if option_id is not None:
        chosen = next((one for one in front if one.option_id == option_id), None)
        if chosen is None:
            raise Conflict("The votes have changed. This option is not in front any more.")
        return chosen
    if len(front) > 1:
        ids = [one.option_id for one in front]
        raise TiedPoll("It is a tie. Choose the option to take.", tied_option_ids=ids)
    return front[0] if front else None


@retry
async def close_at_deadline(store: Store, now: float, hangout_id: str, poll_id: str) -> None:
    """Closes a poll whose deadline has passed; where it is tied, it stays open and says so.

    Nothing happens where it is closed already, or has another deadline by now.
    """
    refs = [
        Hangout.at(hangout_id=hangout_id),
        HangoutPoll.at(hangout_id=hangout_id, poll_id=poll_id),
    ]
    hangout, poll = await store.batch_get(refs)
    if not isinstance(hangout, Hangout) or not isinstance(poll, HangoutPoll):
        return
    if poll.closed_at is not None or poll.deadline is None or seconds(poll.deadline) > now:
        return
    front = rules.leaders(poll, now)
    # Bringing a cancelled hangout back closes its polls.
    if len(front) > 1 or not takes_answers(hangout, now):
        await store.write(
            update(poll, deadline=None, overdue_at=iso(now), if_=as_read(poll, "tallies")),
            check(hangout, if_=equal(version=hangout.version)),
        )
        return
    _, writes = _closing(hangout, poll, now, front[0] if front else None)
    await store.write(*writes)


def _closing(
    hangout: Hangout,
    poll: HangoutPoll,
    now: float,
    winner: HangoutPollOption | None,
    *,
    by: str | None = None,
) -> tuple[HangoutPoll, list[Write]]:
    """Returns what closes a poll: the poll, and the hangout with all its pointers.

    `by` is who acts; at a deadline it is nobody, and everybody is notified.
    The tallies are held, so that no vote arrives between reading and closing that is not counted.
    """
    fields: dict[str, Any] = {
        "closed_at": iso(now),
        "outcome": "UNDECIDED" if winner is None else "DECIDED",
        "winner_option_id": None if winner is None else winner.option_id,
        "overdue_at": None,
        "closed_by": by,
    }
    closed = update(poll, if_=as_read(poll, "tallies"), **fields)
    after = replace(poll, **fields, version=poll.version + 1)
    timers = deadline_changes(poll, None)
    if winner is None or poll.subject not in OPEN_POLL:
        return after, [closed, *no_longer_open(hangout, poll), *timers]
    left = {one: about for one, about in hangout.open_polls.items() if one != poll.poll_id}
    no_poll: dict[str, Any] = {
        OPEN_POLL[poll.subject]: None,
        "open_polls": left,
        "decided_poll_id": poll.poll_id,
    }
    decided = replace(hangout, **_result(winner), **no_poll, updated_at=iso(now))
    decided = replace(decided, momentum=momentum(decided, now))
    return after, [closed, *edit_writes(hangout, decided, by=by)[1], *timers]


def _result(winner: HangoutPollOption) -> dict[str, Any]:
    """Returns the fields of a hangout that a winner becomes."""
    if winner.place is not None:
        return {"place": winner.place}
    return {
        "time": winner.time,
        "start_timestamp": winner.start_timestamp,
        "end_timestamp": winner.end_timestamp,
    }
