"""What movie night adds to the page of a film: where it stands in the household, and its votes."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.http.request import Request
from commonroom.joins.title_sections import TitleSection
from commonroom.movienight import words
from commonroom.movienight.pages.rounds import address_of, name_of
from commonroom.movienight.service.films import VotesInRound
from commonroom.movienight.service.household_films import (
    HouseholdFilm,
    HouseholdVotes,
    KeptFilm,
    load_household_film,
    load_household_votes,
    load_kept,
    load_kept_film,
)
from commonroom.titles.request import reader_of
from commonroom.titles.service import FoundTitle
from commonroom.titles.titles import TitleId

T = TypeVar("T")

STYLE = "movienight/movienight.css"


class HouseholdSection(Struct, frozen=True):
    """A film in the household of the caller."""

    address: str
    film: HouseholdFilm

    def name_of(self, member_id: str) -> str:
        """Returns what a person is called."""
        return name_of(self.film.people.get(member_id))

    @property
    def ratings(self) -> str:
        """How everybody liked it, in words."""
        return words.rated([(self.name_of(one), liked) for one, liked in self.film.ratings.items()])

    @property
    def vote_address(self) -> str | None:
        """The round that is voted on, where the film is in that."""
        film = self.film
        if film.open_round is None or not film.is_on_shortlist:
            return None
        return address_of(film.open_round.round_id)


class VotesSection(Struct, frozen=True):
    """How a film did in the household's rounds."""

    address: str
    live: VotesInRound | None
    past: list[VotesInRound]


def of_film(
    load: Callable[[Context, User, int], Coroutine[Any, Any, T | None]],
) -> Callable[[Request, TitleId], Coroutine[Any, Any, T | None]]:
    """Loads by TMDB's number, where a person with an account looks at a film that has one."""

    async def load_of_title(request: Request, title: TitleId) -> T | None:
        if title.content_type != "MOVIE" or title.tmdb_id is None or reader_of(request) is None:
            return None
        return await load(request.context, request.caller.member, title.tmdb_id)

    return load_of_title


kept_title = of_film(load_kept_film)
"""What the household kept of a film: one request."""


async def load_household(
    request: Request, found: FoundTitle, kept: KeptFilm | None
) -> HouseholdSection | None:
    """Returns where it stands in the household: read by key."""
    number = found.facts.id.tmdb_id
    if number is None or kept is None:
        return None
    film = await load_household_film(request.context, request.caller.member, number, kept)
    return HouseholdSection(found.facts.id.address, film)


async def load_votes(
    request: Request,  # noqa: ARG001 - as others do
    found: FoundTitle,
    votes: HouseholdVotes | None,
) -> VotesSection | None:
    """Returns how it did in the household's rounds, as it was prepared."""
    if votes is None:
        return None
    return VotesSection(found.facts.id.address, votes.live, votes.past)


TITLE_SECTIONS = (
    TitleSection(
        name="household",
        template="movienight/title_household.html",
        prepare=of_film(load_kept),
        load=load_household,
        place="beside",
    ),
    TitleSection(
        name="votes",
        template="movienight/title_votes.html",
        prepare=of_film(load_household_votes),
        load=load_votes,
        style=STYLE,
    ),
)
