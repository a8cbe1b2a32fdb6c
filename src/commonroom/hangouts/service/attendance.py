"""Attendance as it is written: counts, the waiting list and momentum, on all pointers at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from commonroom.hangouts.rules.attendance import (
    COUNTERS,
    MAX_WAITING,
    Attendance,
    attendance_of,
    change_answer,
)
from commonroom.hangouts.rules.momentum import momentum
from commonroom.hangouts.rules.rsvps import MAX_GUEST_ANSWERS, Signals, party_of, signals_of
from commonroom.hangouts.tables import GuestRsvp, Hangout, Rsvp
from commonroom.store import (
    Condition,
    Write,
    above,
    add,
    append,
    at_least,
    at_most,
    below,
    delete,
    equal,
    new,
    put,
    stored,
    update_with_copies,
)

SIGNALS = Signals.__struct_fields__


class RsvpChange(Struct, frozen=True):
    """One answer as it was read, and as it is to be; None where there is none."""

    answer_id: str
    before: Rsvp | GuestRsvp | None
    after: Rsvp | GuestRsvp | None

    @property
    def write(self) -> Write:
        """The answer, on condition that it still is what was counted before."""
        if self.after is not None:
            return put(self.after, if_=new if self.before is None else as_counted(self.before))
        if self.before is None:
            raise ValueError("An answer that never was cannot be taken away.")
        return delete(self.before, if_=as_counted(self.before))


def as_counted(answer: Rsvp | GuestRsvp) -> Condition:
    """Returns the condition that an answer still counts as it did when it was read."""
    same = equal(status=answer.status, plus_guests=answer.plus_guests)
    if isinstance(answer, GuestRsvp):
        return same
    return same & equal(companion_ids=answer.companion_ids, with_user_id=answer.with_user_id)


def answered(hangout: Hangout, now: float, changes: Iterable[RsvpChange]) -> Hangout:
    """The hangout with answers in place of others: its counts, waiting list and momentum."""
    after, signals = attendance_of(hangout), {name: getattr(hangout, name) for name in SIGNALS}
    for one in changes:
        after = change_answer(after, one.answer_id, party_of(one.before), party_of(one.after))
        was, will = (signals_of(it, hangout.created_by) for it in (one.before, one.after))
        for name in SIGNALS:
            signals[name] += getattr(will, name) - getattr(was, name)
    return with_attendance(replace(hangout, **signals), now, after)


def with_attendance(hangout: Hangout, now: float, after: Attendance) -> Hangout:
    """Returns the hangout with another attendance, and with the momentum that follows from it."""
    counts = {name: getattr(after, name) for name in COUNTERS.values()}
    changed = replace(
        hangout,
        **counts,
        place_limit=after.place_limit,
        waiting=list(after.waiting),
        waiting_count=after.waiting_count,
    )
    return replace(changed, momentum=momentum(changed, now))


def rsvp_writes(
    hangout: Hangout,
    touched: Hangout,
    now: float,
    changes: Sequence[RsvpChange],
    *,
    by: str | None = None,
) -> tuple[Hangout, list[Write]]:
    """What writes answers, and the hangout as it is then; `touched` is what else changes of it.

    `by` is who acts, where they have an account.
    The hangout's version is held, because it says where all pointers are.
    """
    after = replace(answered(touched, now, changes), changed_by=by)
    fields, condition = _difference(hangout, after)
    condition = condition & equal(version=hangout.version)
    if after.momentum != hangout.momentum:
        # It was worked out from these: all who are counted there must still be. What people reach
        # together who answer at once, a consumer raises.
        condition = condition & _none_fewer(hangout) & equal(momentum=hangout.momentum)
    if guests := after.guest_count - hangout.guest_count:
        fields["guest_count"] = add(guests)
        if guests > 0:
            condition = condition & below(guest_count=MAX_GUEST_ANSWERS)
    if after.guest_link != hangout.guest_link:
        after = replace(after, version=hangout.version + 1)
    also = ("audience", "answered_at", "momentum", "guest_link")
    fields |= {
        name: getattr(after, name)
        for name in also
        if getattr(after, name) != getattr(hangout, name)
    }
    writes = update_with_copies(hangout, if_=condition, changed_by=by, **fields) if fields else ()
    return after, [*writes, *(one.write for one in changes)]


def _none_fewer(hangout: Hangout) -> Condition:
    """Returns the condition that nobody took back what momentum was worked out from."""
    names = ("going_count", "interested_count", *SIGNALS)
    counted = {name: getattr(hangout, name) for name in names if getattr(hangout, name) > 0}
    return at_least(**counted) if counted else stored


def _difference(before: Hangout, after: Hangout) -> tuple[dict[str, Any], Condition]:
    """Returns the attendance fields to change, and what must hold for that.

    Numbers are added to, and the last to come is appended: people who answer at once do not retry
    for that. Only where the waiting list moves must it be exactly as it was read.
    """
    limit, line, more = before.place_limit, before.waiting, after.going_count - before.going_count
    changes: dict[str, Any] = {
        name: add(amount)
        for name in (*COUNTERS.values(), *SIGNALS)
        if (amount := getattr(after, name) - getattr(before, name))
    }
    same_limit = equal(place_limit=limit)
    if not line and not after.waiting:
        nobody_waits = same_limit & equal(waiting_count=0)
        if limit is not None and more > 0:
            return changes, nobody_waits & at_most(going_count=limit - more)
        return changes, nobody_waits
    joined = after.waiting[len(line) :]
    if limit is not None and joined and more == 0 and after.waiting == [*line, *joined]:
        people = sum(one.people for one in joined)
        is_full = above(going_count=limit - joined[0].people) | above(waiting_count=0)
        changes |= {"waiting": append(*joined), "waiting_count": add(people)}
        return changes, same_limit & is_full & at_most(waiting_count=MAX_WAITING - people)
    changes |= {"waiting": after.waiting, "waiting_count": after.waiting_count}
    return changes, same_limit & equal(waiting=line, going_count=before.going_count)
