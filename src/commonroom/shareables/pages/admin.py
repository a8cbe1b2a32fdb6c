"""The settings of a page: what an admin sees, and does with its life, its answers and its end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from commonroom.http.access import Need
from commonroom.http.forms import EMPTY, Form, FormState, Line, Pages
from commonroom.http.redirects import redirect
from commonroom.http.render import render
from commonroom.http.request import Cursor, Request
from commonroom.http.responses import Response
from commonroom.http.sharing import shared
from commonroom.shareables import words
from commonroom.shareables.pages.cookies import forget
from commonroom.shareables.pages.drafts.draft import days_chosen
from commonroom.shareables.pages.polls import Voter, voter_view
from commonroom.shareables.request import (
    ADMIN,
    LEADS_TO,
    ChecklistAdmin,
    PageAdmin,
    PollAdmin,
    account_of,
)
from commonroom.shareables.rules.access import MAX_PASSCODE
from commonroom.shareables.rules.lifecycle import outlived_by, possible_extensions
from commonroom.shareables.rules.polls import is_over
from commonroom.shareables.rules.short_ids import address_of, format_short_id
from commonroom.shareables.service import checklists, edit, events, polls
from commonroom.shareables.service.gate import of_kind
from commonroom.shareables.service.listing import claim_as_mine
from commonroom.shareables.tables import Event, Poll, kind_of
from commonroom.store import Page as Part

pages = Pages()


class ExtendForm(Form):
    """How many days from now a page is to live."""

    days: Line


@pages.page(ADMIN, Need.ANYONE)
async def admin(
    request: Request, gate: PageAdmin, cursor: Cursor = None, form: FormState = EMPTY
) -> Response[Any]:
    """All that an admin can do with a page; also with one whose time is over."""
    one, account = gate.page, account_of(request)
    answers = votes = None
    if isinstance(one, Event):
        answers = await events.guests(of_kind(gate, Event), with_origins=True, cursor=cursor)
    elif isinstance(one, Poll):
        found = await polls.votes(of_kind(gate, Poll), with_origins=True, cursor=cursor)
        votes = Part([voter_view(one, cast) for cast in found.items], found.seal)
    address = address_of(one.short_id)
    context: dict[str, Any] = {
        "form": form,
        "room": words,
        "gate": gate,
        "one": one,
        "kind": kind_of(one),
        "short_id": format_short_id(one.short_id),
        "address": address,
        "link": shared(request, address, one.name),
        "extensions": possible_extensions(gate.now, one),
        "outlived_by": outlived_by(one),
        "is_over": isinstance(one, Poll) and is_over(gate.now, one),
        "may_claim": account is not None and gate.standing == "creator" and one.created_by is None,
        "is_mine": account is not None and one.created_by == account,
        "answers": answers,
        "votes": votes,
        "addresses": _numbered(shown.items if (shown := answers or votes) else []),
        "longest": MAX_PASSCODE,
    }
    return render(request, "shareables/admin.html", **context)


@pages.form(f"{ADMIN}/extend", Need.ANYONE, on=admin, flash="shareable-extended")
async def extend_page(gate: PageAdmin, data: ExtendForm) -> None:
    """Lets a page live longer."""
    await edit.extend(gate, days_chosen(data.days))


@pages.form(f"{ADMIN}/close", Need.ANYONE, on=admin, flash="shareable-poll-closed")
async def close_poll(gate: PollAdmin) -> None:
    """Ends a poll by hand."""
    await polls.close_poll(gate)


@pages.form(f"{ADMIN}/reopen", Need.ANYONE, on=admin, flash="shareable-poll-reopened")
async def reopen_poll(gate: PollAdmin) -> None:
    """Takes votes again."""
    await polls.reopen_poll(gate)


@pages.form(f"{ADMIN}/untick", Need.ANYONE, on=admin, leads_to=LEADS_TO, flash="shareable-unticked")
async def untick_all(gate: ChecklistAdmin) -> None:
    """Takes all ticks of a list away, and leads back to it."""
    await checklists.untick_all(gate)


@pages.form(f"{ADMIN}/claim", Need.NOT_ACTING, on=admin, flash="shareable-claimed")
async def claim_page(request: Request, gate: PageAdmin) -> None:
    """Makes a page the account's."""
    await claim_as_mine(gate, request.person.user_id)


@pages.form(
    f"{ADMIN}/remove/{{answer_id:str}}", Need.ANYONE, on=admin, flash="shareable-answer-removed"
)
async def remove_answer(gate: PageAdmin, answer_id: str) -> None:
    """Removes an answer or vote, with what it counts for."""
    if isinstance(gate.page, Poll):
        await polls.remove_vote(of_kind(gate, Poll), answer_id)
    else:
        await events.remove_answer(of_kind(gate, Event), answer_id)


@pages.form(f"{ADMIN}/delete", Need.ANYONE, on=admin)
async def delete(request: Request, gate: PageAdmin) -> Response[Any]:
    """Deletes a page, with everything on it."""
    await edit.delete_page(gate)
    answer = redirect("/s", "shareable-deleted")
    forget(request, answer, gate.page.short_id)
    return answer


def _numbered(answers: Sequence[events.EventGuest] | Sequence[Voter]) -> dict[str, int]:
    """Numbers for the networks that several answers came from, so that they can be told apart."""
    networks = (
        one.origin.network
        for one in answers
        if one.origin is not None and one.origin.network is not None and one.origin.from_network > 1
    )
    return {network: number for number, network in enumerate(dict.fromkeys(networks), 1)}
