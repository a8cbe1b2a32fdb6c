"""Polls: tallies are those of the ballots, and the hangout knows which of them are open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from commonroom.hangouts.checks.snapshots import HangoutSnapshot
from commonroom.hangouts.rules.polls import tally_changes
from commonroom.hangouts.service.polls import OPEN_POLL, deadline_changes
from commonroom.hangouts.tables import Ballot, Hangout, HangoutPoll
from commonroom.moments import seconds
from commonroom.store import as_read, check, equal, update, update_with_copies
from commonroom.store.checking import Problem

LATE = 3600
"""After how many seconds a deadline counts as forgotten by the timer."""


def check_polls(snapshot: HangoutSnapshot, now: float) -> Iterator[Problem]:
    """Yields what is wrong with the polls of a hangout and their ballots."""
    ballots: dict[str, list[Ballot]] = {one.poll_id: [] for one in snapshot.of(HangoutPoll)}
    for ballot in snapshot.of(Ballot):
        if ballot.poll_id in ballots:
            ballots[ballot.poll_id].append(ballot)
    for one in snapshot.of(HangoutPoll):
        yield from _check_tallies(one, ballots[one.poll_id])
        yield from _check_deadline(one, now)


def _check_tallies(poll: HangoutPoll, ballots: list[Ballot]) -> Iterator[Problem]:
    tallies: Counter[str] = Counter()
    for one in ballots:
        tallies.update(tally_changes(poll.options, {}, one.votes))
    counted = {key: number for key, number in poll.tallies.items() if number}
    if counted == tallies and poll.ballot_count == len(ballots):
        return
    held = as_read(poll, "tallies", "ballot_count", "version")
    repair = update(poll.ref, tallies=dict(tallies), ballot_count=len(ballots), if_=held)
    detail = f"It counts {poll.ballot_count} ballots; they are {len(ballots)}, or say otherwise."
    yield Problem.of("tallies", poll, detail, repair)


def _check_deadline(poll: HangoutPoll, now: float) -> Iterator[Problem]:
    if poll.closed_at is None and poll.deadline and now - seconds(poll.deadline) > LATE:
        same = check(poll, if_=equal(version=poll.version))
        detail = "Its deadline has passed, and nobody closed it."
        yield Problem.of("polls", poll, detail, same, *deadline_changes(None, poll))


def check_open_polls(snapshot: HangoutSnapshot, hangout: Hangout) -> tuple[Hangout, list[Problem]]:
    """Checks that a hangout knows its open polls; returns the hangout once it does, too."""
    problems: list[Problem] = []
    for subject, named in OPEN_POLL.items():
        still_open = [
            one
            for one in snapshot.of(HangoutPoll)
            if one.subject == subject and one.closed_at is None
        ]
        ids, marked = [one.poll_id for one in still_open], getattr(hangout, named)
        known = marked if marked in ids else next(iter(ids), None)
        if known != marked:
            hangout, mended = _mark(hangout, named, known, still_open)
            problems.append(mended)
        problems += [
            Problem.of("polls", one, "Another poll about the same is open; close one of them.")
            for one in still_open
            if one.poll_id != known
        ]
    there = {
        one.poll_id: str(one.subject) for one in snapshot.of(HangoutPoll) if one.closed_at is None
    }
    if hangout.open_polls != there:
        held = as_read(hangout, "open_polls", "poll_count", "version")
        repair = update(hangout, open_polls=there, if_=held)
        detail = f"Its open_polls are {len(hangout.open_polls)}, not these {len(there)}."
        problems.append(Problem.of("polls", hangout, detail, repair))
        hangout = replace(hangout, open_polls=there)
    return hangout, problems


def _mark(
    hangout: Hangout, named: str, known: str | None, still_open: list[HangoutPoll]
) -> tuple[Hangout, Problem]:
    change: dict[str, Any] = {named: known}
    held = as_read(hangout, named, "version")
    same = [check(one, if_=equal(version=one.version)) for one in still_open[:1]]
    repair = update_with_copies(hangout, if_=held, **change)
    detail = (
        f"Its {named} is no open poll of it." if known is None else f"Its {named} is not {known}."
    )
    return replace(hangout, **change), Problem.of("polls", hangout, detail, *repair, *same)
