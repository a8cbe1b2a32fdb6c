"""The rooms as the front door shows them; one without an address is still being built."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from commonroom.settings.schema import ROOMS
from commonroom.web.words import _


class Room(Struct, frozen=True):
    """A room's sign on the door."""

    key: str
    """Also the name of its icon and of its colour."""
    name: str
    sentence: str
    address: str | None = None
    for_guests: bool = False
    """Whether it has something for those without an account."""


def open_rooms(settings: Any) -> tuple[Room, ...]:
    """Those that are not switched off, in the order of the corridor."""
    opened = getattr(settings, "open_rooms", ROOMS)
    return tuple(room for room in all_rooms() if room.key in opened)


def all_rooms() -> tuple[Room, ...]:
    """All of them, in the order of the corridor."""
    return (
        Room(
            "movienight",
            _("Movie night"),
            _("Pick a film everyone will enjoy, and remember how it went."),
            "/movie-night",
        ),
        Room(
            "library",
            _("Library"),
            _("The books and films on your shelves: collections, loans, sharing."),
            "/library",
        ),
        Room(
            "shareables",
            _("Shareables"),
            _("Checklists, events and polls that anyone can open with a short link."),
            "/s",
            for_guests=True,
        ),
        Room(
            "watchlists",
            _("Watchlists"),
            _("Lists of films and shows: discover, follow, rate, discuss."),
        ),
        Room(
            "hangouts",
            _("Hangouts"),
            _("Turn an idea into a plan with a group of friends."),
        ),
    )
