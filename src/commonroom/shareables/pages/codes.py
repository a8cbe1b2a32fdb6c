"""Codes: bringing an answer over from another device, and taking one back."""

from __future__ import annotations

import time
from typing import Any

from litestar import Response, post
from litestar.params import FromPath

from commonroom.errors import NotFound, RateLimited
from commonroom.shareables.addresses import address_of
from commonroom.shareables.errors import AnswersClosed, WrongCode
from commonroom.shareables.pages.asking import ONE, entered
from commonroom.shareables.pages.cookies import forget_receipt, keep_receipt, receipt_in
from commonroom.shareables.pages.receipts import with_receipt
from commonroom.shareables.pages.showing import show_again
from commonroom.shareables.rules.access import Receipt
from commonroom.shareables.service import events, polls
from commonroom.shareables.service.answers import Code
from commonroom.shareables.service.gate import Opened, Page, of_kind
from commonroom.shareables.tables import Checklist, Event, EventRsvp, Poll, PollVote
from commonroom.web.access import Need, needs
from commonroom.web.forms import Filled, Form, Line, Sent
from commonroom.web.redirects import redirect
from commonroom.web.request import Request


class CodeForm(Form):
    """The code of an answer, as somebody wrote it down."""

    code: Line = ""


@post(f"{ONE}/code", opt=needs(Need.ANYONE), status_code=200)
async def bring_over(
    request: Request, short_id: FromPath[str], data: Sent[CodeForm]
) -> Response[Any]:
    """Lets this device know an answer that was given on another."""
    gate = await entered(request, short_id)
    try:
        found = await _answer(request, gate, data.code)
    except (WrongCode, RateLimited) as error:
        form = Filled({"code": data.code}, {"code": error.detail})
        return await show_again(request, gate, form, error)
    answer = redirect(address_of(found.short_id), "shareable-brought-over")
    keep_receipt(request, answer, Receipt(found.short_id, found.code))
    return answer


@post(f"{ONE}/withdraw", opt=needs(Need.ANYONE), status_code=200)
async def take_back(request: Request, short_id: FromPath[str]) -> Response[Any]:
    """Takes back what the account answered, or else this device."""
    gate = await entered(request, short_id)
    try:
        taken = await with_receipt(request, gate, lambda mine: _withdraw(request, gate, mine))
    except AnswersClosed as error:
        return await show_again(request, gate, Filled(wrong_altogether=error.detail), error)
    answer = redirect(address_of(gate.page.short_id), "shareable-withdrawn")
    if taken is None or taken == receipt_in(request):
        forget_receipt(request, answer, gate.page.short_id)
    return answer


async def _answer(request: Request, gate: Opened[Page], code: Code) -> EventRsvp | PollVote:
    store, now = request.store, time.time()
    match gate.page:
        case Event():
            return await events.my_answer(store, now, of_kind(gate, Event), code)
        case Poll():
            return await polls.my_vote(store, now, of_kind(gate, Poll), code)
        case Checklist():
            raise _no_answers()


async def _withdraw(request: Request, gate: Opened[Page], code: Receipt) -> Receipt:
    store, now = request.store, time.time()
    match gate.page:
        case Event():
            await events.withdraw_answer(store, now, of_kind(gate, Event), code)
        case Poll():
            await polls.withdraw_vote(store, now, of_kind(gate, Poll), code)
        case Checklist():
            raise _no_answers()
    return code


def _no_answers() -> NotFound:
    return NotFound("A checklist takes no answers.")


HANDLERS = [bring_over, take_back]
