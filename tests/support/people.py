"""The people of all rooms, and whoever calls the API: fixtures, loaded as a plugin.

A room says by a `time_zone` of its own where its people live, by an `open_rooms` which rooms a
house has that is called, and by an `ada` who she is where more is known about her.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from commonroom.accounts.tables import AddressClaim, NotificationPrefs, User
from commonroom.moments import iso
from commonroom.settings import Settings
from commonroom.store import Store, create
from tests.accounts.api.calling import Calling, Client
from tests.accounts.people import Watch
from tests.support.application import application


async def somebody(store: Store, clock: Watch, name: str, **fields: Any) -> User:
    """Stores an account, with the claim on its address, and returns it."""
    user = User(
        user_id=str(uuid4()),
        email=f"{name.casefold().replace(' ', '.')}@example.org",
        display_name=name,
        created_at=iso(clock()),
        notification_prefs=NotificationPrefs(),
        **fields,
    )
    claim = AddressClaim(address=user.email or "", user_id=user.user_id, made_at=iso(clock()))
    await store.write(create(user), create(claim))
    return user


@pytest.fixture
def time_zone() -> str | None:
    """Where people live, if that is known."""
    return None


@pytest.fixture
async def ada(store: Store, clock: Watch, time_zone: str | None) -> User:
    """Somebody who makes things: a household, a library, a group, a list."""
    return await somebody(store, clock, "Ada", time_zone=time_zone)


@pytest.fixture
async def ben(store: Store, clock: Watch, time_zone: str | None) -> User:
    """Somebody who joins Ada, or whom she shares things with."""
    return await somebody(store, clock, "Ben", time_zone=time_zone)


@pytest.fixture
async def eve(store: Store, clock: Watch, time_zone: str | None) -> User:
    """Somebody from elsewhere."""
    return await somebody(store, clock, "Eve", time_zone=time_zone)


@pytest.fixture
def open_rooms() -> str:
    """Which rooms a house has that is called: one alone takes less time to build than all."""
    return Settings().rooms


@pytest.fixture
async def calling(store: Store, tmp_path: Path, open_rooms: str) -> AsyncIterator[Calling]:
    """Everybody who calls a house."""
    app = application(store, Settings(data=tmp_path, rooms=open_rooms))
    async with AsyncExitStack() as stack:
        yield Calling(app, store, stack)


@pytest.fixture
async def guest(calling: Calling) -> Client:
    """Nobody in particular."""
    return await calling.guest()
