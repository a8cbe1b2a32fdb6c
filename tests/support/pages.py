"""The pages over a real engine, and browsers that walk through them."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

import httpx
from httpx import ASGITransport, AsyncClient
from msgspec.structs import replace

from commonroom.accounts.mailer import AccountMailer
from commonroom.accounts.pages import people_pages
from commonroom.accounts.service import sessions
from commonroom.accounts.tables import User, claim_on_address, tables, user_by_id
from commonroom.house.rooms import ROOMS
from commonroom.http import assets
from commonroom.http.application import App, State
from commonroom.http.authentication import ACTING_COOKIE, COOKIE
from commonroom.http.routes import Router
from commonroom.joins.home import HomeSource
from commonroom.joins.rooms import Room
from commonroom.joins.signup_invites import SignupInvites
from commonroom.notifications import tables as notify
from commonroom.outgoing.mail import mailer_of
from commonroom.settings import Settings
from commonroom.store import Store, counting
from commonroom.store.embedded import EmbeddedEngine
from commonroom.together.pages import together_pages
from tests.support.first_account import CODE, SECRET_KEY

PASSWORD = "a lamp in the hall"
ADA = {"display_name": "Ada", "email": "ada@example.org", "password": PASSWORD}
BEN = {"display_name": "Ben", "email": "ben@example.org", "password": "a kettle on the stove"}
FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0"


@cache
def pages_of(*routers: Callable[[], Router]) -> App:
    """A room's pages; made once, because that takes longer than most tests.

    They are given another store, and whatever else they need, in each.
    """
    made = [one() for one in (*routers, people_pages, assets.asset_routes)]
    return App(made, state=State({"rooms": ROOMS}))


class Browser:
    """A browser: it keeps cookies, asks for pages, and does not follow redirects by itself."""

    def __init__(self, client: AsyncClient) -> None:
        self.client = client

    async def get(self, path: str, **options: Any) -> httpx.Response:
        """A page."""
        return await self.client.get(path, **options)

    async def send(self, path: str, **fields: Any) -> httpx.Response:
        """A form that is sent off."""
        return await self.client.post(path, data=fields)

    async def set_up(self, **fields: Any) -> httpx.Response:
        """The form for the first account, with its code."""
        return await self.send("/setup", **{"code": CODE} | fields)

    async def follow(self, answer: httpx.Response) -> httpx.Response:
        """Where an answer leads."""
        assert answer.status_code == 303, (answer.status_code, text(answer))
        return await self.get(answer.headers["location"])


async def open_browser(
    app: App,
    store: Store,
    stack: AsyncExitStack,
    person: User | None = None,
    acting_as: User | None = None,
) -> Browser:
    """Somebody's browser in a house of one room; nobody's where none is named."""
    client = AsyncClient(
        transport=ASGITransport(app),
        base_url="http://house.example",
        headers={"accept": "text/html"},
    )
    if person is not None:
        secret = await sessions.open_session(store, time.time(), person)
        client.cookies.set(COOKIE, secret, domain="house.example")
    if acting_as is not None:
        client.cookies.set(ACTING_COOKIE, acting_as.user_id, domain="house.example")
    return Browser(await stack.enter_async_context(client))


async def requests_for(browser: Browser, path: str) -> int:
    """How many requests to the store a page takes, once it is known who asks."""
    for _ in range(2):  # after the first visit to a room it is noted that they were there
        await browser.get(path)
    with counting() as tally:
        answer = await browser.get(path)
    assert answer.status_code == 200, (answer.status_code, path)
    return tally.requests


class House:
    """An installation with its pages."""

    def __init__(self, store: Store, stack: AsyncExitStack, sign_up: str) -> None:
        self.store = store
        self._stack = stack
        self.app = application()
        self.app.state.store = store
        self.app.state.pop("caller_cache", None)  # whom it knew in the house before
        self.set(sign_up=sign_up)

    def set(self, **settings: Any) -> None:
        """Runs it with these settings from now on."""
        self.settings = settings
        made = Settings(**{"secret_key": SECRET_KEY} | settings)
        self.post = AccountMailer(self.store, made, mailer_of(made))
        self.app.state.settings, self.app.state.mailer = made, self.post

    async def browser(self, *, https: bool = False, address: str = "127.0.0.1") -> Browser:
        """A browser that was never here, and the address that it connects from."""
        transport = ASGITransport(self.app, client=(address, 1))
        client = AsyncClient(
            transport=transport,
            base_url=f"http{'s' if https else ''}://house.example",
            headers={"accept": "text/html", "user-agent": FIREFOX},
        )
        return Browser(await self._stack.enter_async_context(client))

    async def administrator(self) -> Browser:
        """Ada's browser: she has set the house up."""
        browser = await self.browser()
        answer = await browser.set_up(**ADA)
        assert answer.status_code == 303, text(answer)
        browser.client.cookies.delete("said")
        return browser

    async def member(self, ada: Browser) -> Browser:
        """Ben's browser: Ada has invited him."""
        browser = await self.browser()
        invitation = await invited(ada)
        answer = await browser.send("/sign-up", **BEN, invitation=invitation)
        assert answer.status_code == 303, text(answer)
        browser.client.cookies.delete("said")
        return browser

    async def person(self, email: str) -> User:
        """Somebody as stored now."""
        claim = await self.store.get(claim_on_address(address=email))
        assert claim is not None
        user = await self.store.get(user_by_id(user_id=claim.user_id))
        assert user is not None
        return user


def rooms_beside_accounts() -> tuple[Room, ...]:
    """Returns the rooms as they are where a store has tables of accounts alone."""
    return tuple(map(_without_tables, ROOMS))


def _without_tables(room: Room) -> Room:
    def kept(offers: Sequence[object]) -> list[object]:
        return [one for one in offers if not isinstance(one, HomeSource | SignupInvites)]

    server = room.load_server()
    server = replace(server, offers=kept(server.offers))
    return replace(room, offers=kept(room.offers), server=server)


@cache
def application() -> App:
    """The pages; made once, because that takes longer than most tests, and given another store."""
    routers = [people_pages(), together_pages(), assets.asset_routes()]
    return App(routers, state=State({"rooms": rooms_beside_accounts()}))


@asynccontextmanager
async def house_in(folder: Path, sign_up: str = "invite") -> AsyncIterator[House]:
    """An installation in a folder, not set up yet."""
    kept = [*tables, *notify.tables]
    store = Store(EmbeddedEngine(folder / "house.db", kept, durability="OFF"))
    try:
        async with AsyncExitStack() as stack:
            house = House(store, stack, sign_up)
            yield house
            await house.post.close()
    finally:
        await store.close()


async def invited(ada: Browser) -> str:
    """The secret of an invitation that was just made."""
    answer = await ada.send("/admin/invitations", note="", uses="1")
    return value(answer, "link").partition("invitation=")[2]


def text(answer: httpx.Response) -> str:
    """What a person reads on a page."""
    body = re.sub(r"<(script|style|svg|head)\b.*?</\1>", " ", answer.text, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).split())


def tag(answer: httpx.Response, id_: str) -> str:
    """An element's opening tag, by its id."""
    found = re.search(rf'<[^>]*\bid="{re.escape(id_)}"[^>]*>', answer.text)
    assert found, f"there is no {id_}"
    return found[0]


def value(answer: httpx.Response, id_: str) -> str:
    """What stands in a field."""
    found = re.search(r'\bvalue="([^"]*)"', tag(answer, id_))
    return unescape(found[1]) if found else ""


def hidden(answer: httpx.Response, name: str) -> str:
    """What a form carries unseen."""
    (found,) = re.findall(rf'<input type="hidden"[^>]* name="{name}" [^>]*>', answer.text)
    return str(found).partition('value="')[2].partition('"')[0]


def wrong(answer: httpx.Response, id_: str) -> str:
    """What is said beside a field, which must be tied to it for those who do not see it."""
    field = tag(answer, id_)
    assert 'aria-invalid="true"' in field
    assert f"{id_}-wrong" in field.partition("aria-describedby=")[2]
    found = re.search(rf'id="{re.escape(id_)}-wrong">(.*?)</p>', answer.text, re.DOTALL)
    assert found
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", found[1])).split()).removeprefix("Error: ")


def said(answer: httpx.Response) -> str:
    """What a page says after a redirect."""
    found = re.search(r'id="said" role="status">(.*?)</div>', answer.text, re.DOTALL)
    assert found
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", found[1])).split())


def addresses(answer: httpx.Response, start: str) -> list[str]:
    """Where the page's forms lead that begin so."""
    return re.findall(rf'action="({re.escape(start)}[^"#]*)', answer.text)
