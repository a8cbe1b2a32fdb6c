"""What the household did before: its evenings, and the films that it watched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.http.access import Need
from commonroom.http.forms import Pages
from commonroom.http.render import render
from commonroom.http.request import Cursor, Request
from commonroom.http.responses import Response
from commonroom.http.words import _
from commonroom.movienight import words
from commonroom.movienight.pages.film_cards import FilmCard, of_pick, of_watched
from commonroom.movienight.pages.rounds import address_of, name_of
from commonroom.movienight.request import OwnHouseholdId
from commonroom.movienight.rules.rounds import RatingSummary, status_of
from commonroom.movienight.service import history
from commonroom.movienight.service.history import PastFilm, PastRound
from commonroom.movienight.tables import WatchedFilm

HERE = "/movie-night/history"


pages = Pages()


class PastAttendee(Struct, frozen=True):
    """An attendee, and how they liked it."""

    display_name: str
    avatar_key: str | None
    rating: str | None


class PastRoundCard(Struct, frozen=True):
    """A round of the past."""

    address: str
    """Its page."""
    state: str
    """How it ended, or how far it is; translated when it is shown."""
    is_selected: bool
    """Whether the film is picked and was not watched yet."""
    at: str
    """When it was watched, or else when it began."""
    film: FilmCard | None
    company: list[PastAttendee]


class WatchedFilmCard(Struct, frozen=True):
    """A film that was watched."""

    film: WatchedFilm
    card: FilmCard
    ratings: RatingSummary

    @property
    def address(self) -> str:
        """The page of its evening, or its own."""
        round_id = self.film.round_id
        return self.card.address if round_id is None else address_of(round_id)


@pages.page(HERE, Need.SIGNED_IN)
async def past_rounds(
    request: Request, household_id: OwnHouseholdId, cursor: Cursor = None
) -> Response[Any]:
    """The rounds of the household, the newest first: two requests."""
    found = await history.list_rounds(request.store, household_id, cursor=cursor, with_people=True)
    return render(
        request,
        "movienight/history.html",
        past=_past_rounds(found.items, found.people),
        cursor=found.cursor,
        ratings={key: _(text) for key, text in words.RATINGS.items()},
    )


@pages.page(f"{HERE}/films", Need.SIGNED_IN)
async def watched_films(
    request: Request, household_id: OwnHouseholdId, cursor: Cursor = None
) -> Response[Any]:
    """All films that were watched, the last one first: two requests."""
    found = await history.list_watched_films(request.store, household_id, cursor=cursor)
    watched = watched_cards(found.items)
    return render(request, "movienight/history_films.html", watched=watched, cursor=found.cursor)


def watched_cards(films: Sequence[PastFilm]) -> list[WatchedFilmCard]:
    """Returns films that were watched, in their order."""
    return [WatchedFilmCard(one.watched, of_watched(one.watched), one.ratings) for one in films]


def _past_rounds(
    past: Sequence[PastRound], people: Mapping[str, User | None]
) -> list[PastRoundCard]:
    @cache  # the same few people took part in most of them
    def attendee(who: str, rating: str | None) -> PastAttendee:
        user = people[who]
        return PastAttendee(name_of(user), None if user is None else user.avatar_key, rating)

    return [
        PastRoundCard(
            address_of(round_.round_id),
            words.STATES[status_of(round_)],
            round_.status == "selected",
            round_.watched_at or round_.created_at,
            None if one.pick is None else of_pick(one.pick),
            [attendee(who, round_.rated.get(who)) for who in round_.attendees or ()],
        )
        for one in past
        for round_ in (one.round,)
    ]
