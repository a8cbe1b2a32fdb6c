"""Voting in a poll, its results, and closing it by hand."""

from __future__ import annotations

import time

from commonroom.errors import Forbidden
from commonroom.shareables.api import views
from commonroom.shareables.api.asking import (
    ONE,
    HeldCode,
    HeldPass,
    code_of,
    entered,
    maybe_code,
)
from commonroom.shareables.api.bodies import VoteGiven, typed
from commonroom.shareables.api.view import seen_again
from commonroom.shareables.entering import passes_of
from commonroom.shareables.rules.access import Role
from commonroom.shareables.rules.polls import TypedVote
from commonroom.shareables.service import polls
from commonroom.shareables.service.gate import Opened, of_kind
from commonroom.shareables.tables import Poll
from commonroom.web.access import Need
from commonroom.web.etags import IfMatch, IfNoneMatch, check_match, tagged
from commonroom.web.json_responses import JsonResponse
from commonroom.web.operations import delete, get, part, post, put
from commonroom.web.paging import Listed, Paging
from commonroom.web.request import Request

ALL = f"{ONE}/votes"
MINE = f"{ALL}/mine"


@post(ALL, Need.ANYONE, errors=(409, 410, 429, 507), repeatable=True)
async def create_vote(
    request: Request, short_id: str, held: HeldPass, vote: VoteGiven
) -> JsonResponse[views.GivenVote]:
    """Vote; a guest is shown the vote's code, once.

    With an account there is one vote and no code: another is 409, and `mine` is changed instead.
    A few guests can vote from one network, unless the poll has a `shared_network`.
    """
    gate = await _poll(request, short_id, held)
    given = await polls.vote(request.store, time.time(), gate, typed(vote, TypedVote))
    return JsonResponse(views.given_vote(given, passes_of(request)), status=201)


@get(ALL, Need.ANYONE, errors=(410,))
async def list_votes(
    request: Request, short_id: str, held: HeldPass, paging: Paging
) -> JsonResponse[Listed[views.CastVote]]:
    """List who voted what; an admin may. Nobody's code is among it."""
    gate = await _poll(request, short_id, held, want="admin")
    found = await polls.votes(
        request.store,
        gate,
        keys=passes_of(request).answer_keys,
        limit=paging.limit,
        cursor=paging.cursor,
    )
    return JsonResponse(Listed([views.cast_vote(one) for one in found.votes], found.cursor))


@get(MINE, Need.ANYONE, errors=(304, 410, 429))
async def get_my_vote(
    request: Request,
    short_id: str,
    held: HeldPass,
    code: HeldCode,
    if_none_match: IfNoneMatch,
) -> JsonResponse[views.MyVote]:
    """Get the vote that belongs to a code, or to one's account."""
    gate = await _poll(request, short_id, held)
    found = await polls.my_vote(request.store, time.time(), gate, code_of(request, gate, code))
    return tagged(views.my_vote(found), unless=if_none_match)


@put(MINE, Need.ANYONE, errors=(409, 410, 412, 429, 507))
async def change_my_vote(
    request: Request,
    short_id: str,
    *,
    held: HeldPass,
    code: HeldCode,
    if_match: IfMatch,
    vote: VoteGiven,
) -> JsonResponse[views.MyVote]:
    """Change the vote that belongs to a code, or to one's account, until the close."""
    gate = await _poll(request, short_id, held)
    changed = await polls.change_vote(
        request.store,
        time.time(),
        gate,
        code_of(request, gate, code),
        typed(vote, TypedVote),
        check_seen=lambda before: check_match(if_match, views.my_vote(before)),
    )
    return tagged(views.my_vote(changed))


@delete(MINE, Need.ANYONE, errors=(409, 410, 429))
async def withdraw_my_vote(
    request: Request, short_id: str, held: HeldPass, code: HeldCode
) -> JsonResponse[None]:
    """Take the vote that belongs to a code, or to one's account, back until the close."""
    gate = await _poll(request, short_id, held)
    await polls.withdraw_vote(request.store, time.time(), gate, code_of(request, gate, code))
    return JsonResponse(None)


@delete(f"{ALL}/{{answer_id:str}}", Need.ANYONE, errors=(410, 429))
async def remove_vote(
    request: Request, short_id: str, answer_id: str, held: HeldPass
) -> JsonResponse[None]:
    """Remove somebody's vote from the tally; an admin may, also after the close."""
    gate = await _poll(request, short_id, held, want="admin")
    keys = passes_of(request).answer_keys
    await polls.remove_vote(request.store, keys, time.time(), gate, answer_id)
    return JsonResponse(None)


@get(f"{ONE}/results", Need.ANYONE, errors=(410, 429))
async def get_poll_results(
    request: Request, short_id: str, held: HeldPass, code: HeldCode
) -> JsonResponse[views.PollResults]:
    """Get how a poll stands; where that takes a vote, show its code."""
    gate = await _poll(request, short_id, held)
    shown = maybe_code(request, code)
    found = await polls.results_for(request.store, time.time(), gate, shown)
    if found is None:
        raise Forbidden("You cannot see the results of this poll, or not yet.")
    return JsonResponse(views.poll_results(gate.page, found))


@post(f"{ONE}/close", Need.ANYONE, errors=(410, 429), status=200)
async def close_poll(
    request: Request, short_id: str, held: HeldPass
) -> JsonResponse[views.SharedPage]:
    """End a poll by hand; an admin may."""
    gate = await _poll(request, short_id, held, want="admin")
    await polls.close_poll(request.store, time.time(), gate)
    return await seen_again(request, short_id, held)


@post(f"{ONE}/reopen", Need.ANYONE, errors=(410, 429), status=200)
async def reopen_poll(
    request: Request, short_id: str, held: HeldPass
) -> JsonResponse[views.SharedPage]:
    """Take votes again; an admin may. A moment to close at that is over is one no longer."""
    gate = await _poll(request, short_id, held, want="admin")
    await polls.reopen_poll(request.store, time.time(), gate)
    return await seen_again(request, short_id, held)


async def _poll(
    request: Request, short_id: str, held: str | None, *, want: Role = "view"
) -> Opened[Poll]:
    return of_kind(await entered(request, short_id, held, want=want), Poll)


OPERATIONS = part(
    "Shareables: polls",
    create_vote,
    list_votes,
    get_my_vote,
    change_my_vote,
    withdraw_my_vote,
    remove_vote,
    get_poll_results,
    close_poll,
    reopen_poll,
)
