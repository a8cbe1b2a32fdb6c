"""API tokens: what programs show instead of a password."""

from __future__ import annotations

from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath

from commonroom.accounts.service.tokens import revoke_token
from commonroom.accounts.tables import tokens_of
from commonroom.errors import Refusal
from commonroom.web.access import Need, needs
from commonroom.web.people import sensitive_acts
from commonroom.web.people.asking import AnyRequest, Cursor, person_in, store_of
from commonroom.web.people.forms import Filled, Sent, TokenForm, refused
from commonroom.web.people.showing import again, shown_once
from commonroom.web.rendering import page, redirect

HERE = "/me/tokens"
TEMPLATE = "people/tokens.html"
FRESH = Filled({"read": True, "days": 365})


@get(HERE, opt=needs(Need.BROWSER))
async def tokens(request: AnyRequest, cursor: Cursor = None) -> Response[Any]:
    """The tokens there are, and the form for another."""
    return page(request, TEMPLATE, form=FRESH, **await _context(request, cursor))


@post(HERE, opt=needs(Need.RECENT_AUTH), status_code=200)
async def make(request: AnyRequest, data: Sent[TokenForm]) -> Response[Any]:
    """Makes a token, and shows its secret this once."""
    try:
        token, secret = await sensitive_acts.make_token(
            request, name=data.name, scopes=data.scopes, days=data.days or None
        )
    except Refusal as error:
        form = refused(data, error)
        return again(request, TEMPLATE, error, form=form, **await _context(request))
    return shown_once(request, "people/token_made.html", token=token, secret=secret)


@post(f"{HERE}/{{digest:str}}/revoke", opt=needs(Need.BROWSER), status_code=200)
async def revoke(request: AnyRequest, digest: FromPath[str]) -> Response[Any]:
    """Ends a token."""
    await revoke_token(store_of(request), person_in(request), digest)
    return redirect(HERE, "token-revoked")


async def _context(request: AnyRequest, cursor: str | None = None) -> dict[str, Any]:
    person = person_in(request)
    found = await store_of(request).page(tokens_of(user_id=person.user_id), cursor=cursor)
    return {"tokens": found.items, "cursor": found.cursor}
