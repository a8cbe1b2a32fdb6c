"""API tokens: what programs show instead of a password."""

from __future__ import annotations

from typing import Any

from commonroom.accounts import sensitive_acts
from commonroom.accounts.service import tokens
from commonroom.accounts.tables import Scope, tokens_of
from commonroom.errors import Refusal
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import Form, FormState, Line, Pages
from commonroom.http.render import render, render_secret
from commonroom.http.request import Cursor, Request
from commonroom.http.responses import Response

HERE = "/me/tokens"
FRESH = FormState({"read": True, "days": 365})


pages = Pages()


class TokenForm(Form):
    """A token for a program."""

    name: Line
    read: bool = False
    write: bool = False
    admin: bool = False
    days: int = 0
    """0 for one that does not end by itself."""

    @property
    def scopes(self) -> list[Scope]:
        """What the token may do."""
        ticked: dict[Scope, bool] = {"read": self.read, "write": self.write, "admin": self.admin}
        return [scope for scope, yes in ticked.items() if yes]


@pages.page(HERE, Need.BROWSER)
async def list_tokens(
    request: Request, cursor: Cursor = None, form: FormState = FRESH
) -> Response[Any]:
    """The tokens there are, and the form for another."""
    pattern = tokens_of(user_id=request.person.user_id)
    found = await request.store.page(pattern, cursor=cursor)
    template = "people/tokens.html"
    return render(request, template, form=form, tokens=found.items, cursor=found.cursor)


@pages.form(HERE, Need.RECENT_AUTH, on=list_tokens, also_shows=(Refusal,))
async def make_token(request: Request, data: TokenForm) -> Response[Any]:
    """Makes a token, and shows its secret this once."""
    token, secret = await sensitive_acts.make_token(
        request, name=data.name, scopes=data.scopes, days=data.days or None
    )
    return render_secret(request, "people/token_made.html", token=token, secret=secret)


@pages.form(f"{HERE}/{{digest:str}}/revoke", Need.BROWSER, leads_to=HERE, flash="token-revoked")
async def revoke_token(ctx: Ctx, digest: str) -> None:
    """Ends a token."""
    await tokens.revoke_token(ctx, digest)
