"""Resuming a form: what was typed before a passcode was asked for is not lost.

That happens where somebody changes a passcode while another fills a form in.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias
from urllib.parse import parse_qsl

from litestar import Response
from msgspec import Meta

from commonroom.errors import BadRequest
from commonroom.shareables.pages.drafts.rows import MOST_FIELDS
from commonroom.web.render import render_secret
from commonroom.web.request import Request

ANSWERING = ("/answer", "/vote")
FORMS = ("/edit", *ANSWERING)
"""Where people type more than they would want to type twice."""
LONGEST = 300_000

Typed: TypeAlias = Annotated[str, Meta(max_length=LONGEST)]
"""What a form sent, as it sent it."""


async def remember_form(request: Request) -> None:
    """Remembers what a form sends, for the case that a passcode stands before it."""
    if request.method == "POST" and request.url.path.endswith(FORMS):
        sent = (await request.body()).decode("ascii", "replace")
        request.scope["state"]["typed"] = sent if len(sent) <= LONGEST else ""


def remembered_form(request: Request) -> str:
    """What was typed, where it is worth keeping."""
    typed: str = request.scope["state"].get("typed", "")
    return typed


def offer_again(request: Request, typed: str, form: str, page: str) -> Response[Any]:
    """The same form once more, to be sent by whoever is let in now."""
    try:
        fields = parse_qsl(typed, keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise BadRequest("The form could not be read. Please try again.") from None
    context = {"fields": fields, "form_address": form, "address": page}
    return render_secret(request, "shareables/carried.html", **context)
