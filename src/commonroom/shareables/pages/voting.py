"""Voting in a poll, and changing one's vote."""

from __future__ import annotations

import time
from typing import Any, TypeAlias

from litestar import Response, post
from litestar.params import FromPath

from commonroom.errors import InvalidField, RateLimited
from commonroom.shareables.addresses import address_of
from commonroom.shareables.errors import AnswersClosed, PageFull, TooManyFromNetwork
from commonroom.shareables.pages.asking import ONE, entered
from commonroom.shareables.pages.receipts import changed_or_given, given
from commonroom.shareables.pages.showing import show_again
from commonroom.shareables.rules.polls import TypedVote
from commonroom.shareables.service import polls
from commonroom.shareables.service.gate import of_kind
from commonroom.shareables.tables import Poll
from commonroom.web.access import Need, needs
from commonroom.web.forms import Sent, Ticked, all_of, refused
from commonroom.web.redirects import redirect
from commonroom.web.request import Request

VoteForm: TypeAlias = dict[str, Ticked]
"""What was chosen, by question id; and beside it a name."""
NAME, ANEW = "name", "anew"


@post(f"{ONE}/vote", opt=needs(Need.ANYONE), status_code=200)
async def vote(request: Request, short_id: FromPath[str], data: Sent[VoteForm]) -> Response[Any]:
    """Takes a vote, or another in the place of the one that is theirs."""
    gate = of_kind(await entered(request, short_id), Poll)
    store, now = request.store, time.time()
    typed = _typed(data)
    try:
        cast, was_there = await changed_or_given(
            request,
            gate,
            lambda mine: polls.change_vote(store, now, gate, mine, typed),
            lambda gate: polls.vote(store, now, gate, typed),
            anew=bool(data.get(ANEW)),
        )
    except (InvalidField, AnswersClosed, PageFull, TooManyFromNetwork, RateLimited) as error:
        return await show_again(request, gate, refused(data, error), error)
    if was_there:
        return redirect(address_of(cast.short_id), "shareable-vote-changed")
    return given(request, cast, "shareable-voted")


def _typed(sent: VoteForm) -> TypedVote:
    name = next(iter(all_of(sent.get(NAME, ""))), "")
    answers = {key: all_of(chosen) for key, chosen in sent.items() if key not in (NAME, ANEW)}
    return TypedVote(name=name, answers=answers)


HANDLERS = [vote]
