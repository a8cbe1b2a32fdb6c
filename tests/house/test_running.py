"""What goes on beside the pages: changes are followed and timers come due, until it is to end."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from commonroom.house.running import housekeeping
from commonroom.joins.rooms import Room, RoomData
from commonroom.model import MODEL
from commonroom.notifications import tell
from commonroom.notifications.tables import kept_for_person, push_subscriptions
from commonroom.settings import Settings
from commonroom.store import Store, delete, put
from commonroom.store.embedded import EmbeddedEngine
from commonroom.timers import Timer, timer
from commonroom.timers.scheduler import WAITING_BY_BUCKET
from tests.notifications.people import FACTS, NEWS, ROUND, Device, person
from tests.notifications.push_service import push_service


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """The house's own store."""
    store = Store(EmbeddedEngine(tmp_path / "house.db", MODEL.tables, durability="OFF"))
    yield store
    await store.close()


async def test_changes_are_followed_and_timers_come_due(store: Store, tmp_path: Path) -> None:
    ada = await person(store, "Ada")
    await tell(store, time.time(), [ada], NEWS, facts={}, link="/", id="1", by=None)
    await store.write(delete(ada), put(timer("nobody-s", time.time(), {})))
    async with housekeeping(store, Settings(data=tmp_path / "data")):
        while (await store.page(kept_for_person(user_id=ada.user_id))).items:
            await store.engine.wait_for_changes(1)
        while (await store.merged(WAITING_BY_BUCKET)).items[0].tries == 0:
            await store.engine.wait_for_changes(1)


async def test_a_push_goes_to_no_server_that_the_operator_named(
    store: Store, tmp_path: Path
) -> None:
    ada = await person(store, "Ada")
    async with push_service() as films:
        device = Device(films.endpoint("films"))
        await device.signed_in(store, time.time, ada)
        await tell(store, time.time(), [ada], ROUND, facts=FACTS, link="/", id="1", by=None)
        settings = Settings(
            data=tmp_path / "data", tmdb_address=films.address, open_library_address=films.address
        )
        async with housekeeping(store, settings):
            # Where it may not be asked at all, the browser is forgotten.
            while (await store.page(push_subscriptions(user_id=ada.user_id))).items:
                await store.engine.wait_for_changes(1)
        assert films.delivered == []


async def test_it_ends_although_something_hangs(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = asyncio.Event()

    async def hang(store: Store, timer: Timer, now: float) -> None:
        begun.set()
        await asyncio.Event().wait()

    monkeypatch.setattr("commonroom.house.running.LAST_SECONDS", 0.1)
    room = Room(key="hall", name="Hall", sentence="", data=RoomData(timer_handlers={"hang": hang}))
    await store.write(put(timer("hang", time.time(), {})))
    async with housekeeping(store, Settings(data=tmp_path / "data"), [room]) as running:
        await begun.wait()
    assert running.done()


async def test_it_says_so_when_it_ends_by_itself(
    store: Store, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(seconds: float, seen: int | None = None) -> None:
        raise RuntimeError("a mistake of ours")

    monkeypatch.setattr(store.engine, "wait_for_changes", broken)
    with pytest.raises(ExceptionGroup):
        async with housekeeping(store, Settings(data=tmp_path / "data")) as running:
            await asyncio.wait([running])
    assert "What goes on beside the pages has ended." in caplog.messages
