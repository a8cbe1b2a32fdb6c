"""What pages and API of movie night take: seats, films, the film source, and bodies of requests."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any, TypeAlias, cast

from msgspec import Meta
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.errors import MissingPrerequisite, NotFound
from commonroom.http.arguments import From
from commonroom.http.bodies import Body
from commonroom.http.paging import Paging
from commonroom.http.request import Request
from commonroom.http.words import lazy
from commonroom.joins.film_sources import FilmAvailability, FilmSuggestions
from commonroom.joins.rooms import first_offer
from commonroom.movienight.service import history
from commonroom.movienight.service.film_sources import Copies, FilmSources
from commonroom.movienight.service.rounds.queries import RoundSeat, find_round_seat
from commonroom.movienight.service.seats import (
    Seat,
    find_household_id,
    find_seat,
    get_seat,
    no_such_household,
)
from commonroom.titles.films import Film, FilmSource
from commonroom.titles.service import Titles

MAX_FILM = 2**53

FilmId: TypeAlias = Annotated[int, Meta(ge=1, le=MAX_FILM, description="The TMDB ID of the film.")]


async def context_of(request: Request, group_id: str | None = None) -> Context:
    """The context of whoever asks, who is looked up anew where the household is not theirs.

    They may have been recognised a few seconds ago, and have come into it in another process since.
    """
    theirs = request.person.household_id
    wanted = theirs if group_id is None else group_id
    if theirs is None or not theirs == wanted == request.caller.member.household_id:
        await request.recognise_anew()
    return request.context


def household_needed(request: Request) -> MissingPrerequisite:
    """The refusal for a person in no household: the room's own page is where one begins.

    What an address names by its id is not found, as it would be for members of another household;
    who follows a link to it is told why before they go on.
    """
    return MissingPrerequisite(
        "You are not in a household yet. Create one, or ask someone for an invitation.",
        page="/movie-night",
        link=lazy("Start or join a household"),
        flash=None if request.path_params else "household-needed",
    )


async def own_seat(request: Request) -> Seat:
    """The seat of whoever asks, in whichever household is theirs: one request."""
    seat = await seat_if_any(request)
    if seat is None:
        raise household_needed(request)
    return replace(seat, sources=film_sources(request))


async def seat_if_any(request: Request) -> Seat | None:
    """The same; None for whoever is in no household."""
    return await find_seat(await context_of(request), request.caller.member)


async def seat_in_path(request: Request) -> Seat:
    """The seat of whoever asks, in the household that the path names."""
    group_id = request.path_params["group_id"]
    ctx = await context_of(request, group_id)
    seat = await get_seat(ctx, request.caller.member, group_id)
    return replace(seat, sources=film_sources(request))


async def own_round(request: Request) -> RoundSeat:
    """The seat of whoever asks, and the round that the path names: one request."""
    return await _round_seat(request, await context_of(request))


async def round_in_path(request: Request) -> RoundSeat:
    """The same in the household that the path names."""
    return await _round_seat(request, await _context_in_path(request))


async def _round_seat(request: Request, ctx: Context) -> RoundSeat:
    round_id: str = request.path_params["round_id"]
    found = await find_round_seat(ctx, request.caller.member, round_id)
    if found is None:
        raise household_needed(request)
    return found


async def own_household(request: Request) -> str:
    """The id of the household of whoever asks; no request."""
    group_id = find_household_id(await context_of(request), request.caller.member)
    if group_id is None:
        raise household_needed(request)
    return group_id


async def household_in_path(request: Request) -> str:
    """The same, where it is the household that the path names."""
    ctx = await _context_in_path(request)
    group_id = find_household_id(ctx, request.caller.member)
    if group_id is None:
        raise household_needed(request)
    return group_id


async def _context_in_path(request: Request) -> Context:
    """The context of whoever asks, where the household that the path names is theirs."""
    group_id: str = request.path_params["group_id"]
    ctx = await context_of(request, group_id)
    if ctx.person.household_id != group_id:
        raise no_such_household()
    return ctx


def film_sources(request: Request) -> FilmSources:
    """What rooms that are open know of films, for whoever asks."""
    shelves, lists = first_offer(request, FilmAvailability), first_offer(request, FilmSuggestions)
    bound: dict[str, Any] = {}
    if shelves is not None:
        bound |= {
            "find_copies": partial(_find_copies, request, shelves),
            "list_shelved": partial(shelves.films, request),
        }
    if lists is not None:
        bound["list_listed"] = partial(lists.films, request)
    return FilmSources(**bound)


async def _find_copies(
    request: Request, shelves: FilmAvailability, films: Sequence[Film]
) -> Copies:
    found = await shelves.find(request, films)
    return {one.tmdb_movie_id: found[one.id].is_there for one in films if one.id in found}


def film_source(request: Request) -> FilmSource:
    """The film source of this installation."""
    return cast("Titles", request.app.state.titles).films


def film_in_path(request: Request) -> int:
    """TMDB's number of the film that the path names."""
    named = request.path_params
    text: str = named["tmdb_movie_id"] if "tmdb_movie_id" in named else named["title_id"]
    if not (text.isascii() and text.isdigit() and len(text) <= 16 and 0 < int(text) <= MAX_FILM):
        raise NotFound("This film does not exist.")
    return int(text)


OwnSeat: TypeAlias = Annotated[Seat, From(own_seat)]
SeatIfAny: TypeAlias = Annotated[Seat | None, From(seat_if_any)]
HouseholdSeat: TypeAlias = Annotated[Seat, From(seat_in_path)]
OwnRound: TypeAlias = Annotated[RoundSeat, From(own_round)]
HouseholdRound: TypeAlias = Annotated[RoundSeat, From(round_in_path)]
OwnHouseholdId: TypeAlias = Annotated[str, From(own_household)]
HouseholdId: TypeAlias = Annotated[str, From(household_in_path)]
Films: TypeAlias = Annotated[FilmSource, From(film_source)]
FilmInPath: TypeAlias = Annotated[int, From(film_in_path)]


MemberId: TypeAlias = Annotated[str, Meta(max_length=100)]


class ChosenFilm(Body):
    """A film."""

    tmdb_movie_id: FilmId


class RoundHistoryPaging(Paging, frozen=True, forbid_unknown_fields=True):
    """Which part of the history."""

    limit: Annotated[int, Meta(ge=1, le=history.MAX_PAGE, description="Maximum number.")] = (
        history.PAGE
    )
