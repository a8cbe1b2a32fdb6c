"""Navigation menus: rendered once for each place, language and kind of person, and then reused."""

from __future__ import annotations

from functools import cache

from markupsafe import Markup
from msgspec import Struct

from commonroom.http.authentication import Caller
from commonroom.http.template_engine import render_template
from commonroom.joins.menus import NewThing
from commonroom.joins.rooms import Room

SECTIONS = ("/search", "/notifications", "/new", "/me", "/act-as", "/admin")
"""Where the house's own pages begin, besides home."""


class MenuLocation(Struct, frozen=True):
    """Where in the house a page is, as the menus mark it."""

    key: str | None = None
    """A room's key or a section's address; None where the menus do not lead."""
    is_start: bool = False
    """Whether it is the very page to which the menu leads."""

    def marks(self, key: str) -> Markup:
        """Returns the attribute of a link that leads to where the page is; nothing elsewhere."""
        if key != self.key:
            return Markup()
        return Markup(' aria-current="{}"').format("page" if self.is_start else "true")


class Viewer(Struct, frozen=True):
    """What makes a difference to a caller's menus: nothing of anybody's own."""

    is_guest: bool = False
    is_admin: bool = False
    is_acting: bool = False
    """Whether they act for another person."""
    may_switch: bool = False
    """Whether this device knows other people to switch to."""

    @staticmethod
    def of(caller: Caller) -> Viewer:
        """Returns what menus depend on for a caller."""
        if caller.account is None:
            return GUEST
        acting = caller.acting_as is not None
        may_switch = acting or bool(caller.account.managed_count)
        return Viewer(is_admin=caller.is_admin, is_acting=acting, may_switch=may_switch)

    def may_make(self, thing: NewThing) -> bool:
        """Whether they may make such a thing."""
        return (thing.for_guests or not self.is_guest) and (thing.for_managed or not self.is_acting)


GUEST = Viewer(is_guest=True)


class RoomThings(Struct, frozen=True):
    """What can be made in a room."""

    room: Room
    things: list[NewThing]


class Menus(Struct, frozen=True):
    """The menus of a page, as HTML."""

    side: Markup
    """Beside the page at a desk, without the person's own menu."""
    bar: Markup
    """Below it on a phone."""
    account: Markup
    """What a person's face opens."""


def menus_of(rooms: tuple[Room, ...], language: str, path: str, caller: Caller) -> Menus | None:
    """Returns the menus of a page for the caller; a guest has none."""
    if caller.account is None:
        return None
    return render_menus(rooms, language, place_of(rooms, path), Viewer.of(caller))


def place_of(rooms: tuple[Room, ...], path: str) -> MenuLocation:
    """Returns where a page is."""
    if path == "/":
        return MenuLocation("/", is_start=True)
    for room in rooms:
        if room.holds(path):
            return MenuLocation(room.key, is_start=path == room.address)
    for section in SECTIONS:
        if path == section or path.startswith(f"{section}/"):
            return MenuLocation(section, is_start=path == section)
    return MenuLocation()


def things_for(rooms: tuple[Room, ...], viewer: Viewer) -> list[RoomThings]:
    """Returns what the viewer can make, by room, in the order of the front door."""
    found = [
        RoomThings(room, [one for one in room.offered(NewThing) if viewer.may_make(one)])
        for room in rooms
        if room.address
    ]
    return [one for one in found if one.things]


@cache
def render_menus(
    rooms: tuple[Room, ...], language: str, place: MenuLocation, viewer: Viewer
) -> Menus:
    """Every menu: there are as many as places, languages and kinds of people, and no more."""
    context = {
        "place": place,
        "viewer": viewer,
        "rooms": rooms,
        "room_here": next((room for room in rooms if room.key == place.key), None),
        "things": things_for(rooms, viewer),
    }
    parts = {
        name: render_template(rooms, f"navigation/{name}.html", language=language, **context)
        for name in Menus.__struct_fields__
    }
    return Menus(**{name: Markup(part) for name, part in parts.items()})  # noqa: S704 - templates
