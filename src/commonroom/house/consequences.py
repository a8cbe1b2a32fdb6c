"""What follows from a write: copies, consumers, timers, notifications and search, per entity.

All of it is read from declarations: `Consumer` says what it wants, sets and tells, `Copy` what it
carries, `Searchable` what becomes a document.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from commonroom.house.consumers import consumers, notification_handlers, notification_kinds
from commonroom.house.consumers import timer_handlers as handlers_of_rooms
from commonroom.house.rooms import ROOMS
from commonroom.house.search import searchables
from commonroom.joins.rooms import Room
from commonroom.model import model_of
from commonroom.outgoing.fetcher import Fetcher
from commonroom.search.indexing import CONSUMER as SEARCH
from commonroom.settings import Settings
from commonroom.store import Entity
from commonroom.store.streams import Consumer
from commonroom.store.streams.consumer import sentence_of
from commonroom.timers import Handler
from commonroom.titles.builtin import Catalogue
from commonroom.titles.service import Titles

SENDING = Settings(
    secret_key="not a secret: nothing is sent",  # noqa: S106 - it says so
    mail_server="smtp://localhost",
    mail_from="commonroom@localhost",
)
"""A house with every way of sending; these are built to be read, and never run."""
OWN_WRITE = "the same write"
AN_ACT = "an act"


class Consequence(Struct, frozen=True):
    """Something that follows from a write, and what does it."""

    by: str
    does: str
    sets: Sequence[str] = ()
    """The timers that it sets."""
    tells: Sequence[str] = ()
    """The kinds of notifications that it sends, by itself or by these timers."""


class EntityConsequences(Struct, frozen=True):
    """All that follows from a write of one entity."""

    entity: str
    table: str
    room: str
    consequences: Sequence[Consequence]


class TimerConsequence(Struct, frozen=True):
    """What a kind of timer does at its moment, and what sets it."""

    timer: str
    does: str
    set_by: Sequence[str]
    """Consumers, or an act that sets it with its own write."""


class Consequences(Struct, frozen=True):
    """What follows from the writes of a house."""

    follows: Sequence[EntityConsequences]
    timers: Sequence[TimerConsequence]
    told_by_acts: Sequence[str]
    """The kinds of notifications that no consumer sends."""


def read_consequences(rooms: Sequence[Room] = ROOMS) -> Consequences:
    """Reads from the declarations what follows from the writes of a house."""
    running = all_consumers(rooms)
    told = {kind.name for one in running for kind in one.tells}
    return Consequences(
        follows=[*_by_entity(rooms, running)],
        timers=[*_timers(rooms, running)],
        told_by_acts=[one for one in notification_kinds(rooms) if one not in told],
    )


def all_consumers(rooms: Sequence[Room] = ROOMS) -> list[Consumer]:
    """Returns every consumer of a house but that of the search index."""
    return consumers(SENDING, Fetcher.for_user_addresses(), rooms)


def timer_handlers(rooms: Sequence[Room] = ROOMS) -> Mapping[str, Handler]:
    """Returns the handlers of all kinds of timers."""
    sending = notification_handlers(SENDING, Fetcher.for_user_addresses(), rooms)
    return {**handlers_of_rooms(Titles(Catalogue()), rooms), **sending}


def _by_entity(rooms: Sequence[Room], running: Sequence[Consumer]) -> Iterator[EntityConsequences]:
    model = model_of(rooms)
    for table in model.tables:
        for entity in table.entities.values():
            copies = [one for one in model.copies if one.of is entity and one.known is not None]
            found = [Consequence(OWN_WRITE, one.description) for one in copies]
            found += _of_consumers(entity, running)
            found += _of_search(entity, rooms)
            if found:
                yield EntityConsequences(entity.__name__, table.name, table.room, found)


def _of_consumers(entity: type[Entity], running: Sequence[Consumer]) -> Iterator[Consequence]:
    for one in running:
        if entity in one.wants:
            tells = [kind.name for kind in one.tells]
            yield Consequence(one.name, one.description, one.sets, tells)


def _of_search(entity: type[Entity], rooms: Sequence[Room]) -> Iterator[Consequence]:
    for one in searchables(rooms):
        if one.entity is entity:
            yield Consequence(SEARCH, f"Indexes the document `{one.kind}` anew.")


def _timers(rooms: Sequence[Room], running: Sequence[Consumer]) -> Iterator[TimerConsequence]:
    for name, handler in timer_handlers(rooms).items():
        set_by = [one.name for one in running if name in one.sets]
        yield TimerConsequence(name, sentence_of(handler), set_by or [AN_ACT])
