"""What pages and API of movie night take: contexts, films, the film source, bodies, forms."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Annotated, Any, TypeAlias, cast

from msgspec import Meta
from msgspec.structs import replace

from commonroom.accounts.context import Context
from commonroom.errors import MissingPrerequisite, NotFound
from commonroom.http.arguments import From
from commonroom.http.bodies import Body
from commonroom.http.forms import Form, Line
from commonroom.http.paging import Paging
from commonroom.http.request import Request
from commonroom.http.words import lazy
from commonroom.joins.film_sources import FilmAvailability, FilmSuggestions
from commonroom.joins.rooms import first_offer
from commonroom.movienight.service import history
from commonroom.movienight.service.household_context import (
    Copies,
    FilmSources,
    HouseholdContext,
    find_household_context,
    find_household_id,
    get_household_context,
    no_such_household,
)
from commonroom.movienight.service.rounds.queries import RoundContext, find_round_context
from commonroom.titles.films import Film, FilmSource
from commonroom.titles.service import Titles

MAX_FILM = 2**53

FilmId: TypeAlias = Annotated[int, Meta(ge=1, le=MAX_FILM, description="The TMDB ID of the film.")]


async def context_of(request: Request, group_id: str | None = None) -> Context:
    """Returns the caller's context; refused where a household is named that is not theirs.

    They may have been recognised a few seconds ago, and have come into it in another process since:
    then they are read again.
    """
    theirs = request.person.household_id
    wanted = theirs if group_id is None else group_id
    if theirs is None or not theirs == wanted == request.caller.member.household_id:
        await request.recognise_anew()
    if group_id not in (None, request.person.household_id):
        raise no_such_household()
    return request.context


def household_needed(request: Request) -> MissingPrerequisite:
    """Returns the refusal for a person in no household: the room's own page is where one begins.

    What an address names by its id is not found, as it would be for members of another household;
    who follows a link to it is told why before they go on.
    """
    return MissingPrerequisite(
        "You are not in a household yet. Create one, or ask someone for an invitation.",
        page="/movie-night",
        link=lazy("Start or join a household"),
        flash=None if request.path_params else "household-needed",
    )


async def own_context(request: Request) -> HouseholdContext:
    """Returns the caller's household context, whichever household is theirs: one request."""
    ctx = await context_if_any(request)
    if ctx is None:
        raise household_needed(request)
    return replace(ctx, sources=film_sources(request))


async def context_if_any(request: Request) -> HouseholdContext | None:
    """Returns the caller's household context; None for a caller without a household."""
    return await find_household_context(await context_of(request), request.caller.member)


async def named_context(request: Request, group_id: str) -> HouseholdContext:
    """Returns the caller's household context, if a household is theirs: one request."""
    ctx = await context_of(request, group_id)
    found = await get_household_context(ctx, request.caller.member, group_id)
    return replace(found, sources=film_sources(request))


async def own_round(request: Request, group_id: str | None = None) -> RoundContext:
    """Returns the caller's household context, and the round that the path names: one request."""
    ctx = await context_of(request, group_id)
    found = await find_round_context(ctx, request.caller.member, request.path_params["round_id"])
    if found is None:
        raise household_needed(request)
    return found


async def own_household(request: Request, group_id: str | None = None) -> str:
    """Returns the id of the caller's household; no request."""
    found = find_household_id(await context_of(request, group_id), request.caller.member)
    if found is None:
        raise household_needed(request)
    return found


def in_path(find: Callable[[Request, str], Coroutine[Any, Any, Any]]) -> From:
    """Marks an argument that is found in the household that the path names."""
    return From(lambda request: find(request, request.path_params["group_id"]))


def film_sources(request: Request) -> FilmSources:
    """Returns what rooms that are open know of films, for the caller."""
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
    """Returns the film source of this installation."""
    return cast("Titles", request.app.state.titles).films


def film_in_path(request: Request) -> int:
    """TMDB's number of the film that the path names."""
    named = request.path_params
    text: str = named["tmdb_movie_id"] if "tmdb_movie_id" in named else named["title_id"]
    if not (text.isascii() and text.isdigit() and len(text) <= 16 and 0 < int(text) <= MAX_FILM):
        raise NotFound("This film does not exist.")
    return int(text)


OwnContext: TypeAlias = Annotated[HouseholdContext, From(own_context)]
ContextIfAny: TypeAlias = Annotated[HouseholdContext | None, From(context_if_any)]
ContextInPath: TypeAlias = Annotated[HouseholdContext, in_path(named_context)]
OwnRound: TypeAlias = Annotated[RoundContext, From(own_round)]
HouseholdRound: TypeAlias = Annotated[RoundContext, in_path(own_round)]
OwnHouseholdId: TypeAlias = Annotated[str, From(own_household)]
HouseholdId: TypeAlias = Annotated[str, in_path(own_household)]
Films: TypeAlias = Annotated[FilmSource, From(film_source)]
FilmInPath: TypeAlias = Annotated[int, From(film_in_path)]


MemberId: TypeAlias = Annotated[str, Meta(max_length=100)]


class ChosenFilm(Body):
    """A film."""

    tmdb_movie_id: FilmId


class FilmForm(Form):
    """A film."""

    tmdb_movie_id: FilmId


class FoundFilmForm(FilmForm):
    """A film, and what was typed to find it."""

    title: Line = ""


class RoundHistoryPaging(Paging, frozen=True, forbid_unknown_fields=True):
    """Which part of the history."""

    limit: Annotated[int, Meta(ge=1, le=history.MAX_PAGE, description="Maximum number.")] = (
        history.PAGE
    )
