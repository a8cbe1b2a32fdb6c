"""Rounds: from a shortlist over proposals and votes to how it was."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.bodies import Body
from commonroom.http.etags import IfNoneMatch, tagged
from commonroom.http.operations import Operations
from commonroom.http.paging import PagedList
from commonroom.http.responses import JsonResponse
from commonroom.movienight.api import round_views as views
from commonroom.movienight.request import (
    ChosenFilm,
    ContextInPath,
    FilmInPath,
    Films,
    HouseholdId,
    HouseholdRound,
    MemberId,
    RoundHistoryPaging,
)
from commonroom.movienight.rules.rounds import Liked, VotedFor
from commonroom.movienight.service import history, watched
from commonroom.movienight.service.household_context import FilmsFrom, HouseholdContext
from commonroom.movienight.service.rounds import attendance, lifecycle, picks, ties, votes
from commonroom.movienight.service.rounds.queries import load_details, load_round

ALL = "/households/{group_id:str}/rounds"
ONE = f"{ALL}/{{round_id:str}}"
FILM = "{tmdb_movie_id:str}"
REFUSED = (404, 409)


ShownRound: TypeAlias = JsonResponse[views.RoundDetailView]

api = Operations("Movie night: rounds", errors=REFUSED)
voting_api = api.tagged("Movie night: voting")


class LateArrival(Body):
    """How a member joins a vote."""

    drop_films: Annotated[
        bool, Meta(description="Whether films that are not for them go, with their votes.")
    ] = False


AS_IT_IS = LateArrival()


class NewRound(Body):
    """A round to be."""

    attendees: (
        Annotated[list[MemberId], Meta(min_length=1, max_length=8, description="Who is watching.")]
        | None
    ) = None
    """Left out: everybody."""
    from_wish_list: Annotated[
        bool, Meta(description="Whether the newest films of the wish list are on the shortlist.")
    ] = False
    films_from: Annotated[
        FilmsFrom | None,
        Meta(
            description=(
                "Only films of one’s own and shared shelves, or of the household’s lists; null for "
                "films from anywhere."
            )
        ),
    ] = None


class FilmToPick(ChosenFilm):
    """A film to watch, and whether the votes that are missing matter."""

    even_if_votes_are_missing: Annotated[
        bool,
        Meta(description="Without this, a 409 response lists in `missing` who has not voted yet."),
    ] = False


class VoteCast(Body):
    """A vote."""

    vote: VotedFor


class RatingGiven(Body):
    """How a member liked it."""

    rating: Liked


@api.post(ALL, Need.SIGNED_IN)
async def create_round(ctx: ContextInPath, films: Films, new: NewRound) -> ShownRound:
    """Start a round with a shortlist for those who watch.

    A household has one open round at a time: 409 names it in `active_round_id`. Where too few have
    said what they like, 422 names them in `missing`.
    """
    made = await lifecycle.create_round(
        ctx,
        films,
        attendees=new.attendees,
        wishes=new.from_wish_list,
        films_from=new.films_from,
    )
    return await _shown(ctx, made.round_id, status=201)


@api.get(ALL, Need.SIGNED_IN, errors=(404,))
async def list_rounds(
    ctx: Ctx, household_id: HouseholdId, paging: RoundHistoryPaging
) -> PagedList[views.PastRoundView]:
    """List the rounds of one's household, the newest first."""
    found = await history.list_rounds(
        ctx.store, household_id, limit=paging.limit, cursor=paging.cursor
    )
    return PagedList([views.past_round(one) for one in found.items], found.cursor)


@api.get(ONE, Need.SIGNED_IN, errors=(304, 404))
async def get_round(here: HouseholdRound, if_none_match: IfNoneMatch) -> ShownRound:
    """Get a round with its films, votes and results."""
    return tagged(views.round_(await load_details(here)), unless=if_none_match)


@api.post(f"{ONE}/shuffle", Need.SIGNED_IN, status=200)
async def shuffle_round(ctx: ContextInPath, films: Films, round_id: str) -> ShownRound:
    """Put other films on the shortlist of a draft."""
    await lifecycle.shuffle(ctx, films, round_id)
    return await _shown(ctx, round_id)


@api.post(f"{ONE}/start", Need.SIGNED_IN, status=200)
async def start_voting(ctx: ContextInPath, round_id: str) -> ShownRound:
    """Let everybody vote."""
    await lifecycle.start_voting(ctx, round_id)
    return await _shown(ctx, round_id)


@api.post(f"{ONE}/pick", Need.SIGNED_IN, status=200)
async def pick_film(ctx: ContextInPath, round_id: str, chosen: FilmToPick) -> ShownRound:
    """Pick the film to watch.

    Where a vote is missing, that has to be confirmed.
    """
    await picks.pick(
        ctx,
        round_id,
        chosen.tmdb_movie_id,
        even_if_votes_are_missing=chosen.even_if_votes_are_missing,
    )
    return await _shown(ctx, round_id)


@api.post(f"{ONE}/run-off", Need.SIGNED_IN, status=200)
async def run_off(ctx: ContextInPath, round_id: str) -> ShownRound:
    """Vote once more, on the tied films alone.

    The other films and all votes go. Refused where one film is ahead, or a vote is missing.
    """
    await ties.run_off(ctx, round_id)
    return await _shown(ctx, round_id)


@api.post(f"{ONE}/draw", Need.SIGNED_IN, status=200)
async def draw_film(ctx: ContextInPath, round_id: str) -> ShownRound:
    """Pick one of the tied films by chance; refused as a run-off is."""
    await ties.draw(ctx, round_id)
    return await _shown(ctx, round_id)


@api.post(f"{ONE}/reopen", Need.SIGNED_IN, status=200)
async def reopen_round(ctx: ContextInPath, round_id: str) -> ShownRound:
    """Take the pick back and vote on."""
    await picks.reopen(ctx, round_id)
    return await _shown(ctx, round_id)


@api.post(f"{ONE}/watched", Need.SIGNED_IN, status=200)
async def mark_round_watched(ctx: ContextInPath, round_id: str) -> ShownRound:
    """Say that the picked film was watched."""
    await watched.mark_round_watched(ctx, round_id)
    return await _shown(ctx, round_id)


@api.post(f"{ONE}/abandon", Need.SIGNED_IN, status=200)
async def abandon_round(ctx: ContextInPath, round_id: str) -> ShownRound:
    """End an open round without a film: the person who started it and the creator may."""
    await lifecycle.abandon(ctx, round_id)
    return await _shown(ctx, round_id)


@api.put(f"{ONE}/attendees/{{member_id:str}}", Need.SIGNED_IN, errors=(*REFUSED, 422))
async def add_attendee(
    ctx: ContextInPath,
    films: Films,
    round_id: str,
    member_id: str,
    arrival: LateArrival = AS_IT_IS,
) -> None:
    """Let one more member take part in an open round.

    Everybody can add themselves and the members they manage; the round's starter and the
    creator, anybody. Before the vote, the shortlist is made anew for them. While voting, films
    whose rating is too high for them are named in a refusal (`films_too_high`), or dropped.
    """
    await attendance.add_attendee(ctx, films, round_id, member_id, drop_films=arrival.drop_films)


@api.delete(f"{ONE}/attendees/{{member_id:str}}", Need.SIGNED_IN, errors=(*REFUSED, 422))
async def remove_attendee(ctx: ContextInPath, films: Films, round_id: str, member_id: str) -> None:
    """Take a member out of an open round, and their votes along."""
    await attendance.remove_attendee(ctx, films, round_id, member_id)


@voting_api.post(f"{ONE}/proposals", Need.SIGNED_IN)
async def propose_film(ctx: ContextInPath, films: Films, round_id: str, film: ChosenFilm) -> None:
    """Propose a film to a round that is being voted on."""
    await votes.propose(ctx, films, round_id, film.tmdb_movie_id)


@voting_api.delete(f"{ONE}/proposals/{FILM}", Need.SIGNED_IN)
async def withdraw_proposal(ctx: ContextInPath, round_id: str, film: FilmInPath) -> None:
    """Take a proposed film back, with its votes."""
    await votes.withdraw_proposal(ctx, round_id, film)


@voting_api.put(f"{ONE}/votes/{FILM}", Need.SIGNED_IN)
async def vote(ctx: ContextInPath, round_id: str, film: FilmInPath, cast: VoteCast) -> None:
    """Vote on a film; voting again changes the vote."""
    await votes.vote(ctx, round_id, film, cast.vote)


@voting_api.delete(f"{ONE}/votes/{FILM}", Need.SIGNED_IN)
async def withdraw_vote(ctx: ContextInPath, round_id: str, film: FilmInPath) -> None:
    """Take a vote back."""
    await votes.withdraw_vote(ctx, round_id, film)


@voting_api.put(f"{ONE}/rating", Need.SIGNED_IN)
async def rate(ctx: ContextInPath, round_id: str, given: RatingGiven) -> None:
    """Say how one liked it; saying so again changes it."""
    await votes.rate(ctx, round_id, given.rating)


async def _shown(ctx: HouseholdContext, round_id: str, status: int = 200) -> ShownRound:
    return tagged(views.round_(await load_round(ctx, round_id)), status=status)
