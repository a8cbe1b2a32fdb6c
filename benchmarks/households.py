"""Households by the thousand: one is lived in through the real application, the others copy it."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
from httpx import ASGITransport, AsyncClient, Response
from msgspec import Struct

from commonroom.accounts.secrets import digest
from commonroom.accounts.service import sessions, signup
from commonroom.accounts.tables import Installation, User
from commonroom.concurrency import gather_each
from commonroom.http.authentication import COOKIE
from commonroom.model import MODEL
from commonroom.moments import iso
from commonroom.settings import Settings
from commonroom.shareables.rules.short_ids import new_short_id
from commonroom.shareables.service.guest_storage import SHARDS
from commonroom.shareables.service.pool import LOW, PARTITIONS
from commonroom.shareables.tables import GuestStorage, shareables
from commonroom.shareables.tables.pool import PooledId, short_id_pool
from commonroom.store import Store, create
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.engine import Engine
from commonroom.store.values import Item
from tests.support.application import application
from tests.support.first_account import SECRET_KEY

V1 = "/api/v1"
HOST = "commonroom.test"
PASSWORD = "a quiet evening at home"  # noqa: S105 - of people who do not exist
BOOKS = 8
AWAY_SECONDS = 2 * 3600
TASTES = {"genre_likes": ["35", "16", "12"], "genre_dislikes": ["27"], "max_content_rating": "R"}
HEX = "[0-9A-Fa-f]"
IDS = re.compile(
    rf"(?<![0-9A-Fa-f-]){HEX}{{8}}(?=(?:-{HEX}{{4}}){{3}}-{HEX}{{12}}|{HEX}{{24}}(?!{HEX}))"
)
"""The beginning of every id, in place of which a copy has its number."""
PASSING = ("ATTEMPTS", "DONE")
"""Kinds of items that are forgotten by themselves, and are not copied."""

Items: TypeAlias = dict[str, list[Item]]
"""By table."""


class Household(Struct, frozen=True):
    """Where everything of one household is, and how its people are known."""

    group_id: str
    ann_id: str
    ben_id: str
    kim_id: str
    ann_email: str
    library_id: str
    book_ids: list[str]
    ann: str
    ben: str
    """The cookies of their browsers."""
    round_id: str = ""
    films: list[int] = []


class Template(Struct, frozen=True):
    """A household just after it moved in, and in the midst of an evening."""

    household: Household
    quiet: Items
    lively: Items


def settings(folder: Path) -> Settings:
    """An installation that asks nobody outside, and in which everybody publishes lists."""
    return Settings(
        data=folder,
        secret_key=SECRET_KEY,
        hosts=HOST,
        book_look_ups=False,
        covers=False,
        who_publishes="everybody",
    )


@asynccontextmanager
async def opened_house(store: Store, folder: Path) -> AsyncIterator[Any]:
    """The real application, with nothing remembered of earlier requests."""
    app = application(store, settings(folder))
    try:
        yield app
    finally:
        for resource in app.state.resources:
            await resource.close()


def browser(app: Any, cookie: str | None = None, address: str = "127.0.0.1") -> AsyncClient:
    """Somebody's browser; a guest's without a cookie."""
    client = AsyncClient(
        transport=ASGITransport(app, client=(address, 1)), base_url=f"http://{HOST}"
    )
    if cookie is not None:
        client.cookies.set(COOKIE, cookie, domain=HOST)
    return client


def answered(response: Response) -> Any:
    """What a program was given; whatever else came is an error."""
    if not response.is_success:
        request = response.request
        raise ConnectionError(f"{request.method} {request.url} was answered {response.status_code}")
    return response.json() if "json" in response.headers.get("content-type", "") else None


async def make_template(folder: Path) -> Template:
    """Lives through the first days of a household, in a file."""
    store = Store(EmbeddedEngine(folder / "template.db", MODEL.tables, durability="OFF"))
    try:
        await store.write(create(Installation(user_id="nobody", set_up_at=iso(time.time()))))
        async with opened_house(store, folder) as app:
            ann, ben = [
                await signup.sign_up(store, time.time(), "open", newcomer)
                for newcomer in (_newcomer("Ann"), _newcomer("Ben"))
            ]
            cookies = [await sessions.open_session(store, time.time(), one) for one in (ann, ben)]
            home = await _move_in(app, ann, ben, *cookies)
            quiet = await _everything(store.engine)
            home = await _spend_evening(app, home)
            return Template(home, quiet, await _everything(store.engine))
    finally:
        await store.close()


def _newcomer(name: str) -> signup.NewAccount:
    return signup.NewAccount(f"{name.lower()}@home.example", name, PASSWORD)


async def _move_in(app: Any, ann: User, ben: User, ann_cookie: str, ben_cookie: str) -> Household:
    """A household of three who have said what they like, with a shelf of books."""
    async with browser(app, ann_cookie) as hers, browser(app, ben_cookie) as his:
        group = answered(await hers.post(f"{V1}/households", json={"name": "Home"}))["group_id"]
        here = f"{V1}/households/{group}"
        invite = answered(await hers.post(f"{here}/invites"))
        answered(await his.post(f"{V1}/invites/{invite['invite_token']}/join"))
        kim = answered(await hers.post(f"{here}/members", json={"display_name": "Kim"}))
        for client, member in ((hers, ann), (his, ben)):
            answered(await client.put(f"{here}/members/{member.user_id}/preferences", json=TASTES))
        library = answered(await hers.post(f"{V1}/libraries", json={"library_name": "Shelf"}))
        shelf = library["library_id"]
        books = [
            answered(await hers.post(f"{V1}/libraries/{shelf}/items", json=book(number)))
            for number in range(BOOKS)
        ]
    return Household(
        group_id=group,
        ann_id=ann.user_id,
        ben_id=ben.user_id,
        kim_id=kim["user_id"],
        ann_email=ann.email or "",
        library_id=shelf,
        book_ids=[one["item"]["item_id"] for one in books],
        ann=ann_cookie,
        ben=ben_cookie,
    )


def book(number: int) -> dict[str, Any]:
    """A book as somebody types it in."""
    return {
        "kind": "book",
        "title": f"The Winter in Room {number}",
        "authors": ["Elif Aksoy"],
        "summary": "A house at the sea, and who lived there. " * 6,
    }


async def _spend_evening(app: Any, home: Household) -> Household:
    """One round until everybody has rated it, and another that is being voted on."""
    here = f"{V1}/households/{home.group_id}"
    async with browser(app, home.ann) as hers, browser(app, home.ben) as his:
        as_kim = {"X-Acting-As-Member": home.kim_id}
        people: list[tuple[AsyncClient, dict[str, str]]] = [(hers, {}), (his, {}), (hers, as_kim)]
        for is_over in (True, False):
            round_id = answered(await hers.post(f"{here}/rounds", json={}))["round_id"]
            one = f"{here}/rounds/{round_id}"
            begun = answered(await hers.post(f"{one}/start"))
            films = [film["tmdb_movie_id"] for film in begun["films"]]
            if not is_over:
                continue
            for client, headers in people:
                for film in films:
                    vote = f"{one}/votes/{film}"
                    answered(await client.put(vote, json={"vote": "up"}, headers=headers))
            answered(await hers.post(f"{one}/pick", json={"tmdb_movie_id": films[0]}))
            answered(await hers.post(f"{one}/watched"))
            for client, headers in people:
                rating = {"rating": "liked"}
                answered(await client.put(f"{one}/rating", json=rating, headers=headers))
    return msgspec.structs.replace(home, round_id=round_id, films=films)


async def _everything(engine: Engine) -> Items:
    found: Items = {}
    for table in MODEL.tables:
        rows = await engine.scan(table, limit=1000)
        kept = [one for one in rows.items if one.get("kind") not in PASSING]
        if kept and table.room not in ("store", "timers"):
            found[table.name] = [_as_of_earlier(one) for one in kept]
    return found


def _as_of_earlier(item: Item) -> Item:
    """A session, or a person, that was last seen a while ago: most were when they come back."""
    if item.get("kind") == "SESSION":
        return item | {"ttl": item["ttl"] - AWAY_SECONDS}
    if "last_active_at" in item:
        return item | {"last_active_at": iso(time.time() - AWAY_SECONDS)}
    return item


class Copies:
    """Copies of the template, each with ids, addresses and cookies of its own."""

    def __init__(self, template: Template) -> None:
        self._household = msgspec.json.encode(template.household).decode()
        self._quiet = msgspec.json.encode(template.quiet).decode()
        self._lively = msgspec.json.encode(template.lively).decode()
        self._cookies = (template.household.ann, template.household.ben)

    def household(self, number: int) -> Household:
        """Where everything of a copy is."""
        return msgspec.json.decode(self._copied(self._household, number), type=Household)

    def items(self, number: int, *, lively: bool) -> Mapping[str, list[Item]]:
        """All that is stored of a copy, by table."""
        text = self._lively if lively else self._quiet
        return msgspec.json.decode(self._copied(text, number), type=Items)

    def _copied(self, text: str, number: int) -> str:
        text = IDS.sub(f"{number:08d}", text)
        text = text.replace("@home.example", f"@home{number}.example")
        for cookie in self._cookies:
            mine = f"{cookie}-{number}"
            text = text.replace(digest(cookie), digest(mine)).replace(cookie, mine)
        return text


async def furnish_house(engine: Engine) -> None:
    """Stores what a house has that people have lived in: a stock of short ids, and counts."""
    stock = [
        PooledId(partition=partition, slot=slot, id=new_short_id())
        for partition in range(PARTITIONS)
        for slot in range(LOW + 1)
    ]
    await engine.load(short_id_pool, [one.to_item() for one in stock])
    shards = [GuestStorage(shard=shard) for shard in range(SHARDS)]
    await engine.load(shareables, [one.to_item() for one in shards])


async def furnish(
    engine: Engine, copies: Copies, numbers: Sequence[int], *, lively: bool, at_once: int = 200
) -> int:
    """Stores so many households, in batches; gives the number of items."""
    tables = {table.name: table for table in MODEL.tables}
    stored = 0
    for start in range(0, len(numbers), at_once):
        together: Items = {}
        for number in numbers[start : start + at_once]:
            for name, items in copies.items(number, lively=lively).items():
                together.setdefault(name, []).extend(items)
        stored += sum(map(len, together.values()))
        await gather_each(partial(_load, engine, tables), list(together.items()), limit=4)
    return stored


async def _load(engine: Engine, tables: Mapping[str, Any], loaded: tuple[str, list[Item]]) -> None:
    name, items = loaded
    await engine.load(tables[name], items)
