"""Voting in a poll, its results, and closing it by hand."""

from __future__ import annotations

from msgspec import Struct

from commonroom.errors import Forbidden
from commonroom.http.access import Need
from commonroom.http.etags import IfMatch, IfNoneMatch, check_match, tagged
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList, Paging
from commonroom.http.projections import projection
from commonroom.http.request import Request
from commonroom.http.responses import JsonResponse
from commonroom.moments import Moment
from commonroom.shareables.api.bodies import ONE
from commonroom.shareables.api.pages import view_after_change
from commonroom.shareables.api.views import (
    CodeSeen,
    PollResults,
    ReceiptSeen,
    SharedPage,
    code_and_receipt,
)
from commonroom.shareables.request import HeldCode, PollAdmin, PollGate, code_of, maybe_code
from commonroom.shareables.rules.polls import TypedVote
from commonroom.shareables.service import polls
from commonroom.shareables.tables import PollVote

ALL = f"{ONE}/votes"
MINE = f"{ALL}/mine"

api = Operations("Shareables: polls", errors=(410, 429))


class MyVote(Struct, frozen=True):
    """One's own vote."""

    name: str | None
    answers: polls.ByQuestion
    created_at: Moment
    updated_at: Moment


class GivenVote(Struct, frozen=True):
    """A vote, as it was given."""

    code: CodeSeen
    receipt: ReceiptSeen
    vote: MyVote


@api.post(ALL, Need.ANYONE, errors=(409, 410, 429, 507), repeatable=True)
async def create_vote(gate: PollGate, vote: TypedVote) -> GivenVote:
    """Vote; a guest is shown the vote's code, once.

    With an account there is one vote and no code: another is 409, and `mine` is changed instead.
    A few guests can vote from one network, unless the poll has a `shared_network`.
    """
    given = await polls.vote(gate, vote)
    return GivenVote(*code_and_receipt(gate, given), _mine(given))


@api.get(ALL, Need.ANYONE, errors=(410,))
async def list_votes(gate: PollAdmin, paging: Paging) -> PagedList[polls.CastVote]:
    """List who voted what; an admin may. Nobody's code is among it."""
    found = await polls.votes(gate, with_origins=True, limit=paging.limit, cursor=paging.cursor)
    return PagedList(found.items, found.cursor)


@api.get(MINE, Need.ANYONE, errors=(304, 410, 429))
async def get_my_vote(
    gate: PollGate, code: HeldCode, if_none_match: IfNoneMatch
) -> JsonResponse[MyVote]:
    """Get the vote that belongs to a code, or to one's account."""
    return tagged(_mine(await polls.my_vote(gate, code_of(gate, code))), unless=if_none_match)


@api.put(MINE, Need.ANYONE, errors=(409, 410, 412, 429, 507))
async def change_my_vote(
    gate: PollGate, code: HeldCode, if_match: IfMatch, vote: TypedVote
) -> JsonResponse[MyVote]:
    """Change the vote that belongs to a code, or to one's account, until the close."""
    changed = await polls.change_vote(
        gate,
        code_of(gate, code),
        vote,
        check_seen=lambda before: check_match(if_match, _mine(before)),
    )
    return tagged(_mine(changed))


@api.delete(MINE, Need.ANYONE, errors=(409, 410, 429))
async def withdraw_my_vote(gate: PollGate, code: HeldCode) -> None:
    """Take the vote that belongs to a code, or to one's account, back until the close."""
    await polls.withdraw_vote(gate, code_of(gate, code))


@api.delete(f"{ALL}/{{answer_id:str}}", Need.ANYONE)
async def remove_vote(gate: PollAdmin, answer_id: str) -> None:
    """Remove a vote from the tally; an admin may, also after the close."""
    await polls.remove_vote(gate, answer_id)


@api.get(f"{ONE}/results", Need.ANYONE)
async def get_poll_results(gate: PollGate, code: HeldCode) -> PollResults:
    """Get how a poll stands; where that takes a vote, show its code."""
    found = await polls.results_for(gate, maybe_code(gate, code))
    if found is None:
        raise Forbidden("You cannot see the results of this poll, or not yet.")
    return PollResults(gate.page.vote_count, found)


@api.post(f"{ONE}/close", Need.ANYONE, status=200)
async def close_poll(request: Request, gate: PollAdmin) -> JsonResponse[SharedPage]:
    """End a poll by hand; an admin may."""
    await polls.close_poll(gate)
    return await view_after_change(request)


@api.post(f"{ONE}/reopen", Need.ANYONE, status=200)
async def reopen_poll(request: Request, gate: PollAdmin) -> JsonResponse[SharedPage]:
    """Take votes again; an admin may. A moment to close at that is over is one no longer."""
    await polls.reopen_poll(gate)
    return await view_after_change(request)


_mine = projection(PollVote, MyVote, answers=lambda one: polls.by_question(one.answers))
