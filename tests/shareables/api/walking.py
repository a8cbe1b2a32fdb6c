"""A house where every operation of shareables is asked with everything that somebody may hold."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any
from uuid import uuid4

from httpx import Response
from msgspec import Struct
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.accounts.service import sessions, tokens
from commonroom.accounts.tables import User
from commonroom.http.application import App
from commonroom.moments import iso
from commonroom.settings import Settings, secrets_of
from commonroom.shareables.rules.access import Role, Standing, pass_for
from commonroom.shareables.rules.events import TypedEventRsvp
from commonroom.shareables.service import events, polls
from commonroom.shareables.service.create import OPEN, Created, Passcodes, create_page
from commonroom.shareables.service.edit import Typed
from commonroom.shareables.service.gate import (
    Page,
    PageAccess,
    ShareableVisitor,
    of_kind,
    open_page,
)
from commonroom.shareables.service.passcodes import change_passcode
from commonroom.shareables.service.passes import PURPOSE, Passes
from commonroom.shareables.tables import Checklist, Event, Poll
from commonroom.store import Store, create
from tests.shareables.furniture import ADMIN, NEXT_BIRTHDAY, SHOPPING, SUMMER, VIEW, YEAR
from tests.shareables.voting import ballot
from tests.support.application import application
from tests.support.context import at
from tests.support.first_account import SECRET_KEY
from tests.support.snapshots import Homes
from tests.support.who_may import send

V1 = "/api/v1"
DAY = 24 * 3600.0
CHANGED = "another passcode"
WRONG = "no passcode of this page"

KINDS: dict[str, Typed] = {"checklist": SHOPPING, "event": NEXT_BIRTHDAY, "poll": SUMMER}
OF_EVENTS, OF_POLLS = ("event", "rsvps"), ("poll", "votes", "results", "close", "reopen")
"""What an address names where it is about a kind of page; the rest is asked of a checklist."""
SIGNED_IN = ("/claim", "/join", "/shareables")
"""Where an account is needed, everybody but nobody has one, which is not the page's."""

MINIMAL: dict[str, dict[str, Any]] = {
    "checklist": {"name": "New", "items": [{"name": "Tea"}]},
    "event": {"name": "New", "start_time": f"{YEAR}-12-01T18:00:00Z"},
    "poll": {
        "name": "New",
        "questions": [{"title": "Which?", "options": [{"label": "This"}, {"label": "That"}]}],
    },
}


class Asked(Struct, frozen=True):
    """A question to a page: what protects it, whether its time is over, and what is held."""

    protected: bool
    held: str
    expired: bool = False


COLUMNS = {
    "nobody": Asked(protected=True, held="nothing"),
    "view": Asked(protected=True, held="view"),
    "admin": Asked(protected=True, held="admin"),
    "creator": Asked(protected=True, held="creator's"),
    "account": Asked(protected=True, held="account"),
    "reader": Asked(protected=True, held="read token"),
    "old view": Asked(protected=True, held="old view"),
    "old admin": Asked(protected=True, held="old admin"),
    "other page": Asked(protected=True, held="another page's"),
    "altered": Asked(protected=True, held="view, altered"),
    "past:nobody": Asked(protected=True, held="nothing", expired=True),
    "past:view": Asked(protected=True, held="view", expired=True),
    "past:admin": Asked(protected=True, held="admin", expired=True),
    "open:nobody": Asked(protected=False, held="nothing"),
    "open:other": Asked(protected=False, held="another page's"),
    "open:creator": Asked(protected=False, held="creator's"),
    "open:past": Asked(protected=False, held="nothing", expired=True),
}
"""What is held at a page with both passcodes; `past` is one whose time is over, `open` one without
passcodes. `reader` is the creator's account with a token that may only read, `altered` a view
token that was changed to say something else."""


class Told(Struct, frozen=True):
    """What somebody was told, and of what."""

    answer: Response
    page: Page
    codes: list[str]
    """Codes of the answers that others left on the page."""


class Home(Struct, frozen=True):
    """A page of somebody's, as it is before anything is asked."""

    owner: User
    made: Created
    codes: list[str]
    """Codes of the answers on it."""
    other_token: str
    """The creator's token of another page."""


HOMES = Homes[Home]()


class Walk:
    """Asks one question after the other, each from another address: what was asked of a page before
    is forgotten."""

    columns: Mapping[str, Asked] = COLUMNS

    def __init__(self, store: Store, app: App, passes: Passes) -> None:
        self._store = store
        self._app = app
        self._passes = passes
        self._addresses = (f"10.0.{n // 250}.{n % 250 + 1}" for n in count())

    async def ask(self, caller: str, method: str, path: str, kind: str = "") -> Told:
        """Asks an operation of a page of the kind that it is about, or of another."""
        asked = self.columns[caller]
        home = await self._home(kind or kind_of(path), asked)
        page, codes = home.made.page, home.codes
        headers = await self._shown(asked.held, home)
        if path.endswith(SIGNED_IN) and asked.held not in ("nothing", "account", "read token"):
            headers |= await self._session(await self._somebody())
        if path.endswith("/mine"):
            headers["X-Answer-Code"] = codes[0] if codes else "abcdefgh"
        places = {
            "short_id": page.short_id,
            "role": "view",
            "item_id": _item(page),
            "answer_id": self._answer_id(page, codes),
        }
        answer = await send(
            self._app,
            method,
            V1 + path.format(**places),
            address=next(self._addresses),
            json=_body(method, path, page),
            headers=headers,
        )
        return Told(answer, page, codes)

    async def _home(self, kind: str, asked: Asked) -> Home:
        """A page of a kind, which is asked with nothing but what is held."""
        state = replace(asked, held="")
        return await HOMES.home(self._store, (kind, state), lambda: self._furnished(kind, state))

    async def _furnished(self, kind: str, state: Asked) -> Home:
        owner = await self._somebody()
        now = time.time() - (8 * DAY if state.expired else 0)
        made = await self._made(now, kind, owner, protected=state.protected)
        other = await self._made(time.time(), "poll", await self._somebody(), protected=True)
        return Home(owner, made, await self._used(now, made), other.token)

    async def _made(self, now: float, kind: str, owner: User, *, protected: bool) -> Created:
        return await create_page(
            ShareableVisitor(
                self._store, self._passes, now, account_id=owner.user_id, address=str(uuid4())
            ),
            typed_as(kind, now),
            expires_after=7,
            passcodes=Passcodes(VIEW, ADMIN) if protected else OPEN,
        )

    def _answer_id(self, page: Page, codes: list[str]) -> str:
        keys = self._passes.answer_keys
        return keys.answer_id(page.short_id, codes[0]) if codes else "nothing-such"

    async def _used(self, now: float, made: Created) -> list[str]:
        """Lets somebody answer; gives the code of their answer."""
        gate = await self._creator(now, made)
        match made.page:
            case Checklist():
                return []
            case Event():
                typed = TypedEventRsvp(name="Kim", response="going")
                rsvp = await events.answer(at(self._store, now, of_kind(gate, Event)), typed)
                return [rsvp.code]
            case Poll() as poll:
                cast = ballot(poll, 0)
                return [(await polls.vote(at(self._store, now, of_kind(gate, Poll)), cast)).code]

    async def _creator(self, now: float, made: Created) -> PageAccess[Page]:
        visitor = ShareableVisitor(self._store, self._passes, now, tokens=(made.token,))
        return await open_page(visitor, made.page.short_id, want="admin")

    async def _shown(self, held: str, home: Home) -> dict[str, str]:
        match held:
            case "nothing":
                return {}
            case "account":
                return await self._session(home.owner)
            case "read token":
                return await self._token(home.owner)
        return {"X-Shareable-Pass": await self._pass(held, home)}

    async def _pass(self, held: str, home: Home) -> str:
        made = home.made
        match held:
            case "creator's":
                return made.token
            case "view" | "admin":
                return self._sealed(made.page, held)
            case "view, altered":
                return _altered(self._sealed(made.page, "view"))
            case "old view" | "old admin":
                role: Role = "view" if held == "old view" else "admin"
                old = self._sealed(made.page, role)
                now = time.time()
                gate = await self._creator(now, made)
                await change_passcode(at(self._store, now, gate), role, typed=CHANGED)
                return old
        return home.other_token

    def _sealed(self, page: Page, standing: Standing) -> str:
        return self._passes.seal(pass_for(page, standing))

    async def _session(self, person: User) -> dict[str, str]:
        secret = await sessions.open_session(self._store, time.time(), person)
        return {"Cookie": f"session={secret}"}

    async def _token(self, person: User) -> dict[str, str]:
        _, secret = await tokens.make_token(
            Context(self._store, person, time.time()), name="a reader", scopes=["read"]
        )
        return {"Authorization": f"Bearer {secret}"}

    async def _somebody(self) -> User:
        user = User(
            user_id=str(uuid4()),
            email=f"{uuid4()}@example.org",
            display_name="Kim",
            created_at=iso(time.time()),
        )
        await self._store.write(create(user))
        return user


@asynccontextmanager
async def walk(folder: Path) -> AsyncIterator[Walk]:
    """A house to ask at."""
    settings = settings_in(folder)
    store = HOMES.store(folder / "walk.db")
    app = application(store, settings)
    try:
        yield Walk(store, app, Passes(secrets_of(settings).derived(PURPOSE)))
    finally:
        await store.close()


def settings_in(folder: Path) -> Settings:
    """The settings of a house in which the passes of every other are good."""
    return Settings(data=folder, secret_key=SECRET_KEY)


def typed_as(kind: str, now: float) -> Typed:
    """A page of a kind; an event soon, since its page lives until a week after it."""
    return replace(NEXT_BIRTHDAY, start_time=iso(now + 3600)) if kind == "event" else KINDS[kind]


def kind_of(path: str) -> str:
    """The kind of page that an operation is about."""
    named = set(path.split("/"))
    return "event" if named & set(OF_EVENTS) else "poll" if named & set(OF_POLLS) else "checklist"


def _item(page: Page) -> str:
    return page.items[0].checklist_item_id if isinstance(page, Checklist) else "none"


def _altered(token: str) -> str:
    """The same token with one bit of what it says changed."""
    place = len(token) // 2
    return token[:place] + ("A" if token[place] != "A" else "B") + token[place + 1 :]


def _body(method: str, path: str, page: Page) -> Any:
    """What an operation is sent; None where that is nothing."""
    last = path.rpartition("/")[2]
    votes = ballot(page, 1).answers if isinstance(page, Poll) else {}
    rsvp, vote = {"name": "Ben", "response": "maybe"}, {"answers": votes}
    version = {"version": page.version}
    bodies: dict[tuple[str, str], Any] = {
        ("POST", "checklists"): MINIMAL["checklist"],
        ("POST", "events"): MINIMAL["event"],
        ("POST", "polls"): MINIMAL["poll"],
        ("PUT", "checklist"): MINIMAL["checklist"] | version,
        ("PUT", "event"): MINIMAL["event"] | version,
        ("PUT", "poll"): MINIMAL["poll"] | version | {"confirm": True},
        ("POST", "clone"): {},
        ("POST", "extend"): {"days": 30},
        ("POST", "passes"): {"passcode": WRONG},
        ("PUT", "{role}"): {"passcode": CHANGED},
        ("PUT", "{item_id}"): {},
        ("POST", "rsvps"): rsvp,
        ("POST", "votes"): vote,
        ("PUT", "mine"): rsvp if "/rsvps/" in path else vote,
    }
    return bodies.get((method, last))
