"""What an admin does with a page: its life, whose it is, and its end."""

from __future__ import annotations

import time
from typing import Any

from litestar import Response, post
from litestar.params import FromPath

from commonroom.shareables.addresses import address_of
from commonroom.shareables.entering import passes_of
from commonroom.shareables.pages.administration import ADMIN, as_admin, done
from commonroom.shareables.pages.cookies import forget
from commonroom.shareables.pages.drafts.draft import days_chosen
from commonroom.shareables.pages.ready import to_new_pass
from commonroom.shareables.service import checklists, events, polls
from commonroom.shareables.service.gate import of_kind
from commonroom.shareables.service.lifecycle import delete_page, extend
from commonroom.shareables.service.listing import claim_as_mine
from commonroom.shareables.service.passcodes import renew_creator_pass
from commonroom.shareables.tables import Checklist, Event, Poll
from commonroom.web.access import Need, needs
from commonroom.web.forms import Form, Line, Sent
from commonroom.web.redirects import redirect
from commonroom.web.request import Request


class ExtendForm(Form):
    """How many days from now a page is to live."""

    days: Line


@post(f"{ADMIN}/extend", opt=needs(Need.ANYONE), status_code=200)
async def extend_page(
    request: Request, short_id: FromPath[str], data: Sent[ExtendForm]
) -> Response[Any]:
    """Lets a page live longer."""
    gate = await as_admin(request, short_id)
    await extend(request.store, time.time(), gate, days_chosen(data.days))
    return done(short_id, "shareable-extended")


@post(f"{ADMIN}/close", opt=needs(Need.ANYONE), status_code=200)
async def close_poll(request: Request, short_id: FromPath[str]) -> Response[Any]:
    """Ends a poll by hand."""
    gate = of_kind(await as_admin(request, short_id), Poll)
    await polls.close_poll(request.store, time.time(), gate)
    return done(short_id, "shareable-poll-closed")


@post(f"{ADMIN}/reopen", opt=needs(Need.ANYONE), status_code=200)
async def reopen_poll(request: Request, short_id: FromPath[str]) -> Response[Any]:
    """Takes votes again."""
    gate = of_kind(await as_admin(request, short_id), Poll)
    await polls.reopen_poll(request.store, time.time(), gate)
    return done(short_id, "shareable-poll-reopened")


@post(f"{ADMIN}/untick", opt=needs(Need.ANYONE), status_code=200)
async def untick_all(request: Request, short_id: FromPath[str]) -> Response[Any]:
    """Takes all ticks of a list away, and leads back to it."""
    gate = of_kind(await as_admin(request, short_id), Checklist)
    await checklists.untick_all(request.store, time.time(), gate)
    return redirect(address_of(gate.page.short_id), "shareable-unticked")


@post(f"{ADMIN}/claim", opt=needs(Need.THEMSELVES), status_code=200)
async def claim_page(request: Request, short_id: FromPath[str]) -> Response[Any]:
    """Makes a page the account's."""
    gate = await as_admin(request, short_id)
    await claim_as_mine(request.store, time.time(), gate, request.person.user_id)
    return done(short_id, "shareable-claimed")


@post(f"{ADMIN}/link", opt=needs(Need.ANYONE), status_code=200)
async def renew_link(request: Request, short_id: FromPath[str]) -> Response[Any]:
    """Issues the private edit link anew, and shows it."""
    gate = await as_admin(request, short_id)
    token = await renew_creator_pass(request.store, passes_of(request), time.time(), gate)
    return to_new_pass(request, gate.page.short_id, token, "renewed")


@post(f"{ADMIN}/remove/{{answer_id:str}}", opt=needs(Need.ANYONE), status_code=200)
async def remove_answer(
    request: Request, short_id: FromPath[str], answer_id: FromPath[str]
) -> Response[Any]:
    """Removes somebody's answer or vote, with what it counts for."""
    gate = await as_admin(request, short_id)
    store, keys, now = request.store, passes_of(request).answer_keys, time.time()
    if isinstance(gate.page, Poll):
        await polls.remove_vote(store, keys, now, of_kind(gate, Poll), answer_id)
    else:
        await events.remove_answer(store, keys, now, of_kind(gate, Event), answer_id)
    return done(short_id, "shareable-answer-removed")


@post(f"{ADMIN}/delete", opt=needs(Need.ANYONE), status_code=200)
async def delete(request: Request, short_id: FromPath[str]) -> Response[Any]:
    """Deletes a page, with everything on it."""
    gate = await as_admin(request, short_id)
    await delete_page(request.store, time.time(), gate)
    answer = redirect("/s", "shareable-deleted")
    forget(request, answer, gate.page.short_id)
    return answer


HANDLERS = [
    extend_page,
    close_poll,
    reopen_poll,
    untick_all,
    claim_page,
    renew_link,
    remove_answer,
    delete,
]
