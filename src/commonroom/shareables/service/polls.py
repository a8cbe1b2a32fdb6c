"""Voting in a poll, its results, and closing it by hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from commonroom.moments import iso
from commonroom.shareables.errors import NotYours
from commonroom.shareables.rules.polls import (
    Results,
    TypedVote,
    check_voting,
    difference,
    is_over,
    results,
    sees_results,
    still_asked,
    vote_fields,
)
from commonroom.shareables.service.answers import Code, answer_with, left_anew, replaced
from commonroom.shareables.service.editing import edit
from commonroom.shareables.service.gate import Opened, as_admin, carry_out
from commonroom.shareables.tables import Poll, PollAnswer, PollVote, poll_votes
from commonroom.store import (
    Condition,
    Store,
    Write,
    add,
    below,
    check,
    count,
    create,
    delete,
    equal,
    put,
    update,
)

VOTES_SHOWN = 100


class Cast(Struct, frozen=True):
    """A vote as an admin sees it: never with its code."""

    name: str | None
    answers: list[PollAnswer]


class Votes(Struct, frozen=True):
    """A part of the votes, and where to go on."""

    votes: list[Cast]
    cursor: str | None


async def vote(store: Store, now: float, gate: Opened[Poll], typed: TypedVote) -> PollVote:
    """Votes; the vote's code is shown to whoever gave it, once."""

    def made(gate: Opened[Poll], code: str) -> PollVote:
        return PollVote(
            short_id=gate.page.short_id,
            code=code,
            created_at=iso(now),
            updated_at=iso(now),
            ttl=gate.page.ttl,
            **vote_fields(gate.page, typed),
        )

    def step(gate: Opened[Poll], after: PollVote) -> list[Write]:
        most = gate.caller.limits.answers
        check_voting(now, gate.page, most)
        return [_counted(gate.page, (), after.answers, voters=1, most=most), create(after)]

    return await left_anew(store, now, gate, made, step)


async def my_vote(store: Store, now: float, gate: Opened[Poll], code: Code) -> PollVote:
    """The vote that belongs to a code, without what is no longer asked."""
    found = await _stored_vote(store, now, gate, code)
    return replace(found, answers=still_asked(gate.page, found.answers))


async def change_vote(
    store: Store, now: float, gate: Opened[Poll], code: Code, typed: TypedVote
) -> PollVote:
    """Changes a vote, until the close."""

    def after(gate: Opened[Poll], before: PollVote) -> PollVote:
        fields = vote_fields(gate.page, typed)
        return replace(before, updated_at=iso(now), ttl=gate.page.ttl, **fields)

    def step(gate: Opened[Poll], before: PollVote) -> list[Write]:
        check_voting(now, gate.page)
        changed = after(gate, before)
        counted = _counted(gate.page, before.answers, changed.answers)
        return [counted, put(changed, if_=_as_read(before))]

    found = await _stored_vote(store, now, gate, code)
    return after(*await replaced(store, now, gate, found, step))


async def withdraw_vote(store: Store, now: float, gate: Opened[Poll], code: Code) -> None:
    """Takes a vote back, until the close."""

    def step(gate: Opened[Poll], before: PollVote) -> list[Write]:
        check_voting(now, gate.page)
        counted = _counted(gate.page, before.answers, (), voters=-1)
        return [counted, delete(before, if_=_as_read(before))]

    await replaced(store, now, gate, await _stored_vote(store, now, gate, code), step)


async def results_for(
    store: Store, now: float, gate: Opened[Poll], code: Code | None = None
) -> Results | None:
    """How the poll stands, for those who may know: no vote is read, but for the one of a code."""
    has_voted = False
    if code is not None and gate.page.results_visibility == "afterSubmit" and not gate.is_admin:
        await _stored_vote(store, now, gate, code)
        has_voted = True
    return results_seen(now, gate, has_voted=has_voted)


def results_seen(now: float, gate: Opened[Poll], *, has_voted: bool) -> Results | None:
    """The same, where it is known already whether they have voted."""
    may = sees_results(now, gate.page, is_admin=gate.is_admin, has_voted=has_voted)
    return results(gate.page) if may else None


async def votes(
    store: Store, gate: Opened[Poll], *, limit: int = VOTES_SHOWN, cursor: str | None = None
) -> Votes:
    """Who voted what, for an admin: one request. What is no longer asked is left out."""
    if not gate.is_admin:
        raise NotYours("Only whoever administers this poll sees who voted what.")
    part = await store.page(poll_votes(short_id=gate.page.short_id), limit=limit, cursor=cursor)
    cast = [Cast(one.name, still_asked(gate.page, one.answers)) for one in part.items]
    # They are stored by their codes, which say nothing; whoever gave no name comes last.
    return Votes(
        sorted(cast, key=lambda one: (one.name is None, (one.name or "").casefold())), part.cursor
    )


async def close_poll(store: Store, now: float, gate: Opened[Poll]) -> None:
    """Ends a poll by hand."""
    as_admin(gate)

    async def step(gate: Opened[Poll]) -> Sequence[Write]:
        return [_unless(gate.page.is_closed, gate.page, edit(now, gate.page, is_closed=True))]

    await carry_out(store, now, gate, step)


async def reopen_poll(store: Store, now: float, gate: Opened[Poll]) -> None:
    """Takes votes again; a moment to close at that is over is one no longer."""
    as_admin(gate)

    async def step(gate: Opened[Poll]) -> Sequence[Write]:
        poll = gate.page
        passed = poll.closes_at is not None and poll.closes_at <= iso(now)
        closes_at = None if passed else poll.closes_at
        again = edit(now, poll, is_closed=False, closes_at=closes_at)
        return [_unless(not is_over(now, poll), poll, again)]

    await carry_out(store, now, gate, step)


async def _stored_vote(store: Store, now: float, gate: Opened[Poll], code: Code) -> PollVote:
    short_id = gate.page.short_id
    return await answer_with(
        store, now, gate, code, lambda one: PollVote.at(short_id=short_id, code=one)
    )


def _unless(already: bool, poll: Poll, write: Write) -> Write:
    return check(poll, if_=equal(version=poll.version)) if already else write


def _as_read(vote: PollVote) -> Condition:
    """That a vote still counts for what was read."""
    return equal(answers=vote.answers)


def _counted(
    poll: Poll,
    before: Iterable[PollAnswer],
    after: Iterable[PollAnswer],
    *,
    voters: int = 0,
    most: int | None = None,
) -> Write:
    """The poll's tally, always written together with the vote.

    It holds the version that was read: a question edited meanwhile makes the vote be held against
    the new questions, and a poll closed meanwhile takes it no longer.
    """
    same = equal(version=poll.version)
    if most is not None:
        same &= below(vote_count=most)
    changes = {"vote_count": add(voters)} if voters else {}
    if tally := difference(poll, before, after):
        changes["tally"] = count(tally)
    return update(poll, if_=same, **changes) if changes else check(poll, if_=same)
