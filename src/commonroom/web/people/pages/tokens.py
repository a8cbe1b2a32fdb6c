"""API tokens: what programs show instead of a password."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from commonroom.accounts.service.tokens import revoke_token
from commonroom.accounts.tables import tokens_of
from commonroom.errors import Refusal
from commonroom.web.access import Need, needs
from commonroom.web.forms import Filled, Sent, refused
from commonroom.web.people import sensitive_acts
from commonroom.web.people.forms import TokenForm
from commonroom.web.redirects import redirect
from commonroom.web.render import render, render_refused, render_secret
from commonroom.web.request import Cursor, Request

HERE = "/me/tokens"
TEMPLATE = "people/tokens.html"
FRESH = Filled({"read": True, "days": 365})


@get(HERE, opt=needs(Need.BROWSER))
async def tokens(request: Request, cursor: Cursor = None) -> Response[Any]:
    """The tokens there are, and the form for another."""
    return render(request, TEMPLATE, form=FRESH, **await _context(request, cursor))


@post(HERE, opt=needs(Need.RECENT_AUTH), status_code=200)
async def make(request: Request, data: Sent[TokenForm]) -> Response[Any]:
    """Makes a token, and shows its secret this once."""
    try:
        token, secret = await sensitive_acts.make_token(
            request, name=data.name, scopes=data.scopes, days=data.days or None
        )
    except Refusal as error:
        form = refused(data, error)
        return render_refused(request, TEMPLATE, error, form=form, **await _context(request))
    return render_secret(request, "people/token_made.html", token=token, secret=secret)


@post(f"{HERE}/{{digest:str}}/revoke", opt=needs(Need.BROWSER), status_code=200)
async def revoke(request: Request, digest: FromPath[str]) -> Response[Any]:
    """Ends a token."""
    await revoke_token(request.context, digest)
    return redirect(HERE, "token-revoked")


async def _context(request: Request, cursor: str | None = None) -> dict[str, Any]:
    person = request.person
    found = await request.store.page(tokens_of(user_id=person.user_id), cursor=cursor)
    return {"tokens": found.items, "cursor": found.cursor}
