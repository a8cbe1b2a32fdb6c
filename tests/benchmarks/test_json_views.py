from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pytest

from benchmarks.households import browser, opened_house
from benchmarks.json_views import BARE, CURSOR, DJANGO, FASTAPI, compare, furnish
from benchmarks.report import Bound
from benchmarks.rooms import ROOMS, VIEWS
from benchmarks.rooms.declare import BareFile
from benchmarks.visiting import CONNECTIONS
from commonroom.house.rooms import ROOMS as ROOMS_OF_THE_HOUSE
from commonroom.model import MODEL
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine


class CountedEngine(EmbeddedEngine):
    """Counts items that are read by key, and queries."""

    reads: ClassVar = Counter[str]()

    async def get(self, *arguments: Any) -> Any:
        self.reads["keys"] += 1
        return await super().get(*arguments)

    async def batch_get(self, wanted: Sequence[Any]) -> Any:
        self.reads["keys"] += len(wanted)
        return await super().batch_get(wanted)

    async def batch_get_decoded(self, wanted: Sequence[Any]) -> Any:
        self.reads["keys"] += len(wanted)
        return await super().batch_get_decoded(wanted)

    async def query(self, *arguments: Any) -> Any:
        self.reads["queries"] += 1
        return await super().query(*arguments)


class CountedFile(BareFile):
    """Counts the same of what is read by hand."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.reads = Counter[str]()

    def get(self, *arguments: Any) -> Any:
        return self._counted("keys", super().get(*arguments))

    def has(self, *arguments: Any) -> Any:
        return self._counted("keys", super().has(*arguments))

    def query(self, *arguments: Any) -> Any:
        return self._counted("queries", super().query(*arguments))

    def _counted(self, kind: str, read: Callable[..., Any]) -> Callable[..., Any]:
        def reading(*bindings: object) -> Any:
            self.reads[kind] += 1
            return read(*bindings)

        return reading


async def test_by_hand_the_same_is_read_and_answered(tmp_path: Path) -> None:
    path = tmp_path / "data.db"
    store = Store(CountedEngine(path, MODEL.tables, durability="OFF"))
    addresses, file = await furnish(store), CountedFile(path)
    async with opened_house(store, tmp_path) as app:
        for key, view in VIEWS.items():
            where, by_hand = addresses[key], view.bare(file)
            async with browser(app, where.cookie.removeprefix("session=") or None) as client:
                for _ in range(3):  # who asks is known by the third time
                    CountedEngine.reads.clear()
                    ours = await client.get(where.path)
            file.reads.clear()
            answer = msgspec.json.encode(by_hand(where.path.removeprefix("/")))
            assert CURSOR.sub(b"", answer) == CURSOR.sub(b"", ours.content), key
            assert file.reads == CountedEngine.reads, key
    await store.close()


@pytest.mark.slow
async def test_every_view_is_measured_against_the_same_answer_by_hand(tmp_path: Path) -> None:
    rows = await compare(tmp_path, passes=1, rounds=1, calls=CONNECTIONS, few_calls=CONNECTIONS)
    by_hand = [one for one in rows if one.against == BARE]
    names = [view.name for view in VIEWS.values()]
    assert [one.name for one in by_hand] == names + [f"{one}, 16 at once" for one in names]
    assert {str(one.bound) for one in by_hand[: len(names)]} == {"≥ 0.5"}
    assert [one.bound for one in by_hand[len(names) :]] == [
        Bound("≥", view.busy_at_least) for view in VIEWS.values()
    ]
    assert all(one.ours > 0 and one.theirs > 0 and one.limit for one in rows)
    others = [one for one in rows if one.against != BARE]
    assert len(others) == 4
    assert {(one.against, one.bound) for one in others} == {(FASTAPI, None), (DJANGO, None)}


def test_every_room_that_is_open_has_rows() -> None:
    measured = {one.room for one in ROOMS if one.views}
    opened = {room.key for room in ROOMS_OF_THE_HOUSE if room.address is not None}
    assert opened - measured == set(), "CONTRIBUTING.md says how a room adds its rows"


def test_no_two_views_have_one_key() -> None:
    assert len(VIEWS) == sum(len(one.views) for one in ROOMS)
