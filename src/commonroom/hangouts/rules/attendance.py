"""Attendance: exact numbers of people, places, and the waiting list."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from commonroom.errors import Conflict, InvalidField
from commonroom.hangouts.rules.rsvps import Party
from commonroom.hangouts.tables import Hangout, RsvpStatus, Waiting

COUNTERS: dict[RsvpStatus, str] = {
    "GOING": "going_count",
    "INTERESTED": "interested_count",
    "NOT_GOING": "not_going_count",
}
MAX_PLACES = 10_000
MAX_WAITING = 200
"""People on one waiting list, which stands on the hangout itself."""


class PlacesTaken(Conflict):
    """There are not as many free places as requested."""

    title = "No free places"


class Attendance(Struct, frozen=True, kw_only=True):
    """How many people answered what, and who waits for a place."""

    place_limit: int | None
    going_count: int
    interested_count: int
    not_going_count: int
    waiting: tuple[Waiting, ...]

    @property
    def free(self) -> int | None:
        """How many places are left; None where their number is not limited."""
        return None if self.place_limit is None else max(0, self.place_limit - self.going_count)

    @property
    def waiting_count(self) -> int:
        """How many people wait."""
        return sum(one.people for one in self.waiting)

    def has_free(self, people: int) -> bool:
        """Returns whether so many more find a place."""
        return self.free is None or people <= self.free

    def is_waiting(self, answer_id: str) -> bool:
        """Returns whether a person waits for a place."""
        return any(one.answer_id == answer_id for one in self.waiting)


def attendance_of(hangout: Hangout) -> Attendance:
    """Returns the attendance of a hangout as it is stored."""
    return Attendance(
        place_limit=hangout.place_limit,
        going_count=hangout.going_count,
        interested_count=hangout.interested_count,
        not_going_count=hangout.not_going_count,
        waiting=tuple(hangout.waiting),
    )


def place_limit(number: int | None) -> int | None:
    """Returns a limit of places that may be set."""
    if number is not None and not 1 <= number <= MAX_PLACES:
        raise InvalidField("place_limit", f"Set 1 to {MAX_PLACES} places.")
    return number


def change_answer(
    now: Attendance, answer_id: str, before: Party | None, after: Party | None
) -> Attendance:
    """The attendance with one answer in place of another; free places go to who waited longest."""
    had_place = before is not None and before.status == "GOING" and not now.is_waiting(answer_id)
    if had_place and before is not None and after is not None and after.status == "GOING":
        return promote(_resized(now, after.people - before.people))
    kept = _kept_turn(now, answer_id, after)
    if kept is not None:
        return promote(kept)
    without = _without(now, answer_id, before)
    return promote(without if after is None else _joined(without, answer_id, after))


def _resized(now: Attendance, more: int) -> Attendance:
    """Returns a party that goes, with more or fewer people."""
    if more > 0 and (now.waiting or not now.has_free(more)):
        raise _no_place(now, more)
    return replace(now, going_count=now.going_count + more)


def _kept_turn(now: Attendance, answer_id: str, after: Party | None) -> Attendance | None:
    """The waiting list with a party that waits on and has not grown; None where that is not so."""
    if after is None or after.status != "GOING":
        return None
    for turn, one in enumerate(now.waiting):
        if one.answer_id == answer_id and after.people <= one.people:
            changed = Waiting(answer_id=answer_id, people=after.people)
            waiting = (*now.waiting[:turn], changed, *now.waiting[turn + 1 :])
            return replace(now, waiting=waiting)
    return None


def _without(now: Attendance, answer_id: str, before: Party | None) -> Attendance:
    if before is None:
        return now
    if now.is_waiting(answer_id):
        waiting = tuple(one for one in now.waiting if one.answer_id != answer_id)
        return replace(now, waiting=waiting)
    return _added(now, before, -before.people)


def _joined(now: Attendance, answer_id: str, party: Party) -> Attendance:
    if party.status != "GOING" or (not now.waiting and now.has_free(party.people)):
        return _added(now, party, party.people)
    if now.place_limit is not None and party.people > now.place_limit:
        raise PlacesTaken(f"There are only {now.place_limit} places.", free=now.free)
    if now.waiting_count + party.people > MAX_WAITING:
        raise PlacesTaken("The waiting list is full.", free=now.free)
    joined = Waiting(answer_id=answer_id, people=party.people)
    return replace(now, waiting=(*now.waiting, joined))


def _added(now: Attendance, party: Party, people: int) -> Attendance:
    name = COUNTERS[party.status]
    return replace(now, **{name: getattr(now, name) + people})


def change_limit(now: Attendance, limit: int | None) -> Attendance:
    """Another number of places; nobody who goes loses theirs."""
    return promote(replace(now, place_limit=limit))


def promote(now: Attendance) -> Attendance:
    """Assigns free places to those who wait, in order: a party that does not fit blocks the rest.

    Only a party that the hangout could never hold, because its limit was lowered, is passed over.
    """
    waiting, going = list(now.waiting), now.going_count
    turn = 0
    while turn < len(waiting):
        party = waiting[turn].people
        if now.place_limit is not None and party > now.place_limit:
            turn += 1
        elif now.place_limit is None or going + party <= now.place_limit:
            going += waiting.pop(turn).people
        else:
            break
    return replace(now, waiting=tuple(waiting), going_count=going)


def _no_place(now: Attendance, wanted: int) -> PlacesTaken:
    if now.waiting:
        return PlacesTaken("Others are waiting for a place, so no more can come with you.", free=0)
    return PlacesTaken(f"There is no place for {wanted} more.", free=now.free)
