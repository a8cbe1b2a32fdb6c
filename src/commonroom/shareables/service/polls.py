"""Voting in a poll, its results, and closing it by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from commonroom.errors import Forbidden
from commonroom.moments import iso
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
from commonroom.shareables.service import answers
from commonroom.shareables.service.answers import (
    AnswerOrigin,
    Code,
    account_receipt,
    author_fields,
    create_answer,
    delete_answer,
    find_answer,
    origins_of,
    replace_answer,
)
from commonroom.shareables.service.edit import edit
from commonroom.shareables.service.gate import PageAccess, as_admin, carry_out
from commonroom.shareables.tables import Poll, PollAnswer, PollVote, poll_votes
from commonroom.store import (
    Condition,
    Ref,
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
    origin: AnswerOrigin | None = None


class Votes(Struct, frozen=True):
    """A part of the votes, and where to go on."""

    votes: list[Cast]
    cursor: str | None


async def vote(gate: PageAccess[Poll], typed: TypedVote) -> PollVote:
    """Votes; a guest is shown the vote's code, once."""

    def made(gate: PageAccess[Poll], code: str) -> PollVote:
        return PollVote(
            short_id=gate.page.short_id,
            code=code,
            created_at=iso(gate.now),
            updated_at=iso(gate.now),
            ttl=gate.page.ttl,
            **author_fields(gate),
            **vote_fields(gate.page, typed),
        )

    def step(gate: PageAccess[Poll], after: PollVote, networks: int) -> list[Write]:
        most = gate.caller.limits.answers
        check_voting(gate.now, gate.page, most)
        counted = _counted(gate.page, (), after.answers, voters=1, networks=networks, most=most)
        return [counted, create(after)]

    return await create_answer(gate, made, step)


async def my_vote(gate: PageAccess[Poll], code: Code) -> PollVote:
    """Returns the vote that belongs to a code, without what is no longer asked."""
    found = await _stored_vote(gate, code)
    return replace(found, answers=still_asked(gate.page, found.answers))


async def change_vote(
    gate: PageAccess[Poll],
    code: Code,
    typed: TypedVote,
    *,
    check_seen: Callable[[PollVote], None] = lambda _: None,
) -> PollVote:
    """Changes a vote, until the close; `check_seen` refuses what was seen otherwise."""

    def step(gate: PageAccess[Poll], before: PollVote) -> tuple[PollVote, list[Write]]:
        check_voting(gate.now, gate.page)
        check_seen(replace(before, answers=still_asked(gate.page, before.answers)))
        fields = vote_fields(gate.page, typed)
        after = replace(before, updated_at=iso(gate.now), ttl=gate.page.ttl, **fields)
        counted = _counted(gate.page, before.answers, after.answers)
        return after, [counted, put(after, if_=_as_read(before))]

    return await replace_answer(gate, await _stored_vote(gate, code), step)


async def withdraw_vote(gate: PageAccess[Poll], code: Code) -> None:
    """Takes a vote back, until the close."""

    def step(gate: PageAccess[Poll], before: PollVote, networks: int) -> list[Write]:
        check_voting(gate.now, gate.page)
        return _deletion(gate.page, before, networks)

    await delete_answer(gate, await _stored_vote(gate, code), step)


async def remove_vote(gate: PageAccess[Poll], answer_id: str) -> None:
    """Removes a vote, for admins of the poll; also after the close."""
    await answers.remove_answer(gate, answer_id, lambda code: _at(gate, code), _deletion)


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
) -> Votes:
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
        Cast(one.name, still_asked(gate.page, one.answers), origin)
        for one, origin in zip(part.items, origins, strict=True)
    ]
    # They are stored by their codes, which say nothing; those without a name come last.
    return Votes(
        sorted(cast, key=lambda one: (one.name is None, (one.name or "").casefold())), part.cursor
    )


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


async def _stored_vote(gate: PageAccess[Poll], code: Code) -> PollVote:
    return await find_answer(gate, code, lambda one: _at(gate, one))


async def _has_voted(gate: PageAccess[Poll], code: Code | None) -> bool:
    """Returns whether a code or an account has a vote; a code that has none is a wrong one."""
    if code is not None:
        await _stored_vote(gate, code)
        return True
    mine = account_receipt(gate)
    return mine is not None and await gate.store.get(_at(gate, mine.code)) is not None


def _at(gate: PageAccess[Poll], code: str) -> Ref[PollVote]:
    return PollVote.at(short_id=gate.page.short_id, code=code)


def _deletion(poll: Poll, before: PollVote, networks: int) -> list[Write]:
    counted = _counted(poll, before.answers, (), voters=-1, networks=networks)
    return [counted, delete(before, if_=_as_read(before))]


def _unless(already: bool, poll: Poll, write: Write) -> Write:
    return check(poll, if_=equal(version=poll.version)) if already else write


def _as_read(vote: PollVote) -> Condition:
    """Returns the condition that a vote still says what was read."""
    return equal(answers=vote.answers, name=vote.name)


def _counted(
    poll: Poll,
    before: Iterable[PollAnswer],
    after: Iterable[PollAnswer],
    *,
    voters: int = 0,
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
    changes = {"vote_count": add(voters)} if voters else {}
    if networks:
        changes["network_count"] = add(networks)
    if tally := difference(poll, before, after):
        changes["tally"] = count(tally)
    return update(poll, if_=same, **changes) if changes else check(poll, if_=same)
