"""Home: what all open rooms have to say to a person, in few requests, whichever of them fail."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Sequence
from datetime import datetime, tzinfo
from itertools import islice
from math import inf
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from commonroom.http.request import Request
from commonroom.http.times import zone_of
from commonroom.http.words import language_of, lazy, speaking
from commonroom.joins.home import Featured, HomeCard, HomeFind, HomePart, HomeSection, HomeSource
from commonroom.joins.rooms import Room, open_rooms
from commonroom.notifications.tables import newest_notifications

logger = logging.getLogger(__name__)

SOURCE_SECONDS = 3.0
"""How long a room may take: the others are shown then."""
MAX_CARDS = 12
"""How many cards a list on home has; nobody does more at once."""


WEEKDAYS = (
    lazy("Mon"), lazy("Tue"), lazy("Wed"), lazy("Thu"),
    lazy("Fri"), lazy("Sat"), lazy("Sun"),
)  # fmt: skip


class Coming(Struct, frozen=True):
    """Something that comes up, with its day as a leaf of a calendar where the reader lives."""

    card: HomeCard
    weekday: str
    """To be translated."""
    day: int


class Home(Struct, frozen=True, kw_only=True):
    """All that is up with a person; each list in the order in which it is shown."""

    needs: list[HomeCard]
    coming: list[Coming]
    featured: list[Featured]
    sections: list[HomeSection]
    silent: list[Room]
    """The rooms that could not be asked just now."""
    version: str
    """What live pages watch."""

    @property
    def is_quiet(self) -> bool:
        """Whether nothing is up."""
        return not (self.needs or self.coming or self.featured or self.sections)

    @property
    def styles(self) -> list[str]:
        """The style sheets that its parts need."""
        return list(dict.fromkeys(one.style for one in self.featured if one.style))


class RoomContribution(Struct, frozen=True):
    """What a room found; None where it has nothing to say, or could not."""

    room: Room
    found: HomeFind | None = None
    has_failed: bool = False


async def load_home(request: Request) -> Home:
    """Asks every room, then reads what they want to see in one request.

    Beside what the rooms state: that one request, and one for the newest notification.
    """
    with speaking(language_of(request.scope)):  # looked up once, for dozens of texts
        answers = await request.store.gather_all(
            [_ask(request, room, source) for room, source in sources_in(request)]
        )
        refs = [ref for one in answers if one.found is not None for ref in one.found.refs]
        parts = _parts(answers, await _read(request, refs))
    return _joined(
        [part for part in parts.values() if part is not None],
        [room for room, part in parts.items() if part is None],
        await _newest_notification(request),
        zone_of(request.person),
    )


def _parts(
    answers: Sequence[RoomContribution], items: Sequence[Any] | None
) -> dict[Room, HomePart | None]:
    """Returns what each room shows; None for one that failed."""
    parts: dict[Room, HomePart | None] = {}
    rest = iter(items or ())
    for one in answers:
        if one.has_failed:
            parts[one.room] = None
        elif one.found is not None:
            wanted = len(one.found.refs)
            can_show = items is not None or not wanted
            read = list(islice(rest, wanted))
            parts[one.room] = _show(one.room, one.found, read) if can_show else None
    return parts


def sources_in(request: Request) -> list[tuple[Room, HomeSource]]:
    """Returns what open rooms add to the caller's home; less for a managed member."""
    for_anyone = request.caller.acting_as is None
    return [
        (room, source)
        for room in open_rooms(request)
        for source in room.offered(HomeSource)
        if for_anyone or source.for_children
    ]


async def home_version(request: Request) -> str:
    """Returns the version of a home: what a person was told, and what rooms watch besides."""
    parts = [await _newest_notification(request)]
    for _, source in sources_in(request):
        parts.append("" if source.version is None else await source.version(request))
    return _version(parts)


def _patience(request: Request) -> float | None:
    """How long a room may take; the embedded engine answers at once, and a timer for each room
    would take longer than its reads."""
    return None if request.store.engine.name == "embedded" else SOURCE_SECONDS


async def _ask(request: Request, room: Room, source: HomeSource) -> RoomContribution:
    try:
        async with asyncio.timeout(_patience(request)):
            return RoomContribution(room, await source.find(request))
    except Exception as error:  # home is there whatever happens in one room
        _log(room, error)
        return RoomContribution(room, has_failed=True)


async def _read(request: Request, refs: Sequence[Any]) -> list[Any] | None:
    """Returns what rooms want to see, in one request; None where that fails."""
    try:
        async with asyncio.timeout(_patience(request)):
            return await request.store.batch_get(refs)
    except Exception as error:
        logger.warning("Home could not be read: %s", type(error).__name__)
        return None


def _show(room: Room, found: HomeFind, items: Sequence[Any]) -> HomePart | None:
    try:
        return found.show(items)
    except Exception as error:
        _log(room, error)
        return None


def _log(room: Room, error: Exception) -> None:
    logger.warning("%s could not be shown on home: %s", room.key, type(error).__name__)


async def _newest_notification(request: Request) -> str:
    """Returns which was the last that a person was told; nothing for a child: one request."""
    if request.caller.acting_as is not None:
        return ""
    pattern = newest_notifications(user_id=request.person.user_id)
    page = await request.store.page(pattern, limit=1)
    return "".join(one.notification_id for one in page.items)


def _joined(parts: Sequence[HomePart], silent: list[Room], newest: str, zone: tzinfo) -> Home:
    coming = _in_order(card for part in parts for card in part.coming)
    return Home(
        needs=_in_order(card for part in parts for card in part.needs),
        coming=[_coming(card, zone) for card in coming],
        featured=[part.featured for part in parts if part.featured is not None],
        sections=[
            replace(section, cards=_in_order(section.cards))
            for part in parts
            for section in part.sections
            if section.cards
        ],
        silent=silent,
        version=_version([newest, *(part.version for part in parts)]),
    )


def _in_order(cards: Iterable[HomeCard]) -> list[HomeCard]:
    """Returns the earliest first, then what can wait."""
    return sorted(cards, key=lambda card: inf if card.at is None else card.at)[:MAX_CARDS]


def _coming(card: HomeCard, zone: tzinfo) -> Coming:
    local = datetime.fromtimestamp(card.at or 0, zone)
    return Coming(card, WEEKDAYS[local.weekday()], local.day)


def _version(parts: Sequence[str]) -> str:
    # Never empty: a browser is not told of an empty version.
    return ".".join(["v", *(part for part in parts if part)])
