"""What everybody does in a round: propose, vote, rate."""

from __future__ import annotations

from commonroom.movienight.api.bodies import Body, ChosenFilm
from commonroom.movienight.arguments import FilmInPath, Films, HouseholdSeat
from commonroom.movienight.rules.rounds import Liked, VotedFor
from commonroom.movienight.service.rounds import proposals, votes
from commonroom.web.access import Need
from commonroom.web.operations import delete, part, post, put

ONE = "/households/{group_id:str}/rounds/{round_id:str}"
FILM = "{tmdb_movie_id:str}"
REFUSED = (404, 409)


class VoteCast(Body):
    """A vote."""

    vote: VotedFor


class RatingGiven(Body):
    """How somebody liked it."""

    rating: Liked


@post(f"{ONE}/proposals", Need.SIGNED_IN, errors=REFUSED)
async def propose_film(seat: HouseholdSeat, films: Films, round_id: str, film: ChosenFilm) -> None:
    """Propose a film to a round that is being voted on."""
    await proposals.propose(seat, films, round_id, film.tmdb_movie_id)


@delete(f"{ONE}/proposals/{FILM}", Need.SIGNED_IN, errors=REFUSED)
async def withdraw_proposal(seat: HouseholdSeat, round_id: str, film: FilmInPath) -> None:
    """Take a proposed film back, with its votes."""
    await proposals.withdraw_proposal(seat, round_id, film)


@put(f"{ONE}/votes/{FILM}", Need.SIGNED_IN, errors=REFUSED)
async def vote(seat: HouseholdSeat, round_id: str, film: FilmInPath, cast: VoteCast) -> None:
    """Vote on a film; voting again changes the vote."""
    await votes.vote(seat, round_id, film, cast.vote)


@delete(f"{ONE}/votes/{FILM}", Need.SIGNED_IN, errors=REFUSED)
async def withdraw_vote(seat: HouseholdSeat, round_id: str, film: FilmInPath) -> None:
    """Take a vote back."""
    await votes.withdraw_vote(seat, round_id, film)


@put(f"{ONE}/rating", Need.SIGNED_IN, errors=REFUSED)
async def rate(seat: HouseholdSeat, round_id: str, given: RatingGiven) -> None:
    """Say how one liked it; saying so again changes it."""
    await votes.rate(seat, round_id, given.rating)


OPERATIONS = part("Movie night: voting", propose_film, withdraw_proposal, vote, withdraw_vote, rate)
