"""Where one is signed in, and the programs that may act for one."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from commonroom.accounts import tables
from commonroom.accounts.service import sessions, tokens
from commonroom.accounts.tables import sessions_of, tokens_of
from commonroom.errors import NotFound
from commonroom.web.access import Need
from commonroom.web.json_responses import JsonResponse
from commonroom.web.operations import delete, get, part, post
from commonroom.web.paging import Listed, Paging, listed
from commonroom.web.people import sensitive_acts
from commonroom.web.people.api import views
from commonroom.web.people.api.arriving import signed_in
from commonroom.web.people.api.bodies import NewToken
from commonroom.web.people.cookies import forget_session
from commonroom.web.request import Request


class Everywhere(Struct, frozen=True, forbid_unknown_fields=True):
    """Where to sign out."""

    here: Annotated[bool, Meta(description="Whether this browser was signed out too.")] = False


@get("/me/sessions", Need.THEMSELVES)
async def list_sessions(request: Request, paging: Paging) -> JsonResponse[Listed[views.Session]]:
    """List the browsers that one is signed in with."""
    person, current = request.person, request.caller.session

    def seen(session: tables.Session) -> views.Session | None:
        # Those of an earlier epoch stand for nobody, and go by themselves.
        return views.session(session, current) if session.epoch == person.epoch else None

    asked = sessions_of(user_id=person.user_id)
    return JsonResponse(await listed(request.store, asked, paging, seen))


@delete("/me/sessions/{digest:str}", Need.THEMSELVES)
async def end_session(request: Request, digest: str) -> JsonResponse[None]:
    """Sign one of one's browsers out."""
    await sessions.end_session(request.context, digest)
    return JsonResponse(None)


@delete("/me/sessions", Need.BROWSER, errors=(404,), cookie=True)
async def end_sessions(request: Request, everywhere: Everywhere) -> JsonResponse[None]:
    """Sign out everywhere else.

    Ends all other sessions and all tokens; with `here`, this session, too.
    """
    store, person = request.store, request.person
    await sessions.end_all_sessions(store, person)
    answer = JsonResponse(None)
    if everywhere.here:
        forget_session(request, answer)
        return answer
    now_known = await store.get(person.ref)
    if now_known is None:
        raise NotFound("This account was deleted.")
    session = request.caller.session
    answer.cookies += (await signed_in(request, now_known, instead_of=session)).cookies
    return answer


@get("/me/tokens", Need.THEMSELVES)
async def list_tokens(request: Request, paging: Paging) -> JsonResponse[Listed[views.Token]]:
    """List one's API tokens."""
    person = request.person

    def seen(token: tables.ApiToken) -> views.Token | None:
        return views.token(token) if token.epoch == person.epoch else None

    asked = tokens_of(user_id=person.user_id)
    return JsonResponse(await listed(request.store, asked, paging, seen))


@post("/me/tokens", Need.RECENT_AUTH)
async def make_token(request: Request, new: NewToken) -> JsonResponse[views.TokenWithSecret]:
    """Make an API token.

    Its secret is shown this once. A token cannot make tokens.
    """
    token, secret = await sensitive_acts.make_token(
        request, name=new.name, scopes=new.scopes, days=new.days
    )
    shown = msgspec.structs.asdict(views.token(token))
    return JsonResponse(views.TokenWithSecret(**shown, secret=secret))


@delete("/me/tokens/{digest:str}", Need.THEMSELVES)
async def revoke_token(request: Request, digest: str) -> JsonResponse[None]:
    """Revoke one of one's API tokens."""
    await tokens.revoke_token(request.context, digest)
    return JsonResponse(None)


OPERATIONS = part(
    "Sessions and tokens",
    list_sessions,
    end_session,
    end_sessions,
    list_tokens,
    make_token,
    revoke_token,
)
