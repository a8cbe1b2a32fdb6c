"""Every operation of watchlists with everybody there is, compared with the table in this folder.

`tests.support.who_may` says how to print it anew.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
import pytest
from httpx import Response
from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.accounts.service import profiles as accounts
from commonroom.accounts.service import sessions
from commonroom.accounts.tables import AddressClaim, User
from commonroom.http.application import App
from commonroom.moments import iso
from commonroom.settings import Settings
from commonroom.store import Store, create, put, update
from commonroom.titles.builtin import Catalogue
from commonroom.titles.service import Titles
from commonroom.titles.stored_titles import Stored, id_of, store_title
from commonroom.titles.titles import TitleFacts, TitleId
from commonroom.watchlists.api import watchlists_api
from commonroom.watchlists.rules.formats import OpinionRead, TitleRead, WatchlistRow
from commonroom.watchlists.service import collaborators, curators, follows, lists, saves
from commonroom.watchlists.service.comments import add_comment
from commonroom.watchlists.service.imports.lifecycle import WatchlistImports
from commonroom.watchlists.service.items import NewWatchlistItem, add_items
from commonroom.watchlists.service.lists import ListChange, ListDraft
from commonroom.watchlists.service.profiles import ensure_profile
from commonroom.watchlists.service.ratings import rate
from commonroom.watchlists.service.reviews import review_id
from commonroom.watchlists.tables import UnmatchedRow, WatchlistImport
from tests.support.application import application
from tests.support.snapshots import Homes
from tests.support.who_may import WhoMay, routes_of, send, yes_or_status
from tests.watchlists.import_files import own_list

CALLERS = (
    "guest", "link", "stranger", "former", "follower", "collaborator", "child", "owner", "admin",
)  # fmt: skip
"""Who has the list's link is a guest besides; the former was a collaborator, the follower saved it
when it was public, and commented on it; the child is acted for by the owner."""
V1 = "/api/v1"
LIST, NOTE, COMMENT = "Wardrobe", "Quicksilver", "Baroque"
ONE = "/watchlists/{watchlist_id}"
ITEM = f"{ONE}/items/{{folder}}/{{content_id}}"
CURATOR = "/admin/curators/{user_id}"
TITLE = "/titles/{kind}/{title_id}"
REVIEWED = TitleId("MOVIE", "348")
ROW = "/watchlists/import/{import_id}/rows/{row_id}"
FILE = own_list("Sent", "film,The Matrix,1999,603,,,,,,,")
MERGE = f"{TITLE}/merge"
BODIES: dict[tuple[str, str], Any] = {
    ("POST", "/watchlists"): {"title": "Another"},
    ("PATCH", ONE): {"description": "Changed"},
    ("POST", f"{ONE}/items"): {"items": [{"content_type": "MOVIE", "content_id": "348"}]},
    ("PATCH", ITEM): {"note": "Changed"},
    ("PUT", f"{ITEM}/position"): {"place": 1},
    ("POST", f"{ONE}/comments"): {"text": "Changed"},
    ("POST", ROW): {"content_type": "MOVIE", "content_id": "603"},
    ("PATCH", "/watchlists/profile"): {"bio": "Changed"},
    ("POST", "/watchlists/application"): {"motivation": "Because."},
    ("PUT", f"{TITLE}/rating"): {"rating": 8},
    ("PUT", f"{TITLE}/seen"): {},
    ("POST", MERGE): {"into": "348"},
    ("POST", f"{CURATOR}/decline"): {"reason": "Because."},
    ("POST", f"{CURATOR}/suspend"): {"reason": "Because."},
}


class Home(Struct, frozen=True):
    """A list, and somebody of every kind."""

    people: dict[str, User]
    places: dict[str, str]
    helper: str
    """The collaborator's name."""
    view_key: str
    join_key: str


HOMES = Homes[Home]()


class Street:
    """A house in which every question finds the same: what was asked before is forgotten."""

    def __init__(self, store: Store, app: App, *, is_public: bool) -> None:
        self._store = store
        self._app = app
        self._is_public = is_public

    async def _duplicate(self) -> Stored:
        made = TitleFacts(content_type="MOVIE", content_id=str(uuid4()), title="Alien again")
        return await store_title(self._store, made, time.time())

    async def ask(self, caller: str, method: str, path: str) -> Response:
        """What somebody is told."""
        home = await HOMES.home(self._store, self._is_public, self._home)
        helps = {"username": home.helper} if "/collaborators/" in path else {}
        place = path.format(**home.places | helps)
        if path == f"{TITLE}/reviews/{{review_id}}":
            critic = self._of(home.people["applicant"])
            await rate(critic, Titles(Catalogue()), REVIEWED, rating=8, review="Hm.")
        if path == f"{CURATOR}/reinstate":
            ctx = Context(self._store, home.people["admin"], time.time())
            await curators.decide(ctx, home.places["user_id"], "suspend", "Because.")
        body = BODIES.get((method, path))
        if path.endswith(("/invitation", "/collaborators")):
            body = {"key": home.join_key}
        if path.endswith(("/import/start", "/import/outcome", "/import/look-up", "/import/undo")):
            body = {"import_id": home.places["import_id"]}
        if path.endswith(("/import/undo", "/rows", "/{row_id}")):
            await self._finish_import(home)
        if (method, path) == ("POST", "/watchlists/import"):
            shown = await self._shown(caller, home)
            return await send(
                self._app,
                method,
                V1 + place,
                content=FILE,
                headers=shown | {"Content-Type": "text/csv"},
            )
        key = {"key": home.view_key} if caller == "link" and _takes_key(method, path) else None
        if path == MERGE:
            place = f"/titles/films/{id_of(await self._duplicate()).content_id}/merge"
            key = {"into": REVIEWED.content_id} if method == "GET" else None
        return await send(
            self._app,
            method,
            V1 + place,
            json=body,
            params=key,
            headers=await self._shown(caller, home),
        )

    async def _shown(self, caller: str, home: Home) -> dict[str, str]:
        if caller in ("guest", "link"):
            return {}
        person = home.people["owner" if caller == "child" else caller]
        secret = await sessions.open_session(self._store, time.time(), person)
        acting = {"X-Acting-As-Member": home.people["child"].user_id} if caller == "child" else {}
        return {"Cookie": f"session={secret}", **acting}

    async def _home(self) -> Home:
        names = ("stranger", "former", "follower", "collaborator", "owner", "applicant")
        people = {name: await self._somebody(name) for name in names}
        people["admin"] = await self._somebody("admin", is_admin=True)
        owner = self._of(people["owner"])
        people["child"] = await accounts.add_managed(owner, display_name="Kim")
        await curators.apply(owner, "Because.")
        await curators.decide(self._of(people["admin"]), people["owner"].user_id, "approve")
        made = await lists.create_list(owner, ListDraft(title=LIST))
        at = made.watchlist_id
        titles = Titles(Catalogue())
        await add_items(owner, titles, at, [NewWatchlistItem("MOVIE", "603", NOTE)])
        join_key = await collaborators.create_link(owner, at, "join")
        for name in ("former", "collaborator"):
            await collaborators.join(self._of(people[name]), at, join_key)
        await collaborators.leave(self._of(people["former"]), at)
        await saves.follow_list(self._of(people["follower"]), at)
        await follows.follow(self._of(people["follower"]), people["owner"].user_id)
        said = await add_comment(self._of(people["follower"]), at, COMMENT)
        view_key = await collaborators.create_link(owner, at, "view")
        if not self._is_public:
            await lists.change_list(owner, at, ListChange(is_public=False))
        await curators.apply(self._of(people["applicant"]), "Because.")
        sent = await WatchlistImports(owner).prepare([("list.csv", FILE)])
        kept = WatchlistImport.at(account_id=owner.person.user_id)
        await self._store.write(update(kept, state="ready", unanswered=1))
        profile = await ensure_profile(self._of(people["owner"]))
        helper = await ensure_profile(self._of(people["collaborator"]))
        return Home(
            people,
            {
                "watchlist_id": at,
                "folder": "films",
                "kind": "films",
                "title_id": "348",
                "content_id": "603",
                "link": "view",
                "comment_id": said.id,
                "username": profile.username,
                "user_id": people["applicant"].user_id,
                "review_id": review_id(self._store, REVIEWED, people["applicant"].user_id),
                "import_id": sent.import_id,
                "row_id": "0-0",
            },
            helper.username,
            view_key,
            join_key,
        )

    async def _finish_import(self, home: Home) -> None:
        """Lets the owner's import be over, with a row that has no title."""
        kept = await WatchlistImports(self._of(home.people["owner"])).current()
        row = msgspec.json.encode(
            WatchlistRow(number=2, of=TitleRead("Gold"), opinion=OpinionRead(8))
        )
        of: dict[str, Any] = {
            "import_id": kept.import_id,
            "account_id": kept.account_id,
            "part": 0,
            "place": 0,
        }
        await self._store.write(
            update(kept.ref, state="done", unmatched=1, added=1),
            put(UnmatchedRow(**of, title="Gold", row=row)),
        )

    def _of(self, person: User) -> Context:
        return Context(self._store, person, time.time())

    async def _somebody(self, name: str, *, is_admin: bool = False) -> User:
        email = f"{uuid4()}@example.org"
        user = User(
            user_id=str(uuid4()),
            email=email,
            display_name=f"{name.title()} {uuid4().hex[:12]}",
            created_at=iso(time.time()),
            is_admin=is_admin,
        )
        claim = AddressClaim(address=email, user_id=user.user_id, made_at=user.created_at)
        await self._store.write(create(user), create(claim))
        return user


def _takes_key(method: str, path: str) -> bool:
    exports = (f"{ONE}/export.csv", f"{ONE}/export.json")
    return method == "GET" and path in (ONE, f"{ONE}/comments", *exports)


@asynccontextmanager
async def opened_street(folder: Path, *, is_public: bool = False) -> AsyncIterator[Street]:
    """A house to ask at."""
    store = HOMES.store(folder / "street.db")
    try:
        settings = Settings(data=folder, rooms="watchlists")
        yield Street(store, application(store, settings), is_public=is_public)
    finally:
        await store.close()


ROUTES = routes_of([watchlists_api()], below=V1)
TABLE = WhoMay(
    Path(__file__).with_name("who_may.txt"),
    callers=CALLERS,
    routes=ROUTES,
    house=opened_street,
    cell=yes_or_status,
)
"""Of a private list."""
PUBLIC = WhoMay(
    Path(__file__).with_name("who_may_public.txt"),
    callers=CALLERS,
    routes=[(method, path) for method, path in ROUTES if "{watchlist_id}" in path],
    house=partial(opened_street, is_public=True),
    cell=yes_or_status,
)


@pytest.fixture
async def street(tmp_path: Path) -> AsyncIterator[Street]:
    """A house with a private list."""
    async with opened_street(tmp_path) as made:
        yield made


@pytest.fixture
async def public_street(tmp_path: Path) -> AsyncIterator[Street]:
    """A house with a public list."""
    async with opened_street(tmp_path, is_public=True) as made:
        yield made


def test_the_tables_have_every_operation() -> None:
    TABLE.check_nothing_is_missing()
    PUBLIC.check_nothing_is_missing()


@TABLE.each_route
async def test_of_a_private_list_everybody_is_answered_as_the_table_says_and_told_no_more(
    street: Street, method: str, path: str
) -> None:
    told = await TABLE.ask_everybody(street, method, path)
    for caller in ("guest", "stranger", "former", "admin"):
        for word in (NOTE, COMMENT):
            assert word not in told[caller].text, caller
        if not path.endswith(("/invitation", "/collaborators")):
            assert LIST not in told[caller].text, caller


@PUBLIC.each_route
async def test_of_a_public_list_everybody_is_answered_as_the_table_says(
    public_street: Street, method: str, path: str
) -> None:
    await PUBLIC.ask_everybody(public_street, method, path)
