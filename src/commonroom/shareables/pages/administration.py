"""The settings of a page: what an admin sees before doing anything with it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from litestar import Response, get
from litestar.params import FromPath

from commonroom.shareables import words
from commonroom.shareables.addresses import address_of
from commonroom.shareables.entering import account_of, passes_of
from commonroom.shareables.pages.asking import ONE, entered
from commonroom.shareables.pages.drafts import kind_of
from commonroom.shareables.pages.lasting import extensions, outlived_by
from commonroom.shareables.pages.polls import Voter, votes_seen
from commonroom.shareables.rules.access import LONGEST_PASSCODE
from commonroom.shareables.rules.polls import is_over
from commonroom.shareables.rules.short_ids import shown
from commonroom.shareables.service.events import Guest, guests
from commonroom.shareables.service.gate import Opened, Page, of_kind
from commonroom.shareables.service.polls import votes as cast
from commonroom.shareables.tables import Event, Poll
from commonroom.web.access import Need, needs
from commonroom.web.forms import EMPTY, Filled
from commonroom.web.redirects import redirect
from commonroom.web.render import render
from commonroom.web.request import Cursor, Request
from commonroom.web.sharing import shared

ADMIN = f"{ONE}/admin"
TEMPLATE = "shareables/admin.html"
DEEDS = ("extend", "close", "reopen", "untick", "claim", "clone", "link", "delete")


@get(ADMIN, opt=needs(Need.ANYONE))
async def administration(
    request: Request, short_id: FromPath[str], cursor: Cursor = None
) -> Response[Any]:
    """All that an admin can do with a page; also with one whose time is over."""
    gate = await as_admin(request, short_id)
    return render(request, TEMPLATE, **await settings_context(request, gate, cursor=cursor))


@get(
    [
        *(f"{ADMIN}/{deed}" for deed in DEEDS),
        f"{ADMIN}/passcodes/{{role:str}}",
        f"{ADMIN}/passcodes/{{role:str}}/remove",
        f"{ADMIN}/remove/{{answer_id:str}}",
    ],
    opt=needs(Need.ANYONE),
    sync_to_thread=False,
)
def back_to_administration(short_id: FromPath[str]) -> Response[Any]:
    """For whoever loads the address of a form anew."""
    return done(short_id)


async def as_admin(request: Request, short_id: str) -> Opened[Page]:
    """The page, opened to be administered."""
    return await entered(request, short_id, want="admin")


def done(short_id: str, say: str | None = None) -> Response[Any]:
    """Back to the settings, with something to say there."""
    return redirect(f"{address_of(short_id)}/admin", say)


async def settings_context(
    request: Request, gate: Opened[Page], *, form: Filled = EMPTY, cursor: str | None = None
) -> dict[str, Any]:
    """What the settings show."""
    one, now, account = gate.page, time.time(), account_of(request)
    answers = votes = None
    store, keys = request.store, passes_of(request).answer_keys
    if isinstance(one, Event):
        answers = await guests(store, of_kind(gate, Event), keys=keys, cursor=cursor)
    elif isinstance(one, Poll):
        found = await cast(store, of_kind(gate, Poll), keys=keys, cursor=cursor)
        votes = votes_seen(one, found)
    address = address_of(one.short_id)
    return {
        "form": form,
        "room": words,
        "gate": gate,
        "one": one,
        "kind": kind_of(one),
        "short_id": shown(one.short_id),
        "address": address,
        "link": shared(request, address, one.name),
        "extensions": extensions(now, one),
        "outlived_by": outlived_by(one),
        "is_over": isinstance(one, Poll) and is_over(now, one),
        "may_claim": account is not None and gate.standing == "creator" and one.created_by is None,
        "is_mine": account is not None and one.created_by == account,
        "answers": answers,
        "votes": votes,
        "addresses": _numbered(answers.guests if answers else votes.voters if votes else []),
        "longest": LONGEST_PASSCODE,
    }


def _numbered(answers: Sequence[Guest] | Sequence[Voter]) -> dict[str, int]:
    """Numbers for the networks that several answers came from, so that they can be told apart."""
    shared = (
        one.origin.network
        for one in answers
        if one.origin is not None and one.origin.network is not None and one.origin.from_network > 1
    )
    return {network: number for number, network in enumerate(dict.fromkeys(shared), 1)}


HANDLERS = [administration, back_to_administration]
