"""What people have that is not for everybody, and what each of them finds of it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from httpx import AsyncClient
from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.accounts.service import sessions, tokens
from commonroom.accounts.tables import Scope, User
from commonroom.hangouts.tables import FriendGroup, Hangout
from commonroom.http.authentication import COOKIE
from commonroom.search.embedded.engine import EmbeddedIndex
from commonroom.shareables.tables import Checklist, Event, Poll
from commonroom.store import Store, put
from tests.accounts.people import Watch
from tests.hangouts.friends import child_of, group_of, hangout_of, somebody, starts_in
from tests.house.whole import Whole
from tests.movienight.evenings import home_of
from tests.search.things import follow, indexer_of

SEARCH, API = "/search", "/api/v1/search"
DAY = 86_400


class Home(Struct):
    """Somebody with a household, a child, a group with a hangout, and pages of their own."""

    me: User
    partner: User
    friend: User
    host: User
    """Who made the hangout."""
    child: User
    group: FriendGroup
    hangout: Hangout
    short_ids: list[str]


async def furnished(store: Store, me: User, name: str, code: str = "AAA") -> Home:
    """Everything that somebody can have, to be found by one name."""
    clock = Watch()
    partner = await somebody(store, clock, f"Bea {name}")
    friend = await somebody(store, clock, f"Tom {name}")
    host = await somebody(store, clock, f"Max {name}")
    child = await child_of(store, clock, me, f"Lea {name}")
    await home_of(store, clock, me, partner)
    group = await group_of(store, clock, host, me, friend, name=f"{name} friends")
    at = starts_in(clock, -300 * DAY, lasts=3600)
    hangout = await hangout_of(
        store, clock, host, group, title=f"{name} birthday in the Alps", time=at
    )
    await hangout_of(store, clock, me, title=f"{name} secret", description="A surprise party")
    ids = [f"{code}-AAA-0000{number}" for number in range(3)]
    for page, short_id in zip(pages_of(me, name), ids, strict=True):
        await store.write(put(page(short_id)))
    return Home(me, partner, friend, host, child, group, hangout, ids)


def pages_of(me: User, name: str) -> list[Any]:
    """A checklist, an event and a poll of somebody's, each given its short id."""
    at = {
        "created_at": "2026-01-01T10:00:00.000Z",
        "updated_at": "2026-01-01T10:00:00.000Z",
        "expires_at": "2099-01-01T10:00:00.000Z",
    }

    def facts(short_id: str, what: str) -> dict[str, Any]:
        title = f"{name} {what}"
        made = {"short_id": short_id, "name": title, "created_by": me.user_id, **at}
        return made | {"expires_after": 30, "ttl": 4_102_444_800}

    return [
        lambda one: Checklist(**facts(one, "shopping")),
        lambda one: Event(**facts(one, "event"), start_time="2026-06-01T10:00:00.000Z"),
        lambda one: Poll(**facts(one, "poll")),
    ]


async def indexed(house: Whole, folder: Path) -> None:
    """Lets the index follow all that has changed."""
    index = EmbeddedIndex(folder / "search.db")
    await follow(indexer_of(house.store, index))
    await index.close()


async def browser_of(house: Whole, person: User, **headers: str) -> AsyncClient:
    """The browser of somebody."""
    client = await house.guest(**headers)
    secret = await sessions.open_session(house.store, time.time(), person)
    client.cookies.set(COOKIE, secret, domain="commonroom.test")
    return client


async def program_of(house: Whole, person: User, *scopes: Scope) -> AsyncClient:
    """A program with a token of somebody's."""
    ctx = Context(house.store, person, time.time())
    _, secret = await tokens.make_token(ctx, name="test", scopes=list(scopes))
    return await house.guest(authorization=f"Bearer {secret}", accept="application/json")


async def found_by(client: AsyncClient, text: str, **wanted: Any) -> list[tuple[str, str]]:
    """What a program finds besides films and shows: kind and title."""
    answer = await client.get(API, params={"q": text, "limit": 50, **wanted})
    assert answer.status_code == 200, answer.text
    return [
        (one["kind"], one["title"])
        for one in answer.json()["items"]
        if one["kind"] not in ("film", "show")
    ]
