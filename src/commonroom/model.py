"""The data model of all rooms, of what they share, and of the store itself."""

from __future__ import annotations

from collections.abc import Iterable

from commonroom.accounts.tables import tables as accounts
from commonroom.catalog.tables import tables as catalog
from commonroom.house.rooms import ROOMS
from commonroom.notify.tables import tables as notify
from commonroom.store.declare.model import Model
from commonroom.store.streams.tables import tables as streams
from commonroom.timers.tables import tables as timers
from commonroom.web.rooms import Room


def model_of(rooms: Iterable[Room]) -> Model:
    """The data model of a house with these rooms; a table that two of them share is there once."""
    own = [table for room in rooms for table in room.tables]
    return Model(list(dict.fromkeys([*accounts, *own, *catalog, *notify, *timers, *streams])))


MODEL = model_of(ROOMS)
