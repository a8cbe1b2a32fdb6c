"""What a page needs to know of a request."""

from __future__ import annotations

from typing import Annotated, Any, cast

from litestar import Request
from litestar.params import QueryParameter

from commonroom.accounts.rules import SignUp
from commonroom.accounts.tables import User
from commonroom.store import Store
from commonroom.web.callers import Caller
from commonroom.web.people.post import Post

AnyRequest = Request[Any, Any, Any]
Cursor = Annotated[str | None, QueryParameter(max_length=20_000)]
"""Where a list goes on."""
Next = Annotated[str, QueryParameter(max_length=2000)]
"""Where to go on."""


def store_of(request: AnyRequest) -> Store:
    """The store of this installation."""
    return cast("Store", request.app.state.store)


def caller_in(request: AnyRequest) -> Caller:
    """Who asks; the guard has found out."""
    return cast("Caller", request.scope["state"]["caller"])


def person_in(request: AnyRequest) -> User:
    """The account of whoever asks."""
    return caller_in(request).person


def post_of(request: AnyRequest) -> Post:
    """The letters of this installation."""
    return cast("Post", request.app.state.post)


def sign_up_mode(request: AnyRequest) -> SignUp:
    """Who may sign up here."""
    settings = request.app.state.get("settings")
    return cast("SignUp", getattr(settings, "sign_up", "invite"))
