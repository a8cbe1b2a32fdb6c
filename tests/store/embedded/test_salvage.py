"""Of a damaged file, every item whose pages are intact comes out, and what does not is told."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import apsw
import pytest

from commonroom.store import Store, put
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.embedded.salvage import Salvage, SalvageReport
from commonroom.store.values import Item, Key
from tests.support.world import TABLES, Book, Name, names, world

PAGE = 4096
BOOKS = 3500
Place = tuple[str, Key]


@dataclass
class Original:
    """A healthy file: its items, and the pages that each stands on, as SQLite itself says."""

    path: Path
    items: dict[Place, Item]
    pages_of: dict[Place, frozenset[int]]
    by_kind: dict[str, list[int]]
    deleted: set[Place]


def book(number: int) -> Book:
    """Every 25th is too large for one page."""
    tags = [
        f"tag {number} {index}" for index in range(700 if number % 25 == 0 else 20 + number % 30)
    ]
    return Book(
        house_id=f"h{number % 10}", book_id=f"{number:05}", owner_id="o", rank=number, tags=tags
    )


async def fill(path: Path) -> set[Place]:
    """Fills a file, and deletes some of it again; says what was deleted."""
    engine = EmbeddedEngine(path, TABLES, durability="OFF")
    books = [book(number) for number in range(BOOKS)]
    for start in range(0, BOOKS, 1000):
        await engine.load(world, [one.to_item() for one in books[start : start + 1000]])
    await engine.load(
        names, [Name(name=f"n{number}", holder="ann").to_item() for number in range(500)]
    )
    await engine.close()
    connection = apsw.Connection(str(path))
    connection.pragma("secure_delete", True)
    connection.execute("DELETE FROM World WHERE _id BETWEEN 2000 AND 2600")
    connection.close()
    return {(world.name, one.ref.key) for one in books[1999:2600]}


def pages_of_rows(connection: apsw.Connection, name: str) -> Iterator[frozenset[int]]:
    """The pages of each row of a table, in the order of its rows."""
    listed = list(
        connection.execute(
            "SELECT path, pageno, pagetype, ncell FROM dbstat WHERE name = ?", (name,)
        )
    )
    overflow: dict[str, set[int]] = {}
    for path, number, kind, _ in listed:
        if kind == "overflow":
            overflow.setdefault(path.partition("+")[0], set()).add(number)
    for path, number, _, cells in sorted(row for row in listed if row[2] == "leaf"):
        for cell in range(cells):
            yield frozenset({number} | overflow.get(f"{path}{cell:03x}", set()))


def list_pages(connection: apsw.Connection, last: int) -> dict[str, list[int]]:
    """The numbers of pages by what they are."""
    found: dict[str, list[int]] = {"schema": [1], "pointer map": [2]}
    tables = {table.name for table in TABLES}
    for name, number, kind in connection.execute("SELECT name, pageno, pagetype FROM dbstat"):
        what = "table" if name in tables else "index" if name != "sqlite_schema" else "schema"
        found.setdefault(f"{what} {kind}", []).append(number)
    used = {number for several in found.values() for number in several}
    found["free"] = [number for number in range(3, last + 1) if number not in used]
    return found


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Original:
    path = tmp_path_factory.mktemp("salvage") / "data.db"
    deleted = asyncio.run(fill(path))
    items: dict[Place, Item] = {}
    pages: dict[Place, frozenset[int]] = {}
    connection = apsw.Connection(str(path))
    engine = EmbeddedEngine(path, TABLES)
    for table in (world, names):
        rows = asyncio.run(engine.scan(table, limit=10_000)).items
        several = list(pages_of_rows(connection, table.name))
        assert len(several) == len(rows) > 0
        for item, on in zip(rows, several, strict=True):
            items[table.name, table.key_of(item)] = item
            pages[table.name, table.key_of(item)] = on
    by_kind = list_pages(connection, path.stat().st_size // PAGE)
    connection.close()
    asyncio.run(engine.close())
    return Original(path, items, pages, by_kind, deleted)


def salvaged(path: Path) -> tuple[dict[Place, Item], SalvageReport]:
    salvage = Salvage(path, TABLES)
    found: dict[Place, Item] = {}

    async def read() -> None:
        for table in TABLES:
            start = None
            while True:
                rows = await salvage.scan(table, limit=100, start=start)
                for item in rows.items:
                    place = (table.name, table.key_of(item))
                    assert place not in found, "nothing comes out twice"
                    found[place] = item
                start = rows.next
                if start is None:
                    break

    asyncio.run(read())
    salvage.close()
    return found, salvage.report


def overwrite(path: Path, number: int, how: str, random: Random) -> None:
    with path.open("r+b") as file:
        if how == "another page":
            file.seek(random.randrange(path.stat().st_size // PAGE) * PAGE)
            content = file.read(PAGE)
        elif how == "a flipped bit":
            file.seek((number - 1) * PAGE)
            page = bytearray(file.read(PAGE))
            page[random.randrange(PAGE)] ^= 1 << random.randrange(8)
            content = bytes(page)
        else:
            content = {
                "zeros": bytes(PAGE),
                "ones": b"\xff" * PAGE,
                "noise": random.randbytes(PAGE),
            }[how]
        file.seek((number - 1) * PAGE)
        file.write(content)


def check(original: Original, path: Path, damaged: set[int]) -> SalvageReport:
    """What must hold whatever is damaged."""
    found, report = salvaged(path)
    intact = {place for place, pages in original.pages_of.items() if not pages & damaged}
    lost = [place for place in intact if place not in found]
    assert not lost, f"{len(lost)} of {len(intact)} intact items are lost, such as {lost[:3]}"
    for place in intact:
        assert found[place] == original.items[place]
    assert not original.deleted & found.keys(), "nothing that was deleted comes back"
    doubtful = {(name, key) for name, one in report.tables.items() for key in one.altered_items}
    changed = {place for place, item in found.items() if item != original.items.get(place)}
    assert changed <= doubtful, "what was altered is said to be"
    assert not doubtful & intact
    if found.keys() < original.items.keys():
        assert not report.complete
    for name, table in report.tables.items():
        assert table.found == sum(place[0] == name for place in found)
    return report


HOW = ("zeros", "ones", "noise", "another page", "a flipped bit")
KINDS = (
    "table leaf",
    "table internal",
    "table overflow",
    "index leaf",
    "index internal",
    "free",
    "schema",
    "pointer map",
)


def test_a_healthy_file_comes_out_whole(original: Original) -> None:
    report = check(original, original.path, set())
    assert report.complete
    assert report.schema_readable


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("kind", KINDS)
def test_damage_of_every_kind_of_page(
    original: Original, tmp_path: Path, kind: str, how: str
) -> None:
    path = tmp_path / "damaged.db"
    shutil.copyfile(original.path, path)
    random = Random(f"{kind} {how}")
    numbers = original.by_kind[kind]
    chosen = set(numbers if len(numbers) < 5 else random.sample(numbers, 5))
    for number in sorted(chosen):
        overwrite(path, number, how, random)

    report = check(original, path, chosen)

    if kind in ("table leaf", "table overflow") and how in ("zeros", "noise", "ones"):
        there = [place for place, pages in original.pages_of.items() if pages & chosen]
        table = report.tables["World"]
        assert table.lost + report.tables["Names"].lost == len(there), "the index names them all"
        assert not table.perhaps_more_lost
        assert {(world.name, one.key) for one in table.lost_items} <= set(there)


@pytest.mark.parametrize("seed", range(12))
def test_any_damage(original: Original, tmp_path: Path, seed: int) -> None:
    path = tmp_path / "damaged.db"
    shutil.copyfile(original.path, path)
    random = Random(seed)
    last = path.stat().st_size // PAGE
    chosen = sorted(random.sample(range(1, last + 1), random.randint(1, 40)))
    for number in chosen:
        overwrite(path, number, random.choice(HOW), random)

    check(original, path, set(chosen))


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9, 0.999])
def test_a_file_that_was_cut_off(original: Original, tmp_path: Path, part: float) -> None:
    path = tmp_path / "damaged.db"
    shutil.copyfile(original.path, path)
    size = int(path.stat().st_size * part)
    with path.open("r+b") as file:
        file.truncate(size)

    check(original, path, set(range(size // PAGE + 1, original.path.stat().st_size // PAGE + 1)))


class TestALog:
    async def test_that_was_not_emptied_belongs_to_the_file(self, tmp_path: Path) -> None:
        path, copy = tmp_path / "data.db", tmp_path / "copy.db"
        store = Store(EmbeddedEngine(path, TABLES))
        await store.write(*(put(Name(name=f"n{number}", holder="ann")) for number in range(50)))
        copy_with_log(path, copy)
        await store.close()

        found, report = await asyncio.to_thread(salvaged, copy)

        assert len(found) == 50
        assert report.complete

    async def test_that_ends_in_the_middle_gives_what_was_committed_before(
        self, tmp_path: Path
    ) -> None:
        path, copy = tmp_path / "data.db", tmp_path / "copy.db"
        store = Store(EmbeddedEngine(path, TABLES))
        await store.write(put(Name(name="first", holder="ann")))
        before = log_of(path).stat().st_size
        await store.write(*(put(Name(name=f"n{number}", holder="ann")) for number in range(50)))
        copy_with_log(path, copy)
        await store.close()
        with log_of(copy).open("r+b") as log:
            log.seek(before + 1000)
            log.write(b"noise")

        found, report = await asyncio.to_thread(salvaged, copy)

        assert list(found) == [("Names", ("first",))]
        assert report.unread_log_bytes > 0


def log_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def copy_with_log(path: Path, copy: Path) -> None:
    for one, other in ((path, copy), (log_of(path), log_of(copy))):
        shutil.copyfile(one, other)
