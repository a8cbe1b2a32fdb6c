"""What follows from a write: copies, consumers, timers, notifications and search, per entity.

All of it is read from declarations: `Consumer` says what it wants, sets and tells, `Copy` what it
carries, `ActTimer` what it is set with, `Searchable` what becomes a document.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from commonroom.house.consumers import (
    consumers,
    notification_handlers,
    notification_kinds,
    timer_handlers,
)
from commonroom.house.rooms import ROOMS
from commonroom.house.search import searchables
from commonroom.joins.rooms import Room
from commonroom.model import model_of
from commonroom.notifications.kinds import Kind
from commonroom.outgoing.fetcher import Fetcher
from commonroom.search.documents import Searchable
from commonroom.search.indexing import CONSUMER as SEARCH
from commonroom.settings import Settings
from commonroom.store import Entity
from commonroom.store.declare.model import Model
from commonroom.store.declare.relations import relations_of
from commonroom.store.streams import Consumer
from commonroom.store.streams.consumer import sentence_of
from commonroom.timers import ActTimer, Handler
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
    """The kinds of notifications that acts send themselves: no consumer does, and no timer."""


class Declarations(Struct, frozen=True):
    """What a house declares of it."""

    model: Model
    consumers: Sequence[Consumer]
    """All but that of the search index."""
    timer_handlers: Mapping[str, Handler]
    searchables: Sequence[Searchable]
    kinds: Mapping[str, Kind]


def read_declarations(rooms: Sequence[Room] = ROOMS) -> Declarations:
    """Puts together what the rooms of a house declare, and what these have in common."""
    fetcher = Fetcher.for_user_addresses()
    of_rooms = timer_handlers(Titles(Catalogue()), rooms)
    sending = notification_handlers(SENDING, fetcher, rooms)
    return Declarations(
        model_of(rooms),
        consumers(SENDING, fetcher, rooms),
        {**of_rooms, **sending},
        searchables(rooms),
        notification_kinds(rooms),
    )


def consequences_of(house: Declarations) -> Consequences:
    """Returns what follows from the writes of a house."""
    senders: list[Consumer | ActTimer] = [*house.consumers, *_act_timers(house).values()]
    announced = {kind.name for one in senders for kind in one.tells}
    return Consequences(
        follows=[*_by_entity(house)],
        timers=[*_timers(house)],
        told_by_acts=[one for one in house.kinds if one not in announced],
    )


def _by_entity(house: Declarations) -> Iterator[EntityConsequences]:
    for table in house.model.tables:
        for entity in table.entities.values():
            if found := [*_of_own_write(entity, house), *_of_change(entity, house)]:
                yield EntityConsequences(entity.__name__, table.name, table.room, found)


def _of_own_write(entity: type[Entity], house: Declarations) -> Iterator[Consequence]:
    for copy in house.model.copies:
        if copy.of is entity and copy.known is not None:
            yield Consequence(OWN_WRITE, copy.description)
    for relation in relations_of(entity):
        yield Consequence(OWN_WRITE, relation.description)
    for name, one in _act_timers(house).items():
        if entity in one.set_with:
            yield Consequence(OWN_WRITE, f"Sets a timer. {one.description}", [name], _names(one))


def _of_change(entity: type[Entity], house: Declarations) -> Iterator[Consequence]:
    for one in house.consumers:
        if entity in one.wants:
            yield Consequence(one.name, one.description, one.sets, _names(one))
    for it in house.searchables:
        if it.entity is entity:
            yield Consequence(SEARCH, f"Indexes the document `{it.kind}` anew.")


def _timers(house: Declarations) -> Iterator[TimerConsequence]:
    for name, handler in house.timer_handlers.items():
        set_by = [one.name for one in house.consumers if name in one.sets]
        if isinstance(handler, ActTimer):
            written = ", ".join(one.__name__ for one in handler.set_with)
            set_by.append(f"a write of {written}" if written else AN_ACT)
            yield TimerConsequence(name, handler.description, set_by)
        else:
            yield TimerConsequence(name, sentence_of(handler), set_by)


def _act_timers(house: Declarations) -> Mapping[str, ActTimer]:
    handlers = house.timer_handlers.items()
    return {name: one for name, one in handlers if isinstance(one, ActTimer)}


def _names(sender: Consumer | ActTimer) -> list[str]:
    return [kind.name for kind in sender.tells]
