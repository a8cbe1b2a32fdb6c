"""A room as one declaration: all that the house needs to know of it.

What a room offers to others is found by its type (`offers_of`): a new join is a type in this
package, and an entry in the rooms that have it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from commonroom.accounts.demo import DemoPeople
from commonroom.accounts.tables import User
from commonroom.http.words import FLASH_TEXTS
from commonroom.notifications.kinds import Kind
from commonroom.notifications.preferences import Preference
from commonroom.settings import Settings
from commonroom.store import Entity, Store, Table
from commonroom.store.checking import Check
from commonroom.store.streams import Consumer
from commonroom.timers import Handler
from commonroom.titles.service import Titles

if TYPE_CHECKING:
    from commonroom.http.request import Request
    from commonroom.http.routes import Router
    from commonroom.outgoing.fetcher import Fetcher

T = TypeVar("T")

OF_THE_HOUSE = tuple(
    f"commonroom.{name}"
    for name in ("http", "accounts", "notifications", "search", "titles", "together")
)
"""The packages that bring templates and static files whichever rooms are open."""

ExportPart: TypeAlias = Callable[[Store, User], Awaitable[dict[str, Any]]]
"""Returns everything of one kind that is stored of a person, without secrets."""

SeedDemo: TypeAlias = Callable[[Store, float, DemoPeople], Awaitable[None]]
"""Adds demonstration data."""


class DeclaredTwice(ValueError):
    """Two declarations use one name."""


class Resource(Protocol):
    """Something that is opened with the application and closed with it."""

    async def close(self) -> None:
        """Lets go of what it holds."""


Resources: TypeAlias = Mapping[str, Resource]
"""By the name under which handlers find each in the application's state."""


class RoomUse(Struct, frozen=True, kw_only=True):
    """How the house sees that a person uses a room."""

    owners: Mapping[type[Entity], Callable[[Any], str | None]]
    """Whose each thing is that shows it, by kind; None for nobody's."""
    is_used_by: Callable[[Store, str], Awaitable[bool]]
    """Whether any of these is a person's, by the person's id; asked of the base table."""


class RoomData(Struct, frozen=True, kw_only=True):
    """What a room stores, and what follows from changes to it: all that a worker needs."""

    tables: Sequence[Table] = ()
    consumers: Sequence[Consumer] = ()
    """What follows from changes; also what clears up after a person who has left."""
    timer_handlers: Mapping[str, Handler] = {}
    """What is done when a timer is due, by its kind."""
    title_timer_handlers: Callable[[Titles], Mapping[str, Handler]] | None = None
    """Makes the timer handlers that ask the catalogue and its sources."""
    notification_kinds: Sequence[Kind] = ()
    exports: Mapping[str, ExportPart] = {}
    """What it adds to a person's data export, by the name of the part."""
    checks: Callable[[], Sequence[Check]] | None = None
    """Makes what `commonroom check` looks at besides keys and copies."""
    checked_orphans: Collection[type[Entity]] = ()
    """Whose lost originals these checks report, and not the check of copies."""
    use: RoomUse | None = None

    @property
    def preferences(self) -> list[Preference]:
        """Returns what people choose to hear of, each once."""
        chosen = [kind.preference for kind in self.notification_kinds if kind.preference]
        return list({one.name: one for one in chosen}.values())


class RoomServer(Struct, frozen=True, kw_only=True):
    """What a room needs where pages are served; commands and workers do not load it."""

    routers: Callable[[], Sequence[Router]] | None = None
    """Makes its pages and its API."""
    resources: Callable[[Settings, Fetcher], Resources] | None = None
    flash_texts: Mapping[str, str] = {}
    """What can be said on the page after a redirect, by name."""
    picture_paths: Sequence[str] = ()
    """Where its pictures are, which never change: browsers keep them to show them offline."""
    offers: Sequence[object] = ()
    """What it offers to others, where that takes its pages or a request."""


class Room(Struct, frozen=True, kw_only=True, eq=False):
    """A room. What it does not have, it leaves out; texts are translated when they are shown."""

    key: str
    """Its name in settings, and that of its icon and its colour."""
    name: str
    sentence: str
    """What it is for, on the front door."""
    addresses: Sequence[str] = ()
    """Where its pages are, the first where they begin; without one it is still being built."""
    for_guests: bool = False
    """Whether it has something for those without an account."""
    package: str | None = None
    """Whose folders `templates` and `static` it brings; each holds a folder of the room's name."""
    data: RoomData = RoomData()
    offers: Sequence[object] = ()
    """What it offers to others, for commands and workers, too: of types in `commonroom.joins`."""
    server: str | RoomServer | None = None
    """The name of a module with its `SERVER`, which only a server loads; or that itself."""
    demo: str | SeedDemo | None = None
    """The name of a module with its `seed_demo`, or that itself."""

    @property
    def address(self) -> str | None:
        """Returns where its pages begin."""
        return self.addresses[0] if self.addresses else None

    def holds(self, path: str) -> bool:
        """Returns whether a page of the room is at a path."""
        return any(path == one or path.startswith(f"{one}/") for one in self.addresses)

    def load_server(self) -> RoomServer:
        """Returns its server part, loaded when it is first asked for."""
        if not isinstance(self.server, str):
            return self.server or RoomServer()
        server: RoomServer = import_module(self.server).SERVER
        return server

    def load_demo(self) -> SeedDemo | None:
        """Returns what adds its demonstration data."""
        if not isinstance(self.demo, str):
            return self.demo
        seed_demo: SeedDemo = import_module(self.demo).seed_demo
        return seed_demo

    def offered(self, kind: type[T]) -> list[T]:
        """Returns what it offers of a type, its server part included."""
        offers = (*self.offers, *self.load_server().offers)
        return [one for one in offers if isinstance(one, kind)]


def open_rooms(request: Request) -> tuple[Room, ...]:
    """Returns the rooms that are not switched off, in the order of the front door."""
    rooms: tuple[Room, ...] = request.app.state.get("rooms", ())
    return rooms


def offers_of(rooms: Iterable[Room], kind: type[T]) -> list[T]:
    """Returns what these rooms offer of a type, in their order; loads their server parts."""
    return [one for room in rooms for one in room.offered(kind)]


def offers_without_server(rooms: Iterable[Room], kind: type[T]) -> list[T]:
    """Returns what these rooms offer of a type that commands and workers may ask for."""
    return [one for room in rooms for one in room.offers if isinstance(one, kind)]


def open_offers(request: Request, kind: type[T]) -> list[T]:
    """Returns what the open rooms offer of a type."""
    return offers_of(open_rooms(request), kind)


def first_offer(request: Request, kind: type[T]) -> T | None:
    """Returns what the first open room offers of a type; None where none does."""
    return next(iter(open_offers(request, kind)), None)


def preference_names(request: Request) -> list[str]:
    """Returns everything that people choose to hear of, also in rooms that are switched off."""
    kinds: Mapping[str, Kind] = request.app.state.get("kinds", {})
    return list(dict.fromkeys(kind.preference.name for kind in kinds.values() if kind.preference))


async def export_parts(request: Request, person: User) -> dict[str, Any]:
    """Returns what the data export holds of a person besides their account, by part."""
    state = request.app.state
    parts: Mapping[str, ExportPart] = state.get("data_export", {})
    return {name: await export(state.store, person) for name, export in parts.items()}


def joined(what: str, parts: Iterable[Mapping[str, T]]) -> dict[str, T]:
    """Returns all of them by name; refuses a name that is there twice."""
    found: dict[str, T] = {}
    for part in parts:
        if twice := found.keys() & part.keys():
            raise DeclaredTwice(f"There are two of the {what} {', '.join(sorted(twice))}.")
        found |= part
    return found


@cache
def flash_texts(rooms: tuple[Room, ...]) -> Mapping[str, str]:
    """Returns what can be said after a redirect, by name."""
    return joined("flash text", [FLASH_TEXTS, *(room.load_server().flash_texts for room in rooms)])


def packages(rooms: Iterable[Room]) -> tuple[str, ...]:
    """Returns the packages that bring templates and static files."""
    return (*OF_THE_HOUSE, *(room.package for room in rooms if room.package))
