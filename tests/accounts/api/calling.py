"""Who calls the API in tests, and the API that they call."""

from __future__ import annotations

import time
from contextlib import AsyncExitStack
from typing import Any, TypeAlias

from httpx import ASGITransport, AsyncClient, Response

from commonroom.accounts.api import people_api
from commonroom.accounts.context import Context
from commonroom.accounts.mailer import AccountMailer
from commonroom.accounts.service import sessions, signup, tokens
from commonroom.accounts.tables import Scope, User
from commonroom.house.consumers import notification_kinds
from commonroom.http.application import App, State
from commonroom.http.authentication import COOKIE
from commonroom.http.metrics import Metrics, metrics
from commonroom.http.openapi import api_page, openapi_document
from commonroom.http.routes import Route
from commonroom.outgoing.mail import mailer_of
from commonroom.settings import Settings
from commonroom.store import Store
from tests.support.first_account import SECRET_KEY
from tests.support.pages import rooms_beside_accounts

PASSWORD = "a quiet evening at home"
ANOTHER = "a loud evening elsewhere"
V1 = "/api/v1"

Client: TypeAlias = AsyncClient


def api(store: Store, *more: Route, **settings: Any) -> App:
    """The application as far as the API goes."""
    kept = Settings(**{"secret_key": SECRET_KEY} | settings)
    mailer = AccountMailer(store, kept, mailer_of(kept))
    return App(
        [people_api(), openapi_document, api_page, metrics, *more],
        on_shutdown=[mailer.close],
        state=State(
            {
                "store": store,
                "settings": kept,
                "metrics": Metrics(),
                "mailer": mailer,
                "rooms": rooms_beside_accounts(),
                "kinds": notification_kinds(),
            }
        ),
    )


class Calling:
    """Makes those who call."""

    def __init__(self, app: App, store: Store, stack: AsyncExitStack) -> None:
        self.app = app
        self.store = store
        self._stack = stack

    async def guest(self, address: str = "127.0.0.1") -> Client:
        """Nobody in particular, from some address."""
        transport = ASGITransport(self.app, client=(address, 1))
        client = AsyncClient(transport=transport, base_url="http://commonroom.test")
        return await self._stack.enter_async_context(client)

    async def browser(self, user: User) -> Client:
        """A person's browser, signed in."""
        secret = await sessions.open_session(self.store, time.time(), user, browser="Firefox")
        client = await self.guest()
        client.cookies.set(COOKIE, secret, domain="commonroom.test")
        return client

    async def program(self, user: User, *scopes: Scope) -> Client:
        """A program that acts for a person."""
        _, secret = await tokens.make_token(
            Context(self.store, user, time.time()), name="a program", scopes=list(scopes)
        )
        client = await self.guest()
        client.headers["Authorization"] = f"Bearer {secret}"
        return client


async def first(store: Store, name: str) -> User:
    """The first account."""
    return await signup.set_up(store, time.time(), newcomer(name))


async def someone(store: Store, name: str) -> User:
    """One more account."""
    return await signup.sign_up(store, time.time(), "open", newcomer(name))


def newcomer(name: str) -> signup.NewAccount:
    """What a person gives."""
    return signup.NewAccount(f"{name.lower()}@example.org", name, PASSWORD)


def problem(answer: Response, status: int) -> dict[str, Any]:
    """The problem document of a refusal."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    document: dict[str, Any] = answer.json()
    assert document["status"] == status
    assert document["type"]
    assert document["title"]
    assert document["detail"]
    return document


def given(answer: Response, status: int = 200) -> Any:
    """What was answered."""
    assert answer.status_code == status, answer.text
    if status == 204:
        assert answer.content == b""
        return None
    assert answer.headers["content-type"] == "application/json"
    return answer.json()
