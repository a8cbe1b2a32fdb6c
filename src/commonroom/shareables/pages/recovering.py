"""The recovery link: whoever made a page comes back in with it, on any device."""

from __future__ import annotations

import time
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from commonroom.shareables.addresses import address_of, recovery_address
from commonroom.shareables.entering import passes_of
from commonroom.shareables.errors import NeedsPasscode, NotYours
from commonroom.shareables.pages.asking import ONE
from commonroom.shareables.pages.cookies import keep_pass
from commonroom.shareables.rules.short_ids import read_short_id, shown
from commonroom.shareables.service.gate import Shown, no_such_page, opened
from commonroom.web.access import Need, needs
from commonroom.web.people.asking import AnyRequest, store_of
from commonroom.web.people.forms import EMPTY, Filled
from commonroom.web.people.showing import again, shown_once
from commonroom.web.rendering import to

RECOVERY = f"{ONE}/recover/{{token:str}}"
TEMPLATE = "shareables/recover.html"


@get(RECOVERY, opt=needs(Need.ANYONE))
async def offer_to_come_back(
    request: AnyRequest, short_id: FromPath[str], token: FromPath[str]
) -> Response[Any]:
    """A button, and nothing else: whatever previews a link must not use it."""
    address = recovery_address(_read(short_id), token)
    return shown_once(request, TEMPLATE, short_id=shown(short_id), address=address, form=EMPTY)


@post(RECOVERY, opt=needs(Need.ANYONE), status_code=200)
async def come_back(
    request: AnyRequest, short_id: FromPath[str], token: FromPath[str]
) -> Response[Any]:
    """Keeps the pass of the link in this browser, where it is still good."""
    passes, held = passes_of(request), Shown(tokens=(token,))
    try:
        gate = await opened(store_of(request), passes, time.time(), short_id, held, want="admin")
    except (NotYours, NeedsPasscode):
        return _ended(request, short_id)
    answer = to(address_of(gate.page.short_id), "shareable-back")
    keep_pass(request, answer, token)
    return answer


def _ended(request: AnyRequest, typed: str) -> Response[Any]:
    error = NotYours("This link no longer works. It may be incomplete, or a newer one was created.")
    context = {"short_id": shown(typed), "address": None}
    return again(request, TEMPLATE, error, **context, form=Filled(message=error.detail))


def _read(typed: str) -> str:
    short_id = read_short_id(typed)
    if short_id is None:
        raise no_such_page()
    return short_id


HANDLERS = [offer_to_come_back, come_back]
