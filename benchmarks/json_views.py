"""Reads of the JSON API over HTTP: what each costs the server, against the same answer by hand."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from benchmarks import fastapi_data, serving
from benchmarks.bare_server import LIMIT
from benchmarks.measuring import in_turns, undisturbed
from benchmarks.report import Comparison, speed
from benchmarks.rooms import ROOMS, VIEWS
from benchmarks.rooms.declare import Address, House, View
from benchmarks.serving import Serving
from benchmarks.visiting import CONNECTIONS, Visitors, visitors
from commonroom.open_store import open_store
from commonroom.settings import Settings
from commonroom.store import Store

PASSES, ROUNDS, WARM_UP = 6, 8, 2
"""Every view comes up several times in a run: others disturb the machine in spells."""
CALLS, FEW_CALLS = 64, 16
"""Fewer of those that take milliseconds."""
BATCH = (1, CONNECTIONS)
"""One request after the other, as a household asks; and as many as the server can answer, where
it is cheap to say little: what every request of ours passes weighs the more, the less it asks."""
BARE, FASTAPI, DJANGO = "the same by hand", "FastAPI + SQLAlchemy", "Django + REST framework"
CURSOR = re.compile(rb'"next_cursor":"[^"]+"')


class Side(Struct, frozen=True):
    """A server that is asked for a view."""

    server: Serving
    address: Address
    calls: int


class Servers(Struct, frozen=True):
    """Those who answer, each in a process of its own."""

    ours: Serving
    bare: Serving
    fastapi: Serving
    django: Serving

    def sides(self, view: View, address: Address, calls: int, few_calls: int) -> list[Side]:
        """Ours, by hand, the limit, and the frameworks where they have the view."""
        sides = [
            Side(self.ours, address, calls),
            Side(self.bare, Address(f"/{view.key}{address.path}"), calls),
            Side(self.bare, Address(f"/{LIMIT}/"), calls),
        ]
        if view.key in fastapi_data.VIEWS:
            sides += [Side(one, address, few_calls) for one in (self.fastapi, self.django)]
        return sides


async def compare(
    folder: Path,
    *,
    passes: int = PASSES,
    rounds: int = ROUNDS,
    calls: int = CALLS,
    few_calls: int = FEW_CALLS,
) -> list[Comparison]:
    """Every view of every room, by the processor time that a request takes."""
    settings, relational = Settings(data=folder), folder / "relational.db"
    async with open_store(replace(settings, durability="NORMAL"), create=True) as store:
        addresses = await furnish(store)
    fastapi_data.fill(relational, addresses)
    with (
        serving.ours(folder) as ours,
        serving.bare(settings.data_file) as bare,
        serving.fastapi(relational) as fastapi,
        serving.django(relational) as django,
    ):
        await ours.first_answer("/health/live")
        await ours.idle()
        await bare.first_answer(f"/{LIMIT}/")
        member = addresses["member"]
        for framework in (fastapi, django):
            await framework.first_answer(member.path, member.cookie)
        servers = Servers(ours, bare, fastapi, django)
        sides = {
            key: servers.sides(view, addresses[key], calls, few_calls)
            for key, view in VIEWS.items()
        }
        taken: dict[tuple[str, int], list[list[float]]] = {
            (key, most): [[] for _ in sides[key]] for key in VIEWS for most in BATCH
        }
        for _ in range(passes):
            for (key, most), of_sides in taken.items():
                for side, seconds in zip(
                    of_sides, await _measure(sides[key], rounds, most), strict=True
                ):
                    side.extend(seconds)
    return [row for key, view in VIEWS.items() for row in _rows(view, taken[key, 1])] + [
        _busy_row(view, taken[key, CONNECTIONS]) for key, view in VIEWS.items()
    ]


async def furnish(store: Store) -> Mapping[str, Address]:
    """Fills a house with what every room has, and gives the address of each view."""
    addresses: dict[str, Address] = {}
    house = House(store, time.time())
    for room in ROOMS:
        found = await room.furnish(house)
        assert found.keys() == {view.key for view in room.views}
        addresses |= found
    return addresses


async def _measure(sides: Sequence[Side], rounds: int, most: int) -> list[list[float]]:
    """Seconds of its processor that a request takes each server, round by round."""
    visiting = [
        await visitors(
            one.server.port, one.address.path, one.address.cookie, alike=False, most=most
        )
        for one in sides
    ]
    ours, bare, _, *others = visiting
    _check_alike(ours, bare, others)
    try:
        return await in_turns(
            *(partial(one.ask, side.calls) for one, side in zip(visiting, sides, strict=True)),
            calls=[side.calls for side in sides],
            rounds=rounds,
            warm_up=WARM_UP,
            clock=[side.server.cpu_seconds for side in sides],
        )
    finally:
        for one in visiting:
            one.close()


def _rows(view: View, taken: Sequence[Sequence[float]]) -> list[Comparison]:
    rounds = len(taken[0])
    ours, bare, limit, *others = map(undisturbed, taken)
    row = partial(speed, view.name, ours, limit=1 / limit, sentence=view.sentence)
    return [
        row(bare, rounds, against=BARE, at_least=view.at_least),
        *(
            row(other, rounds, against=against)
            for other, against in zip(others, (FASTAPI, DJANGO), strict=False)
        ),
    ]


def _busy_row(view: View, taken: Sequence[Sequence[float]]) -> Comparison:
    ours, bare, limit, *_ = map(undisturbed, taken)
    name = f"{view.name}, {CONNECTIONS} at once"
    rounds, sentence = len(taken[0]), f"The same where {CONNECTIONS} ask at once, without pause."
    return speed(
        name,
        ours,
        bare,
        rounds,
        against=BARE,
        sentence=sentence,
        at_least=view.busy_at_least,
        limit=1 / limit,
    )


def _check_alike(ours: Visitors, bare: Visitors, others: Sequence[Visitors]) -> None:
    """That all answer the same: by hand to the byte, others as JSON, cursors aside."""
    one, other = (CURSOR.sub(b"", side.body) for side in (ours, bare))
    assert one == other, _difference(one, other)
    for side in others:
        assert _plain(side) == _plain(ours)


def _plain(side: Visitors) -> Any:
    return msgspec.json.decode(CURSOR.sub(b'"next_cursor":""', side.body))


def _difference(one: bytes, other: bytes) -> str:
    """Where two answers part."""
    pairs = enumerate(zip(one, other, strict=False))
    place = next((number for number, (mine, theirs) in pairs if mine != theirs), len(one))
    around = slice(max(0, place - 60), place + 60)
    return f"{one[around]!r} is not {other[around]!r}"
