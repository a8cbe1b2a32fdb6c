"""Answers: counts and the waiting list are those of the answers, and parties know each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from commonroom.hangouts.checks.people import HangoutPeople
from commonroom.hangouts.checks.snapshots import HangoutSnapshot
from commonroom.hangouts.rules.attendance import COUNTERS, Attendance, promote
from commonroom.hangouts.rules.rsvps import Party, may_bring, party_of, signals_of
from commonroom.hangouts.service.attendance import SIGNALS, as_counted, rsvp_writes
from commonroom.hangouts.service.rsvps import companion_rsvp, without_companions
from commonroom.hangouts.tables import (
    GuestRsvp,
    Hangout,
    Offer,
    Rsvp,
    Waiting,
)
from commonroom.store import as_read, check, create, delete, new, update, update_with_copies
from commonroom.store.checking import Problem


def check_counts(snapshot: HangoutSnapshot) -> tuple[Hangout, list[Problem]]:
    """Returns what a hangout counts wrong, and the hangout as it is once that is repaired."""
    hangout = snapshot.hangout
    expected = _expected(snapshot)
    others = [*snapshot.miscounted(hangout)]
    wrong = {name: it for name, it in expected.items() if getattr(hangout, name) != it}
    after = replace(hangout, **wrong, **snapshot.numbers[hangout.ref.key])
    if not wrong:
        return after, others
    # What changes a count also changes what is counted, in one write; so if these are still as
    # they were read, so is the difference.
    held = as_read(hangout, *expected, "place_limit", "version")
    repair = update_with_copies(hangout, if_=held, **wrong)
    detail = ", ".join(_describe(hangout, name, it) for name, it in wrong.items())
    return after, [Problem.of("counts", hangout, f"Its {detail}.", *repair), *others]


def _expected(snapshot: HangoutSnapshot) -> dict[str, Any]:
    hangout = snapshot.hangout
    offers = [one.offer_id for one in snapshot.of(Offer)]
    known = [one for one in dict.fromkeys(hangout.offer_ids) if one in offers]
    return {
        **_attendance(snapshot),
        "guest_count": len(snapshot.of(GuestRsvp)),
        "offer_ids": known + [one for one in offers if one not in known],
    }


def _attendance(snapshot: HangoutSnapshot) -> dict[str, Any]:
    """People by RSVP; those who wait although there are places get theirs."""
    parties: dict[str, Party] = {}
    answers: list[Rsvp | GuestRsvp] = [*snapshot.of(Rsvp), *snapshot.of(GuestRsvp)]
    for answer in answers:
        party = party_of(answer)
        if party is not None:
            parties[answer.guest_id if isinstance(answer, GuestRsvp) else answer.user_id] = party
    line = _waiting(snapshot.hangout, parties)
    numbers = dict.fromkeys(COUNTERS.values(), 0)
    for answer_id, party in parties.items():
        if answer_id not in line:
            numbers[COUNTERS[party.status]] += party.people
    found = Attendance(
        **numbers, place_limit=snapshot.hangout.place_limit, waiting=tuple(line.values())
    )
    after = promote(found)
    signals = [signals_of(one, snapshot.hangout.created_by) for one in answers]
    return {
        **{name: sum(getattr(one, name) for one in signals) for name in SIGNALS},
        **{name: getattr(after, name) for name in COUNTERS.values()},
        "waiting": list(after.waiting),
        "waiting_count": after.waiting_count,
    }


def _waiting(hangout: Hangout, parties: dict[str, Party]) -> dict[str, Waiting]:
    """Returns the waiting list in its order, of those alone who want to come."""
    line: dict[str, Waiting] = {}
    for one in hangout.waiting:
        party = parties.get(one.answer_id)
        if party is not None and party.status == "GOING":
            again = Waiting(answer_id=one.answer_id, people=party.people)
            line.setdefault(one.answer_id, again)
    return line


def _describe(hangout: Hangout, name: str, value: Any) -> str:
    now = getattr(hangout, name)
    if isinstance(value, list):
        return f"{name} has {len(now)} entries, not these {len(value)}"
    return f"{name} is {now}, not {value}"


def check_parties(
    snapshot: HangoutSnapshot, people: HangoutPeople, hangout: Hangout, now: float
) -> tuple[Hangout, list[Problem]]:
    """Companions say so, and are in that party; and the hangout once that is repaired."""
    answers = {one.user_id: one for one in snapshot.of(Rsvp)}
    problems = list(_strays(answers))
    for own in answers.values():
        for user_id in own.companion_ids:
            theirs, user = answers.get(user_id), people.users.get(user_id)
            is_along = theirs is not None and theirs.with_user_id == own.user_id
            if is_along:
                continue
            adult = people.users.get(own.user_id)
            may_come = user is not None and adult is not None and may_bring(adult, user)
            if theirs is None and user is not None and may_come:
                along = companion_rsvp(own, user, None)
                repair = [check(own, if_=as_counted(own)), create(along)]
                detail = "Somebody comes along, and has no answer that says so."
            else:
                change = without_companions(now, own, user_id)
                hangout, repair = rsvp_writes(hangout, hangout, now, [change])
                detail = "Somebody comes along who is not in this party."
            problems.append(Problem.of("companions", own, detail, *repair))
            break  # one at a time: each changes the answer
    return hangout, problems


def is_stray(one: Rsvp, answers: dict[str, Rsvp]) -> bool:
    """Returns whether an answer says that it is in a party which does not know of it."""
    if one.with_user_id is None:
        return False
    party = answers.get(one.with_user_id)
    return party is None or one.user_id not in party.companion_ids


def _strays(answers: dict[str, Rsvp]) -> Iterator[Problem]:
    """Answers that say they are counted in a party which does not know of them."""
    for one in answers.values():
        if one.with_user_id is None:
            continue
        party = answers.get(one.with_user_id)
        mine = as_read(one, "with_user_id")
        if is_stray(one, answers):
            ref = Rsvp.at(hangout_id=one.hangout_id, user_id=one.with_user_id)
            held = check(ref, if_=new if party is None else as_counted(party))
            detail = "It is in a party that does not count it."
            yield Problem.of("companions", one, detail, held, delete(one, if_=mine))
        elif party is not None and party.status != one.status:
            held = check(party, if_=as_counted(party))
            repair = update(one, status=party.status, if_=mine)
            yield Problem.of("companions", one, "It differs from its party’s answer.", held, repair)
