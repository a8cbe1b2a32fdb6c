"""The recovery link: whoever made a page comes back in with it, on any device."""

from __future__ import annotations

import time
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from commonroom.errors import Forbidden
from commonroom.shareables.addresses import address_of, recovery_address
from commonroom.shareables.entering import passes_of
from commonroom.shareables.pages.asking import ONE
from commonroom.shareables.pages.cookies import keep_pass
from commonroom.shareables.rules.short_ids import read_short_id, shown
from commonroom.shareables.service.gate import Shown, no_such_page, opened
from commonroom.web.access import Need, needs
from commonroom.web.forms import EMPTY, Filled
from commonroom.web.redirects import redirect
from commonroom.web.render import render_refused, render_secret
from commonroom.web.request import Request

RECOVERY = f"{ONE}/recover/{{token:str}}"
TEMPLATE = "shareables/recover.html"


@get(RECOVERY, opt=needs(Need.ANYONE))
async def offer_to_come_back(
    request: Request, short_id: FromPath[str], token: FromPath[str]
) -> Response[Any]:
    """A button, and nothing else: whatever previews a link must not use it."""
    address = recovery_address(_read(short_id), token)
    return render_secret(request, TEMPLATE, short_id=shown(short_id), address=address, form=EMPTY)


@post(RECOVERY, opt=needs(Need.ANYONE), status_code=200)
async def come_back(
    request: Request, short_id: FromPath[str], token: FromPath[str]
) -> Response[Any]:
    """Keeps the pass of the link in this browser, where it is still good."""
    passes, held = passes_of(request), Shown(tokens=(token,))
    try:
        gate = await opened(request.store, passes, time.time(), short_id, held, want="admin")
    except Forbidden:
        return _ended(request, short_id)
    answer = redirect(address_of(gate.page.short_id), "shareable-back")
    keep_pass(request, answer, token)
    return answer


def _ended(request: Request, typed: str) -> Response[Any]:
    error = Forbidden(
        "This link no longer works. It may be incomplete, or a newer one was created."
    )
    context = {"short_id": shown(typed), "address": None}
    return render_refused(
        request, TEMPLATE, error, **context, form=Filled(wrong_altogether=error.detail)
    )


def _read(typed: str) -> str:
    short_id = read_short_id(typed)
    if short_id is None:
        raise no_such_page()
    return short_id


HANDLERS = [offer_to_come_back, come_back]
