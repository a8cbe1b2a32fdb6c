"""Voting in a poll, its results, and closing it by hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from commonroom.errors import Forbidden
from commonroom.moments import iso
from commonroom.shareables.rules.polls import (
    Results,
    check_voting,
    difference,
    is_over,
    results,
    sees_results,
    still_asked,
    vote_fields,
)
from commonroom.shareables.service.answers import (
    Answers,
    Code,
    OriginSeen,
    account_receipt,
    origins_of,
)
from commonroom.shareables.service.edit import edit
from commonroom.shareables.service.gate import PageAccess, as_admin, carry_out
from commonroom.shareables.tables import Poll, PollAnswer, PollVote, poll_votes
from commonroom.store import Page as Part
from commonroom.store import (
    Write,
    add,
    below,
    check,
    count,
    equal,
    update,
)

VOTES_SHOWN = 100


ByQuestion: TypeAlias = Annotated[
    dict[str, list[str]], Meta(description="Option ids by question id.")
]


class CastVote(Struct, frozen=True):
    """Who voted what, as an admin sees it: never with the code."""

    name: Annotated[str | None, Meta(description="Null where none was given.")]
    answers: ByQuestion
    origin: OriginSeen


async def results_for(gate: PageAccess[Poll], code: Code | None = None) -> Results | None:
    """Returns how the poll stands, for those who may know: of the votes, only their own is read."""
    has_voted = False
    if gate.page.results_visibility == "afterSubmit" and not gate.is_admin:
        has_voted = await _has_voted(gate, code)
    return results_seen(gate, has_voted=has_voted)


def results_seen(gate: PageAccess[Poll], *, has_voted: bool) -> Results | None:
    """Returns the results where it is known already whether they have voted."""
    may = sees_results(gate.now, gate.page, is_admin=gate.is_admin, has_voted=has_voted)
    return results(gate.page) if may else None


async def votes(
    gate: PageAccess[Poll],
    *,
    with_origins: bool = False,
    limit: int = VOTES_SHOWN,
    cursor: str | None = None,
) -> Part[CastVote]:
    """Returns who voted what, for an admin: one request. What is no longer asked is left out.

    With origins, they are told where each vote came from: one request more.
    """
    if not gate.is_admin:
        raise Forbidden("Only people who can edit this poll see who voted for what.")
    part = await gate.store.page(
        poll_votes(short_id=gate.page.short_id), limit=limit, cursor=cursor
    )
    origins = await origins_of(gate, part.items) if with_origins else [None] * len(part.items)
    cast = [
        CastVote(one.name, by_question(still_asked(gate.page, one.answers)), origin)
        for one, origin in zip(part.items, origins, strict=True)
    ]
    # They are stored by their codes, which say nothing; those without a name come last.
    cast.sort(key=lambda one: (one.name is None, (one.name or "").casefold()))
    return Part(cast, part.seal)


def by_question(answers: Iterable[PollAnswer]) -> ByQuestion:
    """Returns the options of a vote by the questions that they answer."""
    return {one.poll_question_id: one.option_ids for one in answers}


async def close_poll(gate: PageAccess[Poll]) -> None:
    """Ends a poll by hand."""
    as_admin(gate)

    async def step(gate: PageAccess[Poll]) -> Sequence[Write]:
        return [_unless(gate.page.is_closed, gate.page, edit(gate.now, gate.page, is_closed=True))]

    await carry_out(gate, step)


async def reopen_poll(gate: PageAccess[Poll]) -> None:
    """Takes votes again; a moment to close at that is over is one no longer."""
    as_admin(gate)

    async def step(gate: PageAccess[Poll]) -> Sequence[Write]:
        poll = gate.page
        passed = poll.closes_at is not None and poll.closes_at <= iso(gate.now)
        closes_at = None if passed else poll.closes_at
        again = edit(gate.now, poll, is_closed=False, closes_at=closes_at)
        return [_unless(not is_over(gate.now, poll), poll, again)]

    await carry_out(gate, step)


async def _has_voted(gate: PageAccess[Poll], code: Code | None) -> bool:
    """Returns whether a code or an account has a vote; a code that has none is a wrong one."""
    if code is not None:
        await my_vote(gate, code)
        return True
    mine = account_receipt(gate)
    if mine is None:
        return False
    return await gate.store.get(PollVote.at(short_id=mine.short_id, code=mine.code)) is not None


def _unless(already: bool, poll: Poll, write: Write) -> Write:
    return check(poll, if_=equal(version=poll.version)) if already else write


def _counted(
    poll: Poll,
    before: PollVote | None,
    after: PollVote | None,
    networks: int = 0,
    most: int | None = None,
) -> Write:
    """Returns the poll's tally, always written together with the vote.

    It holds the version that was read: a question edited meanwhile makes the vote be held against
    the new questions, and a poll closed meanwhile takes it no longer.
    """
    same = equal(version=poll.version)
    if most is not None:
        same &= below(vote_count=most)
    voters = (after is not None) - (before is not None)
    changes = {"vote_count": add(voters)} if voters else {}
    if networks:
        changes["network_count"] = add(networks)
    if tally := difference(poll, before.answers if before else (), after.answers if after else ()):
        changes["tally"] = count(tally)
    return update(poll, if_=same, **changes) if changes else check(poll, if_=same)


VOTES = Answers(
    entity=PollVote,
    fields=vote_fields,
    check_open=check_voting,
    counted=_counted,
    as_read=lambda one: equal(answers=one.answers, name=one.name),
    # Without what is no longer asked.
    shown=lambda poll, one: replace(one, answers=still_asked(poll, one.answers)),
)
vote, my_vote, change_vote = VOTES.create, VOTES.find, VOTES.change
withdraw_vote, remove_vote = VOTES.withdraw, VOTES.remove
