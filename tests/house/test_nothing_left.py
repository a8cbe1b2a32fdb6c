"""A person deletes their account: their words are in no byte of the data folder, or of a backup."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.demo import DemoPeople
from commonroom.accounts.service import administration, profiles, sessions, signup, tokens
from commonroom.accounts.service.account_data import CONFIRMATION, delete_account
from commonroom.accounts.service.signup import NewAccount
from commonroom.accounts.tables import User
from commonroom.house.consumers import consumers
from commonroom.house.rooms import ROOMS
from commonroom.house.search import searchables
from commonroom.library.service.items import add_item
from commonroom.library.service.libraries import my_libraries
from commonroom.library.tables import Book
from commonroom.model import MODEL
from commonroom.movienight.tables import wishes_of_group
from commonroom.outgoing.fetcher import Fetcher
from commonroom.search.embedded.engine import EmbeddedIndex
from commonroom.search.indexing import Indexer
from commonroom.search.keeper import IndexKeeper
from commonroom.settings import Settings
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.embedded.backup import back_up
from commonroom.store.embedded.disk_space import DAY_SECONDS
from commonroom.store.streams import Worker
from commonroom.store.streams.worker import SWEEP_SECONDS
from tests.support.engines import Clock

# Nobody else is called so, and no film or book that comes along holds such a word.
NAME, CHILDREN, ADDRESS = "Quillabeth", ("Ottokarina", "Peregrinus"), "quillabeth.farthingale"
BOOK, BROWSER, TOKEN = "Quagmire Almanac", "Farthingale Navigator", "farthingale backup"
WORDS = [NAME, *CHILDREN, ADDRESS, BOOK, BROWSER, TOKEN]


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    path = Settings(data=tmp_path).data_file
    store = Store(EmbeddedEngine(path, MODEL.tables, durability="OFF"))
    yield store
    await store.close()


async def test_nothing_is_left_of_a_person_and_their_children(store: Store, tmp_path: Path) -> None:
    now, clock, settings = time.time(), Clock(), Settings(data=tmp_path)
    leaver, other = await household(store, now)
    index = EmbeddedIndex(settings.search_file, clock=clock)
    indexer = Indexer(store, index, searchables())
    keeper = IndexKeeper(indexer)
    worker = Worker(store, [*consumers(settings, Fetcher()), indexer.consumer], clock=clock)
    await worker.drain()
    await keeper.look()
    assert {word for word in WORDS if found(tmp_path, word)} == set(WORDS)
    assert settings.search_file.name in found(tmp_path, NAME)

    fresh = await store.get(leaver.ref)
    assert fresh is not None
    await delete_account(store, fresh, typed=CONFIRMATION)
    await worker.drain()
    for later in (SWEEP_SECONDS + 1, DAY_SECONDS):
        clock.stopped = clock() + later
        await worker._sweep()
        await keeper.sweep()

    back_up(settings.data_file, tmp_path / "backup.db")
    left = {word: where for word in WORDS if (where := found(tmp_path, word))}
    assert left == {}
    await index.close()
    still = await store.get(other.ref)
    assert still is not None
    assert still.household_id is not None
    wishes = [one async for one in store.all(wishes_of_group(group_id=still.household_id))]
    assert wishes
    assert leaver.user_id not in {one.added_by for one in wishes}


async def household(store: Store, now: float) -> tuple[User, User]:
    """Two people and two children, with a year behind them in every room."""
    year = now - 370 * 24 * 3600.0
    leaver = await signup.set_up(store, year, new(ADDRESS, NAME))
    other, ines, tom = [
        await signup.sign_up(store, year, "open", new(name.lower(), name))
        for name in ("Jonas", "Inès", "Tom")
    ]
    await administration.make_administrator(store, other)
    children = [
        await profiles.add_managed(Context(store, leaver, year), display_name=name)
        for name in CHILDREN
    ]
    await sessions.open_session(store, now, leaver, browser=BROWSER)
    await tokens.make_token(Context(store, leaver, now), name=TOKEN, scopes=["read"])
    people = DemoPeople(leaver, other, [ines, tom], children)
    for room in ROOMS:
        seed_demo = room.load_demo()
        assert seed_demo is not None
        await seed_demo(store, now, people)
    (shelf,) = (await my_libraries(Context(store, leaver))).items
    await add_item(Context(store, leaver, now), shelf.library_id, kind=Book, given={"title": BOOK})
    return leaver, other


def new(address: str, name: str) -> NewAccount:
    return NewAccount(f"{address.replace('è', 'e')}@home.example", name, "a sofa for everyone")


def found(folder: Path, word: str) -> list[str]:
    """The files, of whatever kind, in which a word stands, in whatever capitals."""
    wanted = word.encode().lower()
    files = [one for one in folder.rglob("*") if one.is_file()]
    return [one.name for one in files if wanted in one.read_bytes().lower()]
