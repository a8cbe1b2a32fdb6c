"""Reads of the JSON API over HTTP: what each costs the server, against the same answer by hand."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import median

from benchmarks import serving
from benchmarks.bare_server import LIMIT
from benchmarks.measuring import in_turns, typical
from benchmarks.report import Comparison, speed
from benchmarks.rooms import ROOMS, VIEWS
from benchmarks.rooms.declare import Address, House, View
from benchmarks.serving import Serving
from benchmarks.visiting import visitors
from commonroom.open_store import open_store
from commonroom.settings import Settings

ROUNDS, WARM_UP, CALLS = 30, 3, 160
BARE = "the same by hand"
CURSOR = re.compile(rb'"next_cursor":"[^"]+"')


async def compare(folder: Path, rounds: int = ROUNDS) -> list[Comparison]:
    """Every view of every room, by the processor time that a request takes."""
    settings = Settings(data=folder)
    addresses = await furnish(settings)
    with serving.ours(folder) as ours, serving.bare(settings.data_file) as bare:
        await ours.first_answer("/health/live")
        await ours.idle()
        await bare.first_answer(f"/{LIMIT}/")
        return [
            await _compared(view, addresses[key], ours, bare, rounds) for key, view in VIEWS.items()
        ]


async def furnish(settings: Settings) -> Mapping[str, Address]:
    """A house that every room has filled, and where each view is."""
    addresses: dict[str, Address] = {}
    async with open_store(settings, create=True) as store:
        house = House(store, time.time())
        for room in ROOMS:
            addresses |= await room.furnish(house)
    return addresses


async def _compared(
    view: View, address: Address, ours: Serving, bare: Serving, rounds: int
) -> Comparison:
    asked = [
        (ours, address.path, address.cookie),
        (bare, f"/{view.key}{address.path}", ""),
        (bare, f"/{LIMIT}/", ""),
    ]
    mine, theirs, limit = await _measured(asked, rounds)
    return speed(
        view.name,
        *typical(mine, theirs),
        rounds,
        against=BARE,
        sentence=view.sentence,
        at_least=view.at_least,
        limit=1 / median(limit),
    )


async def _measured(asked: Sequence[tuple[Serving, str, str]], rounds: int) -> list[list[float]]:
    """Seconds of the processor for each; the first two must answer the same."""
    sides = [
        await visitors(server.port, path, cookie, alike=False) for server, path, cookie in asked
    ]
    one, other = (CURSOR.sub(b"", side.body) for side in sides[:2])
    assert one == other, _difference(one, other)
    try:
        return await in_turns(
            *(partial(side.ask, CALLS) for side in sides),
            calls=CALLS,
            rounds=rounds,
            warm_up=WARM_UP,
            clock=[server.cpu_seconds for server, _, _ in asked],
        )
    finally:
        for side in sides:
            side.close()


def _difference(one: bytes, other: bytes) -> str:
    """Where two answers part."""
    place = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))
    around = slice(max(0, place - 60), place + 60)
    return f"{one[around]!r} is not {other[around]!r}"
