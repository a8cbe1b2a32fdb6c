"""Neither a token that may only read nor a child's profile sees what lets somebody in later."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator, Mapping
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from httpx import Response
from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.accounts.service import profiles, sessions, signup, tokens
from commonroom.accounts.tables import Scope, User
from commonroom.http.application import App
from commonroom.http.live_topics import Live
from commonroom.model import MODEL
from commonroom.settings import Settings
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from tests.support.application import application, every_route
from tests.support.who_may import send

V1 = "/api/v1"
SHOWN_AGAIN = ("group code", "guest link")
"""What whoever may invite others sees as often as they like."""
Headers = Mapping[str, str]


class House(Struct):
    """A house in which every kind of secret was made, and somebody whose they all are."""

    app: App
    browser: Headers
    child: Headers
    reader: Headers
    ids: dict[str, str]
    """What stands in paths, by the name of the parameter."""
    secrets: dict[str, str]
    """What opens something by itself, by what it is."""

    async def make(
        self, path: str, method: str = "POST", *, is_guest: bool = False, **body: Any
    ) -> dict[str, Any]:
        """Makes something, and returns what is shown then."""
        headers = {} if is_guest else self.browser
        answer = await send(self.app, method, f"{V1}{path}", json=body, headers=headers)
        assert answer.status_code in (200, 201), answer.text
        made: dict[str, Any] = answer.json()
        return made

    async def walk(self, headers: Headers) -> AsyncIterator[tuple[str, Response]]:
        """What every address answers to who asks so; secrets of their own are not in the path."""
        for method, path in every_route():
            if method == "GET":
                named = path.replace("/households/{group_id", "/households/{household_id")
                filled = re.sub(r"\{(\w+)[^}]*\}", lambda one: self.ids.get(one[1], "none"), named)
                yield path, await send(self.app, method, filled, headers=headers)


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """One in which Ada has made everything that opens something."""
    store = Store(EmbeddedEngine(tmp_path / "house.db", MODEL.tables, durability="OFF"))
    live = Live(store)
    live.close()
    app = application(store, Settings(data=tmp_path), live)
    ada = await signup.set_up(
        store, time.time(), signup.NewAccount("ada@example.org", "Ada", "a quiet evening at home")
    )
    ctx = Context(store, ada, time.time())
    child = await profiles.add_managed(ctx, display_name="Mia")
    browser, secret = await _browser(store, ada), await _token(ctx, "read")
    made = House(
        app=app,
        browser=browser,
        child={**browser, "X-Acting-As-Member": child.user_id},
        reader={"Authorization": f"Bearer {secret}"},
        ids={
            "user_id": ada.user_id,
            "member_id": child.user_id,
            "kind": "movies",
            "tmdb_id": "603",
        },
        secrets={"read token": secret, "other token": await _token(ctx, "read", "write")},
    )
    await _furnish_account(made)
    await _furnish_rooms(made)
    await _furnish_pages(made)
    yield made
    await store.close()


async def _browser(store: Store, person: User) -> Headers:
    secret = await sessions.open_session(store, time.time(), person)
    return {"Cookie": f"session={secret}"}


async def _token(ctx: Context, *scopes: Scope) -> str:
    return (await tokens.make_token(ctx, name="program", scopes=list(scopes)))[1]


async def _furnish_account(house: House) -> None:
    feed = await house.make("/me/calendar-feed")
    hook = await house.make("/me/webhooks", name="program", address="https://hooks.example/one")
    house.secrets |= {
        "session": house.browser["Cookie"].partition("=")[2],
        "calendar feed": feed["address"].rpartition("/")[2].removesuffix(".ics"),
        "invitation": (await house.make("/invitations"))["secret"],
        "webhook": hook["secret"],
    }


async def _furnish_rooms(house: House) -> None:
    home = (await house.make("/households", name="Home"))["group_id"]
    group = (await house.make("/groups", group_name="Friends"))["group_id"]
    plan = (await house.make("/hangouts", title="Picnic", group_ids=[group]))["hangout_id"]
    link = (await house.make(f"/hangouts/{plan}/guest-link", "PUT", is_open=True))["path"]
    token = link.rpartition("/")[2]
    jo = {"name": "Jo", "status": "GOING"}
    answered = await house.make(f"/guest-links/{token}/rsvps", is_guest=True, **jo)
    made = (await house.make("/watchlists", title="Secret", is_public=False))["watchlist_id"]
    books = (await house.make("/libraries", library_name="Books"))["library_id"]
    house.ids |= {
        "household_id": home,
        "group_id": group,
        "hangout_id": plan,
        "watchlist_id": made,
        "library_id": books,
    }
    house.secrets |= {
        "household invite": (await house.make(f"/households/{home}/invites"))["invite_token"],
        "group code": (await house.make(f"/groups/{group}/codes"))["code"],
        "guest link": token,
        "guest’s change code": answered["change_code"].rpartition(".")[2],
        "list key": (await house.make(f"/watchlists/{made}/links/view", "PUT"))["key"],
        "collaborators’ key": (await house.make(f"/watchlists/{made}/links/join", "PUT"))["key"],
    }


async def _furnish_pages(house: House) -> None:
    words: dict[str, Any] = {
        "view_passcode": "violet-otter-lane",
        "admin_passcode": "amber-walrus-gate",
    }
    page = await house.make(
        "/shareables/checklists", name="Fair", items=[{"name": "Tent"}], **words
    )
    house.ids["short_id"] = page["page"]["short_id"]
    house.secrets |= words | {"recovery": page["recovery_path"].rpartition("/")[2]}


def _seen(house: House, answer: Response) -> set[str]:
    """Which secrets an answer holds, in its body or its headers."""
    text = unescape(answer.text) + str(answer.headers)
    return {name for name, secret in house.secrets.items() if secret in text}


@pytest.mark.parametrize("caller", ["reader", "child"])
async def test_no_answer_holds_a_secret(house: House, caller: str) -> None:
    headers: Headers = getattr(house, caller)
    statuses: list[int] = []
    leaks: dict[str, set[str]] = {}
    async for path, answer in house.walk(headers):
        statuses.append(answer.status_code)
        if seen := _seen(house, answer):
            leaks[path] = seen
    assert leaks == {}
    assert statuses.count(200) > 75, "what was made is found"


async def test_whoever_may_invite_others_sees_what_lets_them_in(house: House) -> None:
    seen = {name async for _, answer in house.walk(house.browser) for name in _seen(house, answer)}
    assert seen == set(SHOWN_AGAIN)
