"""A process that is killed in the middle of an import leaves the rest to the next one."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.library.room import LIBRARY
from commonroom.library.service.imports import LibraryImportChoices
from commonroom.library.service.imports.lifecycle import LibraryImports
from commonroom.library.tables import (
    Book,
    Collection,
    Library,
    LibraryImport,
    LibraryImportRows,
    LoanEvent,
)
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.streams import Worker
from tests.accounts.people import Watch
from tests.library.bookcase import TABLES, check_bookcases, everything_of, library_of, somebody
from tests.library.import_files import books
from tests.support.dynamodb_local import ROOT

ROWS = 1500
TIMES = 5
HELD = 1000
"""For how many seconds a timer is surely out of sight after whoever held it, and perhaps renewed
that for a while on a slow machine, was killed."""


async def begun(path: Path, now: float) -> None:
    """An import in many parts, in collections and some lent, that was started."""
    store, clock = Store(EmbeddedEngine(path, TABLES, durability="OFF")), Watch()
    clock.now = now
    ada = await somebody(store, clock, "Ada")
    home = await library_of(store, clock, ada)
    rows = [f"book,T{n:03d},C{n // 50},,,,,,{'Ben' if n % 9 == 0 else ''},," for n in range(ROWS)]
    imports = LibraryImports(Context(store, ada, now), home.library_id)
    ready = await imports.prepare(books(*rows), "shelf.csv")
    await imports.start(ready.import_id, LibraryImportChoices())
    await store.close()


async def undoing(path: Path, now: float) -> None:
    """Lets the import be taken back."""
    store = Store(EmbeddedEngine(path, TABLES, durability="OFF"))
    (kept,) = await everything_of(store.engine, LibraryImport)
    (ada,) = await everything_of(store.engine, User)
    await LibraryImports(Context(store, ada, now), kept.library_id).undo(kept.import_id)
    await store.close()


def killed_after(path: Path, lines: int, now: float) -> list[str]:
    """What the process said until it was killed."""
    command = [sys.executable, "-m", "tests.library.races.bringing", str(path), str(now)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(lines)]
        process.kill()
        said += process.stdout.read().splitlines()
    return [line.decode().strip() for line in said if line]


async def test_every_row_comes_in_once_however_often_it_is_killed(tmp_path: Path) -> None:
    path, chance, now = tmp_path / "bookcase.db", Random(), time.time()
    await begun(path, now)

    for time_ in range(TIMES):
        said = killed_after(path, 1 + chance.randrange(6), now + time_ * HELD)
        assert "books" in said
        assert "done" not in said
        engine = EmbeddedEngine(path, TABLES)
        await engine.check_integrity()
        await check_bookcases(engine, tidy=False)
        (kept,) = await everything_of(engine, LibraryImport)
        assert kept.added == len(await everything_of(engine, Book)), "counts are exact"
        assert kept.state == "running"
        await engine.close()
    said = killed_after(path, 10_000, now + TIMES * HELD)

    assert "done" in said
    store = Store(EmbeddedEngine(path, TABLES))
    await Worker(store, LIBRARY.data.consumers).drain()
    (kept,) = await everything_of(store.engine, LibraryImport)
    assert (kept.state, kept.added, kept.failed) == ("done", ROWS, 0)
    titles = Counter(one.title for one in await everything_of(store.engine, Book))
    assert titles == Counter(f"T{n:03d}" for n in range(ROWS))
    (home,) = await everything_of(store.engine, Library)
    lent = len(range(0, ROWS, 9))
    assert (home.total_items, home.lent_items) == (ROWS, lent)
    assert len(await everything_of(store.engine, LoanEvent)) == lent
    assert await everything_of(store.engine, LibraryImportRows) == []
    await check_bookcases(store.engine)
    await store.close()


async def test_an_import_is_undone_once_however_often_that_is_killed(tmp_path: Path) -> None:
    path, chance, now = tmp_path / "bookcase.db", Random(), time.time()
    await begun(path, now)
    assert "done" in killed_after(path, 10_000, now)
    await undoing(path, now + HELD)

    for time_ in range(1, 1 + TIMES):
        said = killed_after(path, 1 + chance.randrange(6), now + (1 + time_) * HELD)
        assert "books" in said
        assert "done" not in said
        engine = EmbeddedEngine(path, TABLES)
        await engine.check_integrity()
        await check_bookcases(engine, tidy=False)
        (kept,) = await everything_of(engine, LibraryImport)
        left = len(await everything_of(engine, Book))
        assert (kept.state, kept.removed, kept.kept) == ("undoing", ROWS - left, 0)
        await engine.close()
    said = killed_after(path, 10_000, now + (2 + TIMES) * HELD)

    assert "done" in said
    store = Store(EmbeddedEngine(path, TABLES))
    await Worker(store, LIBRARY.data.consumers).drain()
    (kept,) = await everything_of(store.engine, LibraryImport)
    assert (kept.state, kept.removed, kept.kept) == ("undone", ROWS, 0)
    kinds = (Book, LoanEvent, Collection, LibraryImportRows)
    assert [await everything_of(store.engine, kind) for kind in kinds] == [[], [], [], []]
    (home,) = await everything_of(store.engine, Library)
    assert (home.total_items, home.lent_items) == (0, 0)
    await check_bookcases(store.engine)
    await store.close()
