"""What the household did before: its evenings, and the films that it watched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from litestar import Response
from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.movienight import words
from commonroom.movienight.arguments import OwnSeat
from commonroom.movienight.pages.film_cards import FilmCard, of_pick, of_watched
from commonroom.movienight.pages.rounds import address_of, name_of
from commonroom.movienight.rules.rounds import RatingSummary, status_of
from commonroom.movienight.service import history
from commonroom.movienight.service.history import PastRound
from commonroom.movienight.tables import Pick, Round, Suggestion, WatchedFilm
from commonroom.store import Ref, Store
from commonroom.web.access import Need
from commonroom.web.forms import page
from commonroom.web.render import render
from commonroom.web.request import Cursor, Request

HERE = "/movie-night/history"


class PastAttendee(Struct, frozen=True):
    """Somebody who took part, and how they liked it."""

    user: User | None
    rating: str | None

    @property
    def display_name(self) -> str:
        """What they are called."""
        return name_of(self.user)

    @property
    def avatar_key(self) -> str | None:
        """Their picture."""
        return None if self.user is None else self.user.avatar_key


class PastRoundView(Struct, frozen=True):
    """A round of the past."""

    round: Round
    card: FilmCard | None
    company: list[PastAttendee]

    @property
    def address(self) -> str:
        """Its page."""
        return address_of(self.round.round_id)

    @property
    def state(self) -> str:
        """How it ended, or how far it is; translated when it is shown."""
        return words.STATES[status_of(self.round)]


class WatchedView(Struct, frozen=True):
    """A film that was watched."""

    film: WatchedFilm
    card: FilmCard
    ratings: RatingSummary


@page(HERE, Need.SIGNED_IN)
async def past_rounds(request: Request, seat: OwnSeat, cursor: Cursor = None) -> Response[Any]:
    """The rounds of the household, the newest first: three requests."""
    found = await history.list_rounds(seat, cursor=cursor)
    past = await _with_people(seat.store, found.items)
    return render(
        request, "movienight/history.html", past=past, cursor=found.cursor, ratings=words.RATINGS
    )


@page(f"{HERE}/films", Need.SIGNED_IN)
async def watched_films(request: Request, seat: OwnSeat, cursor: Cursor = None) -> Response[Any]:
    """All films that were watched, the last one first: three requests."""
    found = await history.list_watched_films(seat, cursor=cursor)
    watched = [
        WatchedView(one.watched, of_watched(one.watched, one.film), one.ratings)
        for one in found.items
    ]
    return render(
        request,
        "movienight/history_films.html",
        watched=watched,
        cursor=found.cursor,
        ratings=words.RATINGS,
    )


async def _with_people(store: Store, past: Sequence[PastRound]) -> list[PastRoundView]:
    """Everybody who took part, and all that the rounds knew of their picks, in one request."""
    named = dict.fromkeys(member for one in past for member in one.round.attendees or ())
    picks = [one.pick for one in past if one.pick is not None]
    refs: list[Ref[Any]] = [*(User.at(user_id=one) for one in named), *map(_suggestion, picks)]
    found: list[Any] = await store.batch_get(refs)
    people = dict(zip(named, found, strict=False))
    films = dict(zip((one.pick_id for one in picks), found[len(named) :], strict=True))
    return [
        PastRoundView(
            one.round,
            None if one.pick is None else of_pick(one.pick, films[one.pick.pick_id]),
            [
                PastAttendee(people[who], one.round.rated.get(who))
                for who in one.round.attendees or ()
            ],
        )
        for one in past
    ]


def _suggestion(pick: Pick) -> Ref[Suggestion]:
    return Suggestion.at(round_id=pick.round_id, tmdb_movie_id=pick.tmdb_movie_id)


HANDLERS = (past_rounds, watched_films)
