"""What people leave on a page: answers to an event, votes in a poll, ticks on a checklist."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Literal, TypeAlias, TypeVar

from commonroom.errors import InvalidField, NotFound, RateLimited
from commonroom.http.access import Need
from commonroom.http.forms import Form, FormState, Line, OneOrMany, Pages, as_list
from commonroom.http.redirects import path_part, redirect
from commonroom.http.render import refuse
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.shareables.errors import AlreadyAnswered, TryAgain, WrongCode
from commonroom.shareables.pages.checklists import keep_name, keep_ticks, name_here, ticked_here
from commonroom.shareables.pages.cookies import (
    announce_code,
    forget_receipt,
    keep_receipt,
    receipt_in,
    with_receipt,
)
from commonroom.shareables.pages.view import view
from commonroom.shareables.request import ONE, ChecklistGate, EventGate, PageGate, PollGate
from commonroom.shareables.rules.access import Receipt
from commonroom.shareables.rules.checklists import MAX_TICKER
from commonroom.shareables.rules.events import Response as Coming
from commonroom.shareables.rules.events import TypedEventRsvp
from commonroom.shareables.rules.polls import TypedVote
from commonroom.shareables.rules.short_ids import address_of
from commonroom.shareables.service import checklists, events, polls
from commonroom.shareables.service.answers import Answers
from commonroom.shareables.service.gate import P, Page, PageAccess, as_guest
from commonroom.shareables.tables import Checklist, Event, EventRsvp, Poll, PollVote
from commonroom.texts import fit_optional_line

T = TypeVar("T")

NAME, ANEW = "name", "anew"


pages = Pages()


class EventRsvpForm(Form):
    """Whether a person comes."""

    name: Line = ""
    response: Literal[Coming, ""] = ""
    guest_count: int = 0
    anew: bool = False
    """Whether this is another person than the one who answered on this device before."""

    @property
    def typed(self) -> TypedEventRsvp:
        """As the rules take it; a person who cannot come brings nobody, whatever was chosen."""
        if self.response == "":
            raise InvalidField("response", "Please choose whether you are coming.")
        guests = 0 if self.response == "notGoing" else self.guest_count
        return TypedEventRsvp(name=self.name, response=self.response, guest_count=guests)


VoteForm: TypeAlias = dict[str, OneOrMany]
"""What was chosen, by question id; and beside it a name."""


class AnswerCodeForm(Form):
    """The code of an answer, as it was written down."""

    code: Line = ""


class TickForm(Form):
    """The item that was pressed: one of these says which, and what to do with it."""

    tick: Line = ""
    untick: Line = ""


class NameForm(Form):
    """The name under which ticks are made here; none for none."""

    name: Line = ""


@pages.form(f"{ONE}/answer", Need.ANYONE, on=view, flash="shareable-answer-changed")
async def answer_event(
    request: Request, gate: EventGate, data: EventRsvpForm
) -> Response[Any] | None:
    """Takes an answer, or another in the place of the one that is theirs."""
    typed = data.typed
    answer, was_there = await _change_or_create(
        request,
        gate,
        lambda mine: events.change_answer(gate, mine, typed),
        lambda gate: events.answer(gate, typed),
        anew=data.anew,
    )
    return None if was_there else _given(request, answer, "shareable-answered")


@pages.form(f"{ONE}/vote", Need.ANYONE, on=view, flash="shareable-vote-changed")
async def vote(request: Request, gate: PollGate, data: VoteForm) -> Response[Any] | None:
    """Takes a vote, or another in the place of the one that is theirs."""
    typed = _typed_vote(data)
    cast, was_there = await _change_or_create(
        request,
        gate,
        lambda mine: polls.change_vote(gate, mine, typed),
        lambda gate: polls.vote(gate, typed),
        anew=bool(data.get(ANEW)),
    )
    return None if was_there else _given(request, cast, "shareable-voted")


@pages.form(f"{ONE}/code", Need.ANYONE, on=view)
async def bring_over(request: Request, gate: PageGate, data: AnswerCodeForm) -> Response[Any]:
    """Lets this device know an answer that was given on another."""
    try:
        found = await _answers_on(gate.page).find(gate, data.code)
    except (WrongCode, RateLimited) as error:
        typed = FormState({"code": data.code}, {"code": error.detail})
        return refuse(await view.show(request, gate, form=typed), error)
    answer = redirect(address_of(found.short_id), "shareable-brought-over")
    keep_receipt(request, answer, Receipt(found.short_id, found.code))
    return answer


@pages.form(f"{ONE}/withdraw", Need.ANYONE, on=view)
async def withdraw(request: Request, gate: PageGate) -> Response[Any]:
    """Takes back what the account answered, or else this device."""

    async def take_back(mine: Receipt) -> Receipt:
        await _answers_on(gate.page).withdraw(gate, mine)
        return mine

    withdrawn = await with_receipt(request, gate, take_back)
    answer = redirect(address_of(gate.page.short_id), "shareable-withdrawn")
    if withdrawn is None or withdrawn == receipt_in(request):
        forget_receipt(request, answer, gate.page.short_id)
    return answer


@pages.form(f"{ONE}/tick", Need.ANYONE, on=view)
async def tick(request: Request, gate: ChecklistGate, data: TickForm) -> Response[Any] | str:
    """Ticks an item, or takes its tick away; the list is then where the item is."""
    if not gate.page.ticks_shared:
        return _tick_here(request, gate.page, data)
    if data.untick:
        await checklists.untick(gate, data.untick)
    else:
        await checklists.tick(gate, data.tick, name_here(request))
    return _at_item(gate.page, data)


@pages.form(f"{ONE}/ticks/clear", Need.ANYONE, on=view)
async def clear_ticks(request: Request, gate: ChecklistGate) -> Response[Any]:
    """Takes all ticks of this device away."""
    answer = _back(gate, "shareable-started-over")
    keep_ticks(request, answer, gate.page, ())
    return answer


@pages.form(f"{ONE}/name", Need.ANYONE, on=view)
async def say_who(request: Request, gate: ChecklistGate, data: NameForm) -> Response[Any]:
    """Remembers the name under which ticks are made here."""
    name = fit_optional_line("name", data.name, MAX_TICKER)
    answer = _back(gate, "shareable-named" if name else "shareable-unnamed")
    keep_name(request, answer, gate.page.short_id, name)
    return answer


async def _change_or_create(
    request: Request,
    gate: PageAccess[P],
    change: Callable[[Receipt], Awaitable[T]],
    create: Callable[[PageAccess[P]], Awaitable[T]],
    *,
    anew: bool,
) -> tuple[T, bool]:
    """Their answer, and whether it was there before; `anew` for another person at this device."""
    if anew:
        return await create(as_guest(gate)), False
    for _ in range(2):
        if (changed := await with_receipt(request, gate, change)) is not None:
            return changed, True
        try:
            return await create(gate), False
        except AlreadyAnswered:
            continue  # on another device, in the same moment
    raise TryAgain


def _given(request: Request, new: EventRsvp | PollVote, flash: str) -> Response[Any]:
    """Leads back to the page after an answer: this device keeps a guest's, and shows its code."""
    answer = redirect(address_of(new.short_id), flash)
    if new.account_id is None:
        keep_receipt(request, answer, Receipt(new.short_id, new.code))
        announce_code(request, answer, new.short_id)
    return answer


def _typed_vote(sent: VoteForm) -> TypedVote:
    name = next(iter(as_list(sent.get(NAME, ""))), "")
    answers = {key: as_list(chosen) for key, chosen in sent.items() if key not in (NAME, ANEW)}
    return TypedVote(name=name, answers=answers)


def _answers_on(page: Page) -> Answers[Any, Any, Any]:
    match page:
        case Event():
            return events.RSVPS
        case Poll():
            return polls.VOTES
        case Checklist():
            raise NotFound("A checklist takes no answers.")


def _tick_here(request: Request, page: Checklist, sent: TickForm) -> Response[Any]:
    if (sent.tick or sent.untick) not in {one.checklist_item_id for one in page.items}:
        raise NotFound("This item is no longer on the list.")
    answer = redirect(_at_item(page, sent))
    ticked = ticked_here(request, page) | {sent.tick}
    keep_ticks(request, answer, page, ticked - {sent.untick})
    return answer


def _at_item(page: Checklist, sent: TickForm) -> str:
    return f"{address_of(page.short_id)}#item-{path_part(sent.tick or sent.untick)}"


def _back(gate: PageAccess[Checklist], flash: str) -> Response[Any]:
    return redirect(address_of(gate.page.short_id), flash)
