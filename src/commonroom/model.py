"""The data model of all rooms, of what they share, and of the store itself."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files

import msgspec

from commonroom.accounts.tables import tables as accounts
from commonroom.house.rooms import ROOMS
from commonroom.joins.rooms import Room
from commonroom.notifications.tables import tables as notify
from commonroom.store.declare.fingerprint import Fingerprint
from commonroom.store.declare.model import Model
from commonroom.store.streams.tables import tables as streams
from commonroom.store.upgrades.tables import tables as upgrades
from commonroom.timers.tables import tables as timers
from commonroom.titles.tables import tables as catalog


def model_of(rooms: Iterable[Room]) -> Model:
    """The data model of a house with these rooms; a table that two of them share is there once."""
    own = [table for room in rooms for table in room.data.tables]
    shared = [*catalog, *notify, *timers, *streams, *upgrades]
    return Model(list(dict.fromkeys([*accounts, *own, *shared])))


MODEL = model_of(ROOMS)

RETIRED_TABLES: frozenset[str] = frozenset()
"""Tables that an earlier version had: data that has others than these is a newer version's."""


@cache
def first_declarations() -> dict[str, Fingerprint]:
    """What data of version 0.1 is complete for, which did not store that: its declarations."""
    text = files("commonroom").joinpath("declarations_0_1.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, Fingerprint])
