"""The household's home: who we are, tonight, and the last films."""

from __future__ import annotations

from typing import Any

from litestar import Response, get
from msgspec import Struct

from commonroom.movienight import words
from commonroom.movienight.errors import TastesMissing
from commonroom.movienight.pages.asking import seat_in
from commonroom.movienight.pages.cards import FilmCard, of_watched, of_wish
from commonroom.movienight.pages.evenings import address_of
from commonroom.movienight.pages.everybody import Someone, everybody
from commonroom.movienight.pages.households import ROOM, START, start_context
from commonroom.movienight.pages.tonight import TonightCard, tonight_card
from commonroom.movienight.rules.households import MOST_MEMBERS
from commonroom.movienight.rules.rounds import RatingSummary
from commonroom.movienight.rules.tastes import Attendee, check_enough_tastes
from commonroom.movienight.service.homes import (
    HomeSeen,
    home_version,
    see_home,
    version_of,
)
from commonroom.movienight.service.seats import Seat, my_seat
from commonroom.movienight.tables import WatchedFilm
from commonroom.web.access import Need, needs
from commonroom.web.forms import EMPTY
from commonroom.web.render import render
from commonroom.web.request import Request
from commonroom.web.streaming import LiveUpdates

SHELF = 6
"""How many films a shelf on the home has."""


class Watched(Struct, frozen=True):
    """A film that was watched."""

    film: WatchedFilm
    card: FilmCard
    ratings: RatingSummary

    @property
    def address(self) -> str:
        """The page of its evening, or its own."""
        round_id = self.film.round_id
        return self.card.address if round_id is None else address_of(round_id)


class Home(Struct, frozen=True, kw_only=True):
    """A household as whoever asks sees it."""

    seat: Seat
    everybody: list[Someone]
    tonight: TonightCard | None
    watched: list[Watched]
    wishes: list[FilmCard]
    version: str
    is_ready: bool
    """Whether enough of them have said what they like for films to be suggested."""

    @property
    def is_silent(self) -> bool:
        """Whether whoever asks has not said yet what they like."""
        return any(one.is_you and one.preferences is None for one in self.everybody)

    @property
    def is_open(self) -> bool:
        """Whether a round is open, so that no other can be started."""
        return self.seat.group.open_round_id is not None

    @property
    def may_invite(self) -> bool:
        """Whether whoever asks can let others in."""
        return self.seat.is_creator and self.seat.group.member_count < MOST_MEMBERS


@get(ROOM, opt=needs(Need.SIGNED_IN))
async def home(request: Request) -> Response[Any]:
    """The household's home; where there is no household, how to come by one."""
    caller, store = request.caller, request.store
    seat = await my_seat(store, caller.person, caller.member)
    if seat is None:
        return render(request, START, **start_context(request, EMPTY))
    shown = home_of(seat, await see_home(store, seat))
    return render(request, "movienight/home.html", home=shown, liked=words.RATINGS)


@get(f"{ROOM}/live", opt=needs(Need.SIGNED_IN))
async def home_changes(request: Request) -> LiveUpdates:
    """The version of the home, now and whenever the household or its evening changes."""
    store, group_id = request.store, (await seat_in(request)).group_id

    async def version() -> str:
        return await home_version(store, group_id)

    async def lives_here(request: Request) -> bool:
        return (await seat_in(request)).group_id == group_id

    return LiveUpdates(f"household#{group_id}", version, lives_here)


def home_of(seat: Seat, seen: HomeSeen) -> Home:
    """A home as whoever sits there sees it."""
    here = everybody(seat, seen.members, seen.preferences)
    return Home(
        seat=seat,
        everybody=here,
        tonight=None if seen.tonight is None else tonight_card(seat, here, seen.tonight),
        watched=[
            Watched(one.watched, of_watched(one.watched, one.film), one.ratings)
            for one in seen.watched
        ],
        wishes=[of_wish(one) for one in seen.wishes[:SHELF]],
        version=version_of(
            seat.group.version, None if seen.tonight is None else seen.tonight.round
        ),
        is_ready=_is_ready(here),
    )


def _is_ready(here: list[Someone]) -> bool:
    try:
        check_enough_tastes([Attendee(one.user, one.preferences) for one in here])
    except TastesMissing:
        return False
    return True


HANDLERS = [home, home_changes]
