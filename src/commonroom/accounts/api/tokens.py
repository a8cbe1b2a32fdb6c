"""API tokens: what programs show instead of a password."""

from __future__ import annotations

from commonroom.accounts import sensitive_acts, tables
from commonroom.accounts.api import views
from commonroom.accounts.api.bodies import NewToken
from commonroom.accounts.service import tokens
from commonroom.accounts.tables import tokens_of
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList, Paging, paged
from commonroom.http.request import Request

api = Operations("Sessions and tokens")


@api.get("/me/tokens", Need.NOT_ACTING)
async def list_tokens(ctx: Ctx, paging: Paging) -> PagedList[views.Token]:
    """List one's API tokens."""

    def view(token: tables.ApiToken) -> views.Token | None:
        return views.token(token) if token.epoch == ctx.person.epoch else None

    return await paged(ctx.store, tokens_of(user_id=ctx.person.user_id), paging, view)


@api.post("/me/tokens", Need.RECENT_AUTH)
async def make_token(request: Request, new: NewToken) -> views.TokenWithSecret:
    """Make an API token.

    Its secret is shown this once. A token cannot make tokens.
    """
    token, secret = await sensitive_acts.make_token(
        request, name=new.name, scopes=new.scopes, days=new.days
    )
    return views.token_with_secret(token, secret)


@api.delete("/me/tokens/{digest:str}", Need.NOT_ACTING)
async def revoke_token(ctx: Ctx, digest: str) -> None:
    """Revoke one of one's API tokens."""
    await tokens.revoke_token(ctx, digest)
