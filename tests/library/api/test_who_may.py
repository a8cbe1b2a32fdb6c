"""Every operation of the library with everybody there is, compared with the table in this folder.

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
from commonroom.accounts.service import profiles, sessions
from commonroom.accounts.tables import AddressClaim, User
from commonroom.http.application import App
from commonroom.library.api import library_api
from commonroom.library.service.collections import create_collection
from commonroom.library.service.imports import LibraryImportChoices
from commonroom.library.service.imports.lifecycle import LibraryImports
from commonroom.library.service.items import add_item
from commonroom.library.service.libraries import create_library, share, unshare
from commonroom.library.service.loans import lend, return_item
from commonroom.library.tables import Book, owner_id_of
from commonroom.moments import iso
from commonroom.settings import Settings
from commonroom.store import Store, create
from tests.support.application import application
from tests.support.snapshots import Homes
from tests.support.who_may import WhoMay, routes_of, send, yes_or_status

CALLERS = ("guest", "stranger", "former", "recipient", "borrower", "child", "owner")
"""The library is shared with the recipient, was shared with the former one, and the borrower has a
book from it; the child is acted for by the owner."""
V1 = "/api/v1"
LIBRARY, BOOK, COLLECTION = "Wardrobe", "Quicksilver", "Baroque"
BORROWER, DUE = "Nathaniel", "2033-05-31"

ITEM = "/libraries/{library_id}/items/{item_id}"
FILE = {"format": "commonroom-library", "items": [{"type": "book", "title": "Another"}]}
BODIES: dict[tuple[str, str], Any] = {
    ("POST", "/libraries"): {"library_name": "Another"},
    ("PATCH", "/libraries/{library_id}"): {"description": "Changed"},
    ("POST", "/libraries/{library_id}/collections"): {"name": "Foo"},
    ("PATCH", "/libraries/{library_id}/collections/{collection_id}"): {"description": "Changed"},
    ("POST", "/libraries/{library_id}/items"): {"kind": "book", "title": "Another"},
    ("PATCH", ITEM): {"summary": "Changed"},
    ("POST", f"{ITEM}/lend"): {"lent_to": "Somebody"},
    ("PUT", f"{ITEM}/due-date"): {"due_date": None},
    ("POST", "/libraries/{library_id}/import"): FILE,
    ("POST", "/libraries/{library_id}/import/preview"): FILE,
}
QUESTIONS: dict[tuple[str, str], dict[str, str]] = {
    ("DELETE", ITEM): {"force": "true"},
    ("DELETE", "/libraries/{library_id}"): {"force": "true"},
    ("GET", "/library/search"): {"q": BOOK},
    ("GET", "/look-ups/films"): {"title": "toy"},
}
BACK = {("POST", f"{ITEM}/lend"), ("DELETE", f"{ITEM}/history")}
"""What is asked of a book that is back; otherwise it is lent."""


class Home(Struct, frozen=True):
    """A library, and somebody of every kind."""

    people: dict[str, User]
    places: dict[str, str]
    elsewhere: str
    """Another library of the owner's."""


HOMES = Homes[Home]()


class Street:
    """A house in which every question finds the same: what was asked before is forgotten."""

    def __init__(self, store: Store, app: App) -> None:
        self._store = store
        self._app = app

    async def ask(self, caller: str, method: str, path: str) -> Response:
        """What somebody is told."""
        back, over = (method, path) in BACK, path.endswith("/import/undo")
        furnish = partial(self._home, back=back, over=over)
        home = await HOMES.home(self._store, (back, over), furnish)
        return await send(
            self._app,
            method,
            V1 + path.format(**home.places),
            json=self._body(method, path, home),
            params=QUESTIONS.get((method, path)),
            headers=await self._shown(caller, home),
        )

    @staticmethod
    def _body(method: str, path: str, home: Home) -> Any:
        if path.endswith("/move"):
            return {"to": home.elsewhere}
        if path.endswith(("/import/start", "/import/outcome", "/import/undo")):
            return {"import_id": home.places["import_id"]}
        if (method, path) == ("POST", "/libraries/{library_id}/shares"):
            return {"email": home.people["stranger"].email}
        return BODIES.get((method, path))

    async def _shown(self, caller: str, home: Home) -> dict[str, str]:
        if caller == "guest":
            return {}
        person = home.people["owner" if caller == "child" else caller]
        secret = await sessions.open_session(self._store, time.time(), person)
        acting = {"X-Acting-As-Member": home.people["child"].user_id} if caller == "child" else {}
        return {"Cookie": f"session={secret}", **acting}

    async def _home(self, *, back: bool, over: bool) -> Home:
        store, now = self._store, time.time()
        names = ("stranger", "former", "recipient", "borrower", "owner")
        people = {name: await self._somebody(name) for name in names}
        owner = people["owner"]
        people["child"] = await profiles.add_managed(Context(store, owner, now), display_name="Kim")
        library = await create_library(Context(store, owner, now), name=LIBRARY)
        elsewhere = await create_library(Context(store, owner, now), name="Elsewhere")
        here = (Context(store, owner, now), library.library_id)
        collection = await create_collection(*here, name=COLLECTION)
        placed = {"title": BOOK, "collection_id": collection.collection_id}
        kept = await add_item(*here, kind=Book, given=placed)
        loan = {"to": BORROWER, "due": DUE, "email": people["borrower"].email}
        await lend(*here, kept.item.item_id, **loan)  # type: ignore[arg-type] # texts, as it takes
        if back:
            await return_item(*here, kept.item.item_id)
        for name in ("former", "recipient"):
            await share(*here, people[name].email or "")
        await unshare(*here, owner_id_of(people["former"].user_id))
        file, imports = msgspec.json.encode(FILE), LibraryImports(*here)
        waiting = await imports.prepare(file, "shelf.json")
        if over:
            await imports.start(waiting.import_id, LibraryImportChoices())
            await imports.cancel()
        return Home(
            people,
            {
                "import_id": waiting.import_id,
                "library_id": library.library_id,
                "collection_id": collection.collection_id,
                "item_id": kept.item.item_id,
                "recipient_id": owner_id_of(people["recipient"].user_id),
                "isbn": "9780261103252",
            },
            elsewhere.library_id,
        )

    async def _somebody(self, name: str) -> User:
        email = f"{uuid4()}@example.org"
        user = User(
            user_id=str(uuid4()),
            email=email,
            display_name=name.title(),
            created_at=iso(time.time()),
        )
        claim = AddressClaim(address=email, user_id=user.user_id, made_at=user.created_at)
        await self._store.write(create(user), create(claim))
        return user


@asynccontextmanager
async def opened_street(folder: Path) -> AsyncIterator[Street]:
    """A house to ask at."""
    store = HOMES.store(folder / "street.db")
    try:
        # Nobody asks other people's servers here.
        settings = Settings(data=folder, book_look_ups=False)
        yield Street(store, application(store, settings))
    finally:
        await store.close()


TABLE = WhoMay(
    Path(__file__).with_name("who_may.txt"),
    callers=CALLERS,
    routes=routes_of([library_api()], below=V1),
    house=opened_street,
    cell=yes_or_status,
)


@pytest.fixture
async def street(tmp_path: Path) -> AsyncIterator[Street]:
    """A house to ask at."""
    async with opened_street(tmp_path) as made:
        yield made


def test_the_table_has_every_operation() -> None:
    TABLE.check_nothing_is_missing()


@TABLE.each_route
async def test_an_operation_answers_everybody_as_the_table_says_and_tells_nobody_too_much(
    street: Street, method: str, path: str
) -> None:
    told = await TABLE.ask_everybody(street, method, path)
    for caller in ("guest", "stranger", "former"):
        for word in (LIBRARY, BOOK, COLLECTION, BORROWER, DUE):
            assert word not in told[caller].text, caller
    assert BORROWER not in told["recipient"].text
    assert DUE not in told["recipient"].text
    if path != "/loans/borrowed":
        assert BOOK not in told["borrower"].text
