"""Data files of earlier versions, each made by that version's own code, open and work today.

Each is `commonroom.db` as `commonroom demo` of its version left it, packed by `xz -9e`; a release
adds one. Those of 0.1.0 are of its last day, of the day when it got three rooms, and of the day
when movie night was its only one.
"""

from __future__ import annotations

import lzma
import time
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import apsw
import msgspec
import pytest
from httpx import ASGITransport, AsyncClient

from commonroom.accounts.service import sessions
from commonroom.accounts.tables import User, user_by_email
from commonroom.house.checks import all_checks
from commonroom.house.rooms import ROOMS
from commonroom.http.authentication import COOKIE
from commonroom.model import MODEL, first_declarations
from commonroom.settings import Settings
from commonroom.shareables.service.listing import pages_of
from commonroom.store import Store
from commonroom.store.checking import ReportedProblem, check_store
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.embedded.schema import TableSql
from commonroom.store.upgrades.upgrade import Upgrade
from tests.support.application import whole_application

FILES = sorted((Path(__file__).parent / "earlier_versions").glob("*.db.xz"))
THREE_ROOMS = [file for file in FILES if "movie-night" not in file.name]


@pytest.fixture
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A file of an earlier version, unpacked."""
    unpacked = tmp_path / "commonroom.db"
    unpacked.write_bytes(lzma.decompress(request.param.read_bytes()))
    return unpacked


@pytest.fixture
def made_at(path: Path) -> float:
    """When the file was made: what it holds expires sooner or later."""
    with closing(apsw.Connection(str(path))) as connection:
        newest: float = connection.execute("SELECT max(at) FROM _changes").get
    return newest


@pytest.fixture
async def store(path: Path, made_at: float) -> AsyncIterator[Store]:
    """The file opened by this version, at the time when it was made."""
    engine = EmbeddedEngine(
        path,
        MODEL.tables,
        durability="OFF",
        clock=lambda: made_at,
        baseline=first_declarations(),
    )
    store = Store(engine)
    await Upgrade(store, MODEL.tables, first_declarations()).keep_on()
    yield store
    await store.close()


async def maya(store: Store) -> User:
    """Whose household it is."""
    found = await store.first(user_by_email(email="maya@home.example"))
    assert found is not None
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda file: file.name, indirect=True)
async def test_a_check_finds_nothing_wrong(store: Store) -> None:
    found: list[ReportedProblem] = []

    outcome = await check_store(
        store,
        MODEL.tables,
        all_checks(ROOMS),
        repair=False,
        report=found.append,
        progress=lambda *_: None,
    )

    assert found == []
    assert outcome.items > 1000
    assert store.engine.incomplete.summary == ""


@pytest.mark.parametrize("path", FILES, ids=lambda file: file.name, indirect=True)
async def test_every_column_has_what_its_items_have(store: Store, path: Path) -> None:
    compared = 0
    with closing(apsw.Connection(str(path))) as connection:
        for sql in map(TableSql, MODEL.tables):
            select = f"SELECT {sql.all_columns} FROM {sql.name}"  # noqa: S608 - our own names
            for row in connection.execute(select):
                item = msgspec.msgpack.decode(row[-1])
                for name, value in zip(sql.columns, row, strict=False):
                    if name not in sql.outside:
                        assert value == item.get(name), (sql.name, name)
                        compared += 1
    assert compared > 1000


async def pages(store: Store, *paths: str) -> str:
    """What Maya sees at some addresses."""
    app = whole_application(store, Settings(hosts="commonroom.test"))
    transport = ASGITransport(app)
    async with AsyncClient(
        transport=transport,
        base_url="http://commonroom.test",
        headers={"accept": "text/html"},
        follow_redirects=True,
    ) as browser:
        secret = await sessions.open_session(store, time.time(), await maya(store))
        browser.cookies.set(COOKIE, secret, domain="commonroom.test")
        shown = []
        for path in paths:
            response = await browser.get(path)
            assert response.status_code == 200, path
            shown.append(response.text)
        return "\n".join(shown)


@pytest.mark.parametrize("path", FILES, ids=lambda file: file.name, indirect=True)
async def test_movie_night_shows_its_year(store: Store) -> None:
    shown = await pages(
        store, "/", "/movie-night", "/movie-night/history", "/movie-night/history/films"
    )

    assert "Maya" in shown
    assert "Jonas" in shown


@pytest.mark.parametrize("path", THREE_ROOMS, ids=lambda file: file.name, indirect=True)
async def test_the_library_shows_its_shelves(store: Store) -> None:
    shown = await pages(store, "/library", "/library/loans")

    assert "Home shelves" in shown
    assert "Comics and films" in shown


@pytest.mark.parametrize("path", THREE_ROOMS, ids=lambda file: file.name, indirect=True)
async def test_shareables_show_what_was_made(store: Store, made_at: float) -> None:
    shown = await pages(store, "/s")
    kept = await pages_of(store, made_at, (await maya(store)).user_id)

    assert sorted(one.kind or "" for one in kept.items) == ["checklist", "event", "poll"]
    assert shown
