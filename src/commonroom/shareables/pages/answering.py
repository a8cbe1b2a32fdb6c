"""Answering an event: giving an answer, and changing it."""

from __future__ import annotations

import time
from typing import Any, Literal

from litestar import Response, post
from litestar.params import FromPath

from commonroom.errors import InvalidField, RateLimited
from commonroom.shareables.addresses import address_of
from commonroom.shareables.errors import AnswersClosed, PageFull, TooManyFromNetwork
from commonroom.shareables.pages.asking import ONE, entered
from commonroom.shareables.pages.receipts import changed_or_given, given
from commonroom.shareables.pages.showing import show_again
from commonroom.shareables.rules.events import Response as Answer
from commonroom.shareables.rules.events import TypedRsvp
from commonroom.shareables.service import events
from commonroom.shareables.service.gate import of_kind
from commonroom.shareables.tables import Event
from commonroom.web.access import Need, needs
from commonroom.web.forms import Form, Line, Sent, refused
from commonroom.web.redirects import redirect
from commonroom.web.request import Request


class AnswerForm(Form):
    """Whether somebody comes."""

    name: Line = ""
    response: Literal[Answer, ""] = ""
    guest_count: int = 0
    anew: bool = False
    """Whether this is somebody else than whoever answered on this device before."""

    @property
    def typed(self) -> TypedRsvp:
        """As the rules take it; whoever cannot come brings nobody, whatever was chosen before."""
        if self.response == "":
            raise InvalidField("response", "Please choose whether you are coming.")
        guests = 0 if self.response == "notGoing" else self.guest_count
        return TypedRsvp(name=self.name, response=self.response, guest_count=guests)


@post(f"{ONE}/answer", opt=needs(Need.ANYONE), status_code=200)
async def answer_event(
    request: Request, short_id: FromPath[str], data: Sent[AnswerForm]
) -> Response[Any]:
    """Takes an answer, or another in the place of the one that is theirs."""
    gate = of_kind(await entered(request, short_id), Event)
    store, now = request.store, time.time()
    try:
        typed = data.typed
        answer, was_there = await changed_or_given(
            request,
            gate,
            lambda mine: events.change_answer(store, now, gate, mine, typed),
            lambda gate: events.answer(store, now, gate, typed),
            anew=data.anew,
        )
    except (InvalidField, AnswersClosed, PageFull, TooManyFromNetwork, RateLimited) as error:
        return await show_again(request, gate, refused(data, error), error)
    if was_there:
        return redirect(address_of(answer.short_id), "shareable-answer-changed")
    return given(request, answer, "shareable-answered")


HANDLERS = [answer_event]
