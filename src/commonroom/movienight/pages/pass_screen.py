"""One screen passed round: those who share a device vote one after the other, each alone."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from commonroom.http.access import Need
from commonroom.http.forms import Line, Pages
from commonroom.http.redirects import path_part, redirect
from commonroom.http.render import render
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.movienight.pages.round_actions import context_at_screen
from commonroom.movienight.pages.rounds import (
    ONE,
    AttendeeView,
    RoundView,
    load_round_view,
    round_page,
    round_view,
)
from commonroom.movienight.request import FilmForm, OwnContext, OwnRound
from commonroom.movienight.rules.rounds import VotedFor
from commonroom.movienight.service.rounds import votes
from commonroom.movienight.service.rounds.queries import load_round

PASS = f"{ONE}/pass"

# Who acts for a child is that child here: only the person themselves hands the screen round.
OWN = Need.NOT_ACTING


pages = Pages()


class PassedVoteForm(FilmForm):
    """A vote of the person who has the screen now."""

    member_id: Line
    vote: VotedFor


@pages.page(PASS, OWN)
async def whose_turn(
    request: Request,
    here: OwnRound,
    after: Annotated[str, Meta(max_length=1000)] = "",
) -> Response[Any]:
    """Whom to pass the screen to now, and how far everybody is."""
    view = await load_round_view(here)
    if view.round.status != "voting" or not view.here:
        return redirect(view.address)
    voter = _next_voter(view.here, after)
    return render(request, "movienight/pass.html", view=view, voter=voter, after=after)


@pages.page(f"{PASS}/{{member_id:str}}", OWN)
async def their_turn(
    request: Request,
    here: OwnRound,
    member_id: str,
    film: int = 0,
) -> Response[Any]:
    """One film for the person who has the screen now; never how anybody has voted."""
    view = await load_round_view(here)
    face = next((one for one in view.here if one.member_id == member_id), None)
    if view.round.status != "voting" or face is None:
        return redirect(f"{view.address}/pass")
    index = _index_of(view, film)
    if index is None:
        index = _next_index(view, member_id)
    if index is None:
        return redirect(f"{view.address}/pass")
    return render(
        request,
        "movienight/pass_film.html",
        view=view,
        face=face,
        film=view.films[index],
        number=index + 1,
        before=None if index == 0 else view.films[index - 1],
        next_address=_next_address(view, member_id, view.films[index].card.tmdb_movie_id),
    )


@pages.form(PASS, OWN, on=round_page)
async def vote_in_turn(ctx: OwnContext, round_id: str, data: PassedVoteForm) -> str:
    """Votes for the person who has the screen, and goes on to the next film or person."""
    theirs = await context_at_screen(ctx, data.member_id)
    await votes.vote(theirs, round_id, data.tmdb_movie_id, data.vote)
    view = round_view(ctx, await load_round(ctx, round_id))
    return _next_address(view, theirs.member_id, data.tmdb_movie_id)


def _next_address(view: RoundView, member_id: str, film: int) -> str:
    """Returns where a person's next film is; where there is none, whose turn it is then."""
    index = _next_index(view, member_id, after=_index_of(view, film))
    turn, member = f"{view.address}/pass", path_part(member_id)
    if index is None:
        return f"{turn}?after={member}"
    return f"{turn}/{member}?film={view.films[index].card.tmdb_movie_id}"


def _next_voter(here: list[AttendeeView], after: str) -> AttendeeView | None:
    """Who votes next after a person; that one again only once nobody else has films left."""
    ids = [one.member_id for one in here]
    first = ids.index(after) + 1 if after in ids else 0
    return next((one for one in here[first:] + here[:first] if one.films_left), None)


def _index_of(view: RoundView, film: int) -> int | None:
    ids = [one.card.tmdb_movie_id for one in view.films]
    return ids.index(film) if film in ids else None


def _next_index(view: RoundView, member_id: str, after: int | None = None) -> int | None:
    """Returns the position of the next film on which a person has not voted."""
    first = 0 if after is None else after + 1
    left = enumerate(view.films[first:], start=first)
    return next((place for place, one in left if member_id not in one.votes), None)
