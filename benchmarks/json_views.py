"""Reads of the JSON API over HTTP: what each costs the server, against the same answer by hand."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from benchmarks import fastapi_models, fastapi_server, serving
from benchmarks.bare_server import LIMIT
from benchmarks.measuring import in_turns, typical
from benchmarks.report import Comparison, speed
from benchmarks.rooms import ROOMS, VIEWS
from benchmarks.rooms.declare import Address, House, View
from benchmarks.serving import Serving
from benchmarks.visiting import Visitors, visitors
from commonroom.open_store import open_store
from commonroom.settings import Settings

ROUNDS, WARM_UP, CALLS = 30, 3, 96
BARE, FASTAPI = "the same by hand", "FastAPI + SQLAlchemy"
CURSOR = re.compile(rb'"next_cursor":"[^"]+"')


class Servers(Struct, frozen=True):
    """Those who answer, each in a process of its own."""

    ours: Serving
    bare: Serving
    fastapi: Serving


async def compare(folder: Path, rounds: int = ROUNDS, calls: int = CALLS) -> list[Comparison]:
    """Every view of every room, by the processor time that a request takes."""
    settings, relational = Settings(data=folder), folder / "relational.db"
    addresses = await furnish(settings)
    fastapi_models.fill(relational, addresses)
    with (
        serving.ours(folder) as ours,
        serving.bare(settings.data_file) as bare,
        serving.fastapi(relational) as fastapi,
    ):
        await ours.first_answer("/health/live")
        await ours.idle()
        await bare.first_answer(f"/{LIMIT}/")
        member = addresses["member"]
        await fastapi.first_answer(member.path, member.cookie)
        rows = []
        for key, view in VIEWS.items():
            servers = Servers(ours, bare, fastapi)
            rows += await _compared(view, addresses[key], servers, rounds, calls)
        return rows


async def furnish(settings: Settings) -> Mapping[str, Address]:
    """A house that every room has filled, and where each view is."""
    addresses: dict[str, Address] = {}
    async with open_store(replace(settings, durability="NORMAL"), create=True) as store:
        house = House(store, time.time())
        for room in ROOMS:
            found = await room.furnish(house)
            assert found.keys() == {view.key for view in room.views}
            addresses |= found
    return addresses


async def _compared(
    view: View, address: Address, servers: Servers, rounds: int, calls: int
) -> list[Comparison]:
    asked = [
        (servers.ours, address),
        (servers.bare, Address(f"/{view.key}{address.path}")),
        (servers.bare, Address(f"/{LIMIT}/")),
    ]
    if view.key in fastapi_server.VIEWS:
        asked.append((servers.fastapi, address))
    ours, bare, limit, *others = await _measured(asked, rounds, calls)
    row = partial(speed, view.name, limit=1 / median(limit), sentence=view.sentence)
    return [
        row(*typical(ours, bare), rounds, against=BARE, at_least=view.at_least),
        *(row(*typical(ours, other), rounds, against=FASTAPI) for other in others),
    ]


async def _measured(
    asked: Sequence[tuple[Serving, Address]], rounds: int, calls: int
) -> list[list[float]]:
    """Seconds of its processor that a request takes each server."""
    sides = [
        await visitors(server.port, address.path, address.cookie, alike=False)
        for server, address in asked
    ]
    ours, bare, _, *others = sides
    _check_alike(ours, bare, others)
    try:
        return await in_turns(
            *(partial(side.ask, calls) for side in sides),
            calls=calls,
            rounds=rounds,
            warm_up=WARM_UP,
            clock=[server.cpu_seconds for server, _ in asked],
        )
    finally:
        for side in sides:
            side.close()


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
