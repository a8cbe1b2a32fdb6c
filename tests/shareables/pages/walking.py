"""A house where every page of the room is asked for with everything that somebody may hold."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from commonroom.http.live_topics import Live
from commonroom.settings import secrets_of
from commonroom.shareables.rules.access import Receipt
from commonroom.shareables.rules.short_ids import address_of
from commonroom.shareables.service.gate import Page
from commonroom.shareables.service.passes import PURPOSE, Passes
from commonroom.shareables.tables import Checklist, Poll
from tests.shareables.api.walking import CHANGED, HOMES, WRONG, Asked, Home, Told, Walk, settings_in
from tests.shareables.voting import ballot
from tests.support.application import application
from tests.support.who_may import send

ONE = "/s/{short_id}"
OF_EVENTS = ("answer", "code", "withdraw", "event.ics")
OF_POLLS = ("vote", "close", "reopen")
"""What an address ends with where it is about a kind of page; the rest is asked of a checklist."""
SIGNED_IN = ("/keep", "/drop", "/claim")

KEPT_AS = {
    "creator's": ["pass-creator"],
    "admin": ["pass-admin"],
    "old admin": ["pass-admin"],
    "view, as admin": ["pass-admin", "pass-creator"],
    "another page's": ["pass-view", "pass-admin", "pass-creator"],
}
"""Under which names of cookies a pass is shown; all others as what they are, to view."""


COLUMNS = {
    "nobody": Asked(protected=True, held="nothing"),
    "view": Asked(protected=True, held="view"),
    "as admin": Asked(protected=True, held="view, as admin"),
    "admin": Asked(protected=True, held="admin"),
    "creator": Asked(protected=True, held="creator's"),
    "account": Asked(protected=True, held="account"),
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
passcodes. `as admin` is a view pass that is shown as an admin's, `altered` one that was changed."""


class PageWalk(Walk):
    """Asks for one page after the other, as browsers do."""

    columns = COLUMNS

    async def ask(self, caller: str, method: str, path: str, kind: str = "") -> Told:
        asked = self.columns[caller]
        home = await self._home(kind or kind_of(path), asked)
        page, codes = home.made.page, home.codes
        cookies = await self._cookies(asked.held, home)
        if asked.held == "account":
            cookies |= _read(await self._session(home.owner))
        elif path.endswith(SIGNED_IN) and method == "POST" and asked.held != "nothing":
            cookies |= _read(await self._session(await self._somebody()))
        if path.endswith("/withdraw"):
            cookies["receipt"] = self._passes.seal_receipt(Receipt(page.short_id, codes[0]))
        places = {
            "short_id": address_of(page.short_id).rpartition("/")[2],
            "role": "view",
            "answer_id": self._answer_id(page, codes),
            "token": cookies.get("pass-creator", "nothing-such"),
        }
        answer = await send(
            self._app,
            method,
            path.format(**places),
            address=next(self._addresses),
            data=_form(path, page, codes) if method == "POST" else None,
            headers={
                "accept": "text/html",
                "cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()),
            },
        )
        return Told(answer, page, codes)

    async def _cookies(self, held: str, home: Home) -> dict[str, str]:
        if held in ("nothing", "account"):
            return {}
        token = await self._pass("view" if held == "view, as admin" else held, home)
        return dict.fromkeys(KEPT_AS.get(held, ["pass-view"]), token)


@asynccontextmanager
async def walk(folder: Path) -> AsyncIterator[PageWalk]:
    """A house to ask at; whoever may listen there hears at once that it closes."""
    settings = settings_in(folder)
    store = HOMES.store(folder / "walk.db")
    live = Live(store)
    live.close()
    app = application(store, settings, live)
    try:
        yield PageWalk(store, app, Passes(secrets_of(settings).derived(PURPOSE)))
    finally:
        await store.close()


def kind_of(path: str) -> str:
    """The kind of page that an address is about."""
    last = path.rpartition("/")[2]
    if "{answer_id}" in path:
        return "event"
    return "event" if last in OF_EVENTS else "poll" if last in OF_POLLS else "checklist"


def _read(headers: dict[str, str]) -> dict[str, str]:
    name, _, value = headers["Cookie"].partition("=")
    return {name: value}


def _form(path: str, page: Page, codes: list[str]) -> dict[str, Any]:
    """What a form sends."""
    forms: dict[str, dict[str, Any]] = {
        "again": {"name": "New", "item_id": "", "item": "Tea", "expires_after": "7"},
        "answer": {"name": "Ben", "response": "maybe"},
        "code": {"code": codes[0] if codes else ""},
        "extend": {"days": "30"},
        "name": {"name": "Ben"},
        "passcode": {"passcode": WRONG},
        "tick": {"tick": page.items[0].checklist_item_id if isinstance(page, Checklist) else ""},
        "vote": dict(ballot(page, 1).answers) if isinstance(page, Poll) else {},
        "{role}": {"passcode": CHANGED},
        "edit": {
            "version": str(page.version),
            "name": "New",
        },
    }
    return forms.get(path.rpartition("/")[2], {})
