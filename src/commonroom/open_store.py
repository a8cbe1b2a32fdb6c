"""Opens the store that the settings name: the one place where an engine is chosen."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from commonroom.errors import CommonroomError
from commonroom.model import MODEL, RETIRED_TABLES, first_declarations
from commonroom.settings import Settings
from commonroom.store import Store, StoreError
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.embedded.data_file import file_errors
from commonroom.store.embedded.read_only import ReadOnlyEngine, is_read_only, open_to_read
from commonroom.store.embedded.reads import Snapshot
from commonroom.store.engine import Engine
from commonroom.store.errors import Unavailable, UnknownTable
from commonroom.store.upgrades.upgrade import Upgrade

if TYPE_CHECKING:
    from commonroom.store.dynamodb import DynamoSettings
    from commonroom.store.transfer.exporter import Source

PORTABLE = [table for table in MODEL.tables if table.room != "store"]
"""The tables of the rooms: what the store keeps for itself means nothing to another engine."""

UPGRADE_SECONDS = 2.0
"""How long opening a data file waits for its upgrade, which most files need far less for."""

PATIENT_SECONDS = 120.0
"""How long a patient command retries a request of DynamoDB."""

EXTRA_MODULES = frozenset({"aiodynamo", "aiohttp", "aiobotocore", "botocore", "yarl"})


class NotInstalled(CommonroomError):
    """Something optional is needed and is not there."""

    title = "An optional part is not installed"


@asynccontextmanager
async def open_store(
    settings: Settings,
    *,
    create: bool = False,
    only_reading: bool = False,
    patient: bool = False,
    cursor_key: bytes | None = None,
) -> AsyncIterator[Store]:
    """Opens the store of an installation; `create` makes a data file where there is none.

    What an upgrade has not completed yet is refused until it has; a file of an ordinary size is
    complete when this returns. With `only_reading` it opens also where nothing can be written.
    A `patient` caller goes through all that is stored, and DynamoDB may take its time for that.
    """
    if settings.store == "dynamodb":
        engine: Engine = await _connect_dynamodb(settings, patient=patient)
    elif only_reading and is_read_only(settings.data_file):
        engine = ReadOnlyEngine(settings.data_file, MODEL.tables)
    else:
        engine = _open_embedded(settings, create=create)
    store = Store(engine, cursor_key=cursor_key)
    try:
        with file_errors(settings.data_file):
            upgrade = upgrade_of(store)
            complete = await upgrade.is_complete()
            if not complete and isinstance(engine, EmbeddedEngine) and engine.is_writable:
                await _try_to_complete(upgrade)
            yield store
    finally:
        await store.close()


@asynccontextmanager
async def open_snapshot(settings: Settings, store: Store) -> AsyncIterator[Source]:
    """The store at one moment where the engine can give that, otherwise as it goes along."""
    if settings.store != "embedded":
        await require_tables(store)
        yield store.engine
        return
    path = settings.data_file
    snapshot = Snapshot(path, open_to_read(path), MODEL.tables)
    try:
        yield snapshot
    finally:
        snapshot.close()


def upgrade_of(store: Store) -> Upgrade:
    """Returns the upgrade of an installation's store to what this version declares."""
    return Upgrade(store, MODEL.tables, first_declarations(), RETIRED_TABLES)


async def _try_to_complete(upgrade: Upgrade) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(UPGRADE_SECONDS):
            await upgrade.fill()
    await upgrade.is_complete()


async def require_tables(store: Store) -> None:
    """Refuses to go on where tables or indexes are not there; one that is being made is."""
    upgrade = upgrade_of(store)
    if missing := await upgrade.examine_tables():
        raise UnknownTable(
            f"{', '.join(missing)}: not there yet, or without an index that is new. "
            "`commonroom tables create` makes it."
        )
    await upgrade.is_complete()


def make_data_folder(settings: Settings) -> None:
    """Makes the data folder for its owner alone; one that is there keeps the rights it has."""
    try:
        settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise Unavailable(
            f"The data folder {settings.data} cannot be made: {error.strerror}; "
            "choose another with COMMONROOM_DATA or --data."
        ) from error


def dynamo_settings(settings: Settings) -> DynamoSettings:
    """Returns the settings of the engine on DynamoDB, which is only loaded when it is chosen."""
    with require_dynamodb():
        from commonroom.store.dynamodb import DynamoSettings
    return DynamoSettings(
        region=settings.dynamodb_region,
        prefix=settings.dynamodb_prefix,
        endpoint=settings.dynamodb_endpoint or None,
        instance_role=settings.dynamodb_instance_role,
    )


@contextmanager
def require_dynamodb() -> Iterator[None]:
    """Turns the failed import of what the extra brings into a sentence."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in EXTRA_MODULES:
            raise
        raise NotInstalled(
            "DynamoDB needs more than is installed here: install commonroom[dynamodb]."
        ) from error


def _open_embedded(settings: Settings, *, create: bool) -> EmbeddedEngine:
    path = settings.data_file
    if create:
        make_data_folder(settings)
        _touch(path)
    elif not path.exists():
        raise missing_data_file(path)
    with file_errors(path):
        return EmbeddedEngine(
            path, MODEL.tables, durability=settings.durability, baseline=first_declarations()
        )


def missing_data_file(path: Path) -> StoreError:
    """Returns the error for a data file that is not there."""
    return Unavailable(
        f"There is no data file at {path}; `commonroom serve` makes one, "
        "and --data names another folder."
    )


def _touch(path: Path) -> None:
    """Makes the file for its owner alone; SQLite gives the files beside it the same rights."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    except OSError as error:
        raise Unavailable(
            f"{path} cannot be opened for writing: {error.strerror}; check its folder and rights; "
            "where nothing can be written, export, doctor, check, and backup to another place "
            "still work."
        ) from error


async def _connect_dynamodb(settings: Settings, *, patient: bool) -> Engine:
    chosen = dynamo_settings(settings)
    if patient:
        chosen = replace(chosen, seconds=PATIENT_SECONDS, attempt_seconds=PATIENT_SECONDS / 2)
    with require_dynamodb():
        from commonroom.store.dynamodb import connect
    return await connect(chosen)
