"""Sessions: signing in and out, and the browsers that one is signed in with."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from commonroom.accounts import tables
from commonroom.accounts.api import views
from commonroom.accounts.api.bodies import SignIn
from commonroom.accounts.cookies import device_of, forget_session, sign_browser_in, start_session
from commonroom.accounts.service import sessions
from commonroom.accounts.service.stored_accounts import read_again
from commonroom.accounts.tables import User, sessions_of
from commonroom.errors import NotFound, RateLimited
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.client_address import client_of
from commonroom.http.etags import tagged
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList, Paging, paged
from commonroom.http.request import Request
from commonroom.http.responses import JsonResponse

api = Operations("Sign-in and sign-up")
sessions_and_tokens = api.tagged("Sessions and tokens")


class Everywhere(Struct, frozen=True, forbid_unknown_fields=True):
    """Where to sign out."""

    here: Annotated[bool, Meta(description="Whether this browser was signed out too.")] = False


@api.post("/session", Need.ANYONE, errors=(RateLimited,), cookie=True)
async def sign_in(request: Request, known: SignIn) -> JsonResponse[views.Me]:
    """Sign a browser in.

    Programs show an API token instead.
    """
    user, secret = await sessions.sign_in(
        request.store,
        request.now,
        email=known.email,
        password=known.password,
        device=device_of(request),
        **client_of(request),
    )
    response = tagged(views.me(request, user), status=201)
    await start_session(request, response, user, secret)
    return response


@api.delete("/session", Need.ANYONE, cookie=True)
async def sign_out(request: Request) -> JsonResponse[None]:
    """Sign this browser out.

    A browser that is not signed in is not, either, afterwards.
    """
    if request.caller.session is not None:
        await sessions.sign_out(request.store, request.caller.session)
    response = JsonResponse(None)
    forget_session(request, response)
    return response


@sessions_and_tokens.get("/me/sessions", Need.NOT_ACTING)
async def list_sessions(request: Request, paging: Paging) -> PagedList[views.SessionView]:
    """List the browsers that one is signed in with."""
    person, caller = request.person, request.caller
    current = "" if caller.session is None else caller.session.digest

    def view(session: tables.Session) -> views.SessionView | None:
        # Those of an earlier epoch stand for nobody, and go by themselves.
        return views.session(session, current) if session.epoch == person.epoch else None

    return await paged(request.store, sessions_of(user_id=person.user_id), paging, view)


@sessions_and_tokens.delete("/me/sessions/{digest:str}", Need.NOT_ACTING)
async def end_session(ctx: Ctx, digest: str) -> None:
    """Sign one of one's browsers out."""
    await sessions.end_session(ctx, digest)


@sessions_and_tokens.delete("/me/sessions", Need.BROWSER, errors=(NotFound,), cookie=True)
async def end_sessions(request: Request, everywhere: Everywhere) -> JsonResponse[None]:
    """Sign out everywhere else.

    Ends all other sessions and all tokens; with `here`, this session, too.
    """
    await sessions.end_all_sessions(request.store, request.person)
    response = JsonResponse(None)
    if everywhere.here:
        forget_session(request, response)
        return response
    user = await read_again(request.store, request.person)
    await sign_browser_in(request, response, user, instead_of=request.caller.session)
    return response


async def signed_in(request: Request, user: User, *, status: int = 200) -> JsonResponse[Any]:
    """Signs the browser in for a person who has proved who they are; returns their account."""
    response = tagged(views.me(request, user), status=status)
    await sign_browser_in(request, response, user)
    return response
