"""Hangouts as lists show them: cards with an answer in one tap, by day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from msgspec import Struct

from commonroom.hangouts import addresses, words
from commonroom.hangouts.pages.when import HangoutWhen, when_of
from commonroom.hangouts.rules.momentum import THIS_WEEK, is_quiet, momentum
from commonroom.hangouts.rules.rsvps import waits
from commonroom.hangouts.rules.times import takes_answers
from commonroom.hangouts.service.listing import HangoutRow
from commonroom.hangouts.service.lists import Sections
from commonroom.hangouts.tables import Momentum, RsvpStatus
from commonroom.http.render import render
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.words import _, join_names, pluralize


class HangoutCard(Struct, frozen=True, kw_only=True):
    """A hangout in a list."""

    hangout_id: str
    title: str
    address: str
    when: HangoutWhen | None
    has_time_poll: bool
    """Whether its time is being voted on."""
    place: str | None
    picture: str | None
    momentum: Momentum
    is_cancelled: bool
    is_quiet: bool
    is_open: bool
    """Whether it takes answers."""
    repeats: bool
    made_by: str | None
    groups: str
    """Its groups, as far as the reader is in them."""
    people: str
    """How many go and are interested, in words."""
    places: str
    status: RsvpStatus | None
    is_waiting: bool

    @property
    def mood(self) -> str:
        """How far it has come, in words; empty where that no longer matters."""
        if self.is_cancelled:
            return _("Cancelled")
        return _(words.MOMENTUM[self.momentum]) if self.is_open else ""


class Day(Struct, frozen=True):
    """Hangouts of one day."""

    name: str
    cards: list[HangoutCard]


class Lists(Struct, frozen=True):
    """The sections of a list, as they are shown."""

    in_progress: list[HangoutCard]
    days: list[Day]
    floating: list[HangoutCard]
    quiet: list[HangoutCard]
    has_earlier: bool
    later: str | None
    more_floating: str | None
    needs_day_first: bool = False
    """Whether nothing is near, so that what needs a day comes before what has one."""

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing at all to show."""
        return not (self.in_progress or self.days or self.floating or self.quiet)


def card_of(request: Request, one: HangoutRow, names: Mapping[str, str]) -> HangoutCard:
    """Returns a hangout in a list; `names` are those of the reader's groups."""
    row, mine, now = one.row, one.rsvp, request.now
    return HangoutCard(
        hangout_id=row.hangout_id,
        title=row.title,
        address=addresses.hangout(row.hangout_id),
        when=when_of(row, now, request.person.time_zone),
        has_time_poll=row.time_poll_id is not None and row.cancelled_at is None,
        place=None if row.place is None else row.place.name,
        picture=row.picture,
        momentum=momentum(row, now),
        is_cancelled=row.cancelled_at is not None,
        is_quiet=is_quiet(row, now),
        is_open=takes_answers(row, now),
        repeats=row.series_id is not None,
        made_by=one.made_by,
        groups=join_names([names[group] for group in row.group_ids if group in names]),
        people=people_in_words(row.going_count, row.interested_count),
        places=capacity_in_words(row.place_limit, row.going_count, row.waiting_count),
        status=None if mine is None else mine.status,
        is_waiting=waits(row, mine),
    )


def cards_of(
    request: Request, some: Sequence[HangoutRow], names: Mapping[str, str]
) -> list[HangoutCard]:
    """Several of them."""
    return [card_of(request, one, names) for one in some]


def lists_of(request: Request, found: Sections, names: Mapping[str, str]) -> Lists:
    """Returns the sections of a list; upcoming ones by day, of a series the next alone."""
    idle = cards_of(request, found.floating, names)
    return Lists(
        cards_of(request, found.in_progress, names),
        by_day(cards_of(request, next_of_series(found.upcoming), names)),
        [one for one in idle if not (one.is_quiet or one.is_cancelled)],
        [one for one in idle if one.is_quiet or one.is_cancelled],
        found.has_earlier,
        found.later,
        found.more_floating,
        needs_day_first=not any(_is_near(request, one) for one in found.upcoming),
    )


def _is_near(request: Request, one: HangoutRow) -> bool:
    """Returns whether a hangout is within a week, and not cancelled."""
    start, is_on = one.row.start_timestamp, one.row.cancelled_at is None
    return is_on and start is not None and start - request.now <= THIS_WEEK


def next_of_series(some: Sequence[HangoutRow]) -> list[HangoutRow]:
    """Hangouts without those of a series that come after its next: these would hide all others."""
    seen: set[str] = set()
    shown = []
    for one in some:
        series_id = one.row.series_id
        if series_id is None or series_id not in seen:
            shown.append(one)
        if series_id is not None and one.row.cancelled_at is None:
            seen.add(series_id)
    return shown


def by_day(cards: Sequence[HangoutCard]) -> list[Day]:
    """Cards in the order of time, under the name of their day."""

    def day(card: HangoutCard) -> str:
        return "" if card.when is None else card.when.day

    return [Day(name, list(some)) for name, some in groupby(cards, day)]


def people_in_words(going: int, interested: int) -> str:
    """Returns how many go and are interested; empty where nobody is."""
    said = []
    if going:
        said.append(pluralize("%(n)d going", "%(n)d going", going))
    if interested:
        said.append(pluralize("%(n)d interested", "%(n)d interested", interested))
    return " · ".join(said)


def capacity_in_words(limit: int | None, going: int, waiting: int) -> str:
    """Returns how many places are left, where they are limited."""
    if limit is None:
        return ""
    if waiting:
        return pluralize("%(n)d waiting", "%(n)d waiting", waiting)
    left = max(0, limit - going)
    return pluralize("%(n)d place left", "%(n)d places left", left) if left else _("Full")


def render_page(request: Request, template: str, **context: Any) -> Response[Any]:
    """A page of the room, whose templates know its addresses as `at` and its words as `room`.

    `may` says whether the caller acts for themselves, and so may change things.
    """
    may = request.caller.acting_as is None
    return render(request, f"hangouts/{template}", at=addresses, room=words, may=may, **context)
