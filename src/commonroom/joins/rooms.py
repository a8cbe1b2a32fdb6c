"""A room as one declaration: everything that the house needs to know of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from commonroom.accounts.demo import DemoPeople
from commonroom.accounts.tables import User
from commonroom.http.calendars import CalendarEntry
from commonroom.http.words import FLASH_TEXTS
from commonroom.joins.acquaintances import AcquaintanceSource
from commonroom.joins.attachments import AttachmentKeeper, AttachmentKind
from commonroom.joins.bring_along import BringAlongSource
from commonroom.joins.film_sources import (
    FilmAvailability,
    FilmSuggestions,
    ListMaker,
    WishList,
)
from commonroom.joins.first_steps import FirstStep
from commonroom.joins.home import HomeSource
from commonroom.joins.new_things import NewThing
from commonroom.joins.person_parts import PersonSource
from commonroom.joins.plans import PlanForm
from commonroom.joins.search_audiences import AudienceSource
from commonroom.joins.search_kinds import SearchKind, SearchSource
from commonroom.joins.search_places import SearchPlace
from commonroom.joins.title_marks import LoadTitleMarks
from commonroom.joins.title_sections import KeptTitle, TitleSection
from commonroom.joins.watched_titles import WatchedFollower, WatchedTitles
from commonroom.notifications.notifications import Kind
from commonroom.notifications.preferences import Preference
from commonroom.settings import Settings
from commonroom.store import Entity, Store, Table, Write
from commonroom.store.checking import Check
from commonroom.store.streams import Consumer
from commonroom.timers import Handler
from commonroom.titles.service import Titles

if TYPE_CHECKING:
    from litestar import Request, Router

    from commonroom.outgoing.fetcher import Fetcher

T = TypeVar("T")

OF_THE_HOUSE = tuple(
    f"commonroom.{name}"
    for name in ("http", "accounts", "notifications", "search", "titles", "together")
)
"""The packages that bring templates and static files whichever rooms are open."""

ExportPart: TypeAlias = Callable[[Store, User], Awaitable[dict[str, Any]]]
"""Gives everything of one kind that is stored of a person, without secrets."""
InviteLookup: TypeAlias = Callable[[Store, float, str], Awaitable[list[Write]]]
"""Gives what must hold while an account is made with a link of a room.

Refuses with 404 where the link is not one of the room's, and with 410 where it works no longer.
"""

CalendarSource: TypeAlias = Callable[
    [Store, User, float], Coroutine[Any, Any, Sequence[CalendarEntry]]
]
"""Gives what was not long ago, is now or comes up for a person."""


HouseholdSource: TypeAlias = Callable[[Store, User], Awaitable[Sequence[User]]]
"""Gives everybody in a person's household, themselves included; nobody where they have none."""


class DeclaredTwice(ValueError):
    """Two declarations use one name."""


class Resource(Protocol):
    """Something that is opened with the application and closed with it."""

    async def close(self) -> None:
        """Lets go of what it holds."""


Resources: TypeAlias = Mapping[str, Resource]
"""By the name under which handlers find each in the application's state."""


class Room(Struct, frozen=True, kw_only=True, eq=False):
    """A room. What it does not have, it leaves out; texts are translated when they are shown."""

    key: str
    """Its name in settings, and that of its icon and its colour."""
    name: str
    sentence: str
    """What it is for, on the front door."""
    address: str | None = None
    """Where its pages begin; a room without one is still being built."""
    further_addresses: Sequence[str] = ()
    """Where else its pages are, such as `/lists`."""
    for_guests: bool = False
    """Whether it has something for those without an account."""
    admin_pages: Mapping[str, str] = {}
    """What it adds to the administration: titles by address."""

    package: str | None = None
    """Whose folders `templates` and `static` it brings; each holds a folder of the room's name."""
    routers: Callable[[], Sequence[Router]] | None = None
    """Makes its pages and its API."""
    resources: Callable[[Settings, Fetcher], Resources] | None = None
    flash_texts: Mapping[str, str] = {}
    """What can be said on the page after a redirect, by name."""
    picture_paths: Sequence[str] = ()
    """Where its pictures are, which never change: browsers keep them to show them offline."""

    tables: Sequence[Table] = ()
    consumers: Sequence[Consumer] = ()
    """What follows from changes; also what clears up after a person who has left."""
    timer_handlers: Mapping[str, Handler] = {}
    """What is done when a timer is due, by its kind."""
    title_timer_handlers: Callable[[Titles], Mapping[str, Handler]] | None = None
    """The same, for what asks the catalogue and its sources."""
    notification_kinds: Sequence[Kind] = ()
    search_documents: Sequence[SearchKind] = ()
    """What of it can be found: by everybody, or by those whom each is for."""
    search_audiences: Sequence[AudienceSource] = ()
    """By what it knows who may find something."""
    search_sources: Callable[[], Sequence[SearchSource]] | None = None
    """Makes what it finds by itself for each person: what they may see and others may not."""
    search_places: Sequence[SearchPlace] = ()
    """Its pages that people look for by what they want to do."""
    data_export: Mapping[str, ExportPart] = {}
    """What it adds to a person's data export, by the name of the part."""
    signup_invites: InviteLookup | None = None
    """Knows the links of the room with which somebody may make an account."""
    checks: Callable[[], Sequence[Check]] | None = None
    """Makes what `commonroom check` looks at besides keys and copies."""
    checked_orphans: Collection[type[Entity]] = ()
    """Whose lost originals these checks report, and not the check of copies."""
    demo: Callable[[Store, float, DemoPeople], Awaitable[None]] | None = None
    """Adds demonstration data."""

    home: Callable[[], HomeSource] | None = None
    """Gives what it adds to a person's home."""
    new_things: Sequence[NewThing] = ()
    """What people make in it."""
    owners: Mapping[type[Entity], Callable[[Any], str | None]] = {}
    """Whose each thing is that shows that a person uses the room, by kind; None for nobody's."""
    is_used_by: Callable[[Store, str], Awaitable[bool]] | None = None
    """Whether any of these is a person's, by the person's id; asked of the base table."""
    first_step: FirstStep | None = None
    """What a newcomer begins with who has nothing in it yet."""
    calendar: CalendarSource | None = None
    """What it puts into a person's calendar."""
    bring_along: Callable[[], BringAlongSource] | None = None
    """Gives what people who meet have of each other."""
    person_parts: Callable[[], PersonSource] | None = None
    """Gives what it adds to the page of somebody with whom one shares something."""
    acquaintances: AcquaintanceSource | None = None
    """Knows with whom a person shares a group, a household or a list of it."""
    title_marks: LoadTitleMarks | None = None
    """What it knows of films and shows that somebody found, in a few words."""
    title_sections: Callable[[], Sequence[TitleSection[Any]]] | None = None
    """Gives what it adds to the page of a film or show."""
    kept_title: KeptTitle | None = None
    """What it has kept of a film or show that the catalogue does not know any longer."""
    film_availability: Callable[[], FilmAvailability] | None = None
    """Which films it has on shelves, for whoever chooses one to watch."""
    film_suggestions: Callable[[], FilmSuggestions] | None = None
    """Which films people have put on its lists, for the same."""
    wish_list: Callable[[], WishList] | None = None
    """Where films can be wished for from elsewhere."""
    list_maker: Callable[[], ListMaker] | None = None
    """Where films can be kept as a list."""
    attachments: Callable[[], Sequence[AttachmentKind]] | None = None
    """Gives what of it can be attached to a plan."""
    attachment_keeper: AttachmentKeeper | None = None
    """What keeps such attachments."""
    plan_form: PlanForm | None = None
    """Where it plans something with a thing of another room."""
    household: HouseholdSource | None = None
    """Who lives with a person, where it knows that."""
    watched_titles: WatchedTitles | None = None
    """What it knows to have been watched together, for whoever follows that."""
    watched_follower: WatchedFollower | None = None
    """What it does about titles that were watched together, whoever tells of them."""

    def holds(self, path: str) -> bool:
        """Whether a page of the room is at a path."""
        return self.address is not None and any(
            path == address or path.startswith(f"{address}/")
            for address in (self.address, *self.further_addresses)
        )

    @property
    def preferences(self) -> list[Preference]:
        """What people choose to hear of, each once."""
        chosen = [kind.preference for kind in self.notification_kinds if kind.preference]
        return list({one.name: one for one in chosen}.values())


def open_rooms(request: Request[Any, Any, Any]) -> tuple[Room, ...]:
    """The rooms that are not switched off, in the order of the front door."""
    rooms: tuple[Room, ...] = request.app.state.get("rooms", ())
    return rooms


def film_availability_of(request: Request[Any, Any, Any]) -> FilmAvailability | None:
    """Who knows which films are on shelves; None where no such room is open."""
    return _first_offer(request, lambda room: room.film_availability)


def film_suggestions_of(request: Request[Any, Any, Any]) -> FilmSuggestions | None:
    """Who knows which films people put on lists; None where no such room is open."""
    return _first_offer(request, lambda room: room.film_suggestions)


async def household_of(request: Request[Any, Any, Any], store: Store, person: User) -> list[User]:
    """Everybody in a person's household, as the first open room knows that has households."""
    for room in open_rooms(request):
        if room.household is not None:
            return [*await room.household(store, person)]
    return []


def wish_list_of(request: Request[Any, Any, Any]) -> WishList | None:
    """Where films can be wished for; None where no such room is open."""
    return _first_offer(request, lambda room: room.wish_list)


def list_maker_of(request: Request[Any, Any, Any]) -> ListMaker | None:
    """Where films can be kept as a list; None where no such room is open."""
    return _first_offer(request, lambda room: room.list_maker)


def _first_offer(
    request: Request[Any, Any, Any], hook: Callable[[Room], Callable[[], T] | None]
) -> T | None:
    """What the first open room gives that has such a hook."""
    offers = map(hook, open_rooms(request))
    return next((offer() for offer in offers if offer is not None), None)


def preference_names(request: Request[Any, Any, Any]) -> list[str]:
    """Everything that people choose to hear of or not, also in rooms that are switched off."""
    kinds: Mapping[str, Kind] = request.app.state.get("kinds", {})
    return list(dict.fromkeys(kind.preference.name for kind in kinds.values() if kind.preference))


async def export_parts(request: Request[Any, Any, Any], person: User) -> dict[str, Any]:
    """What the data export holds of a person besides their account, by the name of each part."""
    state = request.app.state
    parts: Mapping[str, ExportPart] = state.get("data_export", {})
    return {name: await export(state.store, person) for name, export in parts.items()}


def joined(what: str, parts: Iterable[Mapping[str, T]]) -> dict[str, T]:
    """All of them by name; one that is there twice is an error when the house is put together."""
    found: dict[str, T] = {}
    for part in parts:
        if twice := found.keys() & part.keys():
            raise DeclaredTwice(f"There are two of the {what} {', '.join(sorted(twice))}.")
        found |= part
    return found


@cache
def flash_texts(rooms: tuple[Room, ...]) -> Mapping[str, str]:
    """What can be said after a redirect, by name."""
    return joined("flash text", [FLASH_TEXTS, *(room.flash_texts for room in rooms)])


def packages(rooms: Iterable[Room]) -> tuple[str, ...]:
    """The packages that bring templates and static files."""
    return (*OF_THE_HOUSE, *(room.package for room in rooms if room.package))
