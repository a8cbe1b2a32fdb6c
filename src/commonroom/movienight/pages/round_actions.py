"""What people do in a round: the forms of its page, and the page that proposes a film."""

from __future__ import annotations

from typing import Any, Literal

from msgspec.structs import replace

from commonroom.accounts.rules import may_act_as
from commonroom.errors import Refusal
from commonroom.http.access import Need
from commonroom.http.forms import EMPTY, FormState, Line, Pages
from commonroom.http.redirects import HOME, redirect
from commonroom.http.render import render
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.joins.home_actions import HomeForm, answer_on_home
from commonroom.movienight.pages.films import Title, find_cards, search_form
from commonroom.movienight.pages.rounds import ONE, load_round_view, round_page
from commonroom.movienight.request import FilmForm, Films, FoundFilmForm, OwnContext, OwnRound
from commonroom.movienight.rules.rounds import Liked
from commonroom.movienight.service import watched
from commonroom.movienight.service.household_context import HouseholdContext
from commonroom.movienight.service.members import get_member
from commonroom.movienight.service.rounds import lifecycle, picks, ties, votes

pages = Pages()


class FilmVoteForm(FilmForm):
    """A vote; none takes it back."""

    vote: Literal["up", "down", "none"]


class PickForm(FilmForm):
    """The film to watch."""

    even_if_votes_are_missing: bool = False
    """Said in answer to a question: the page asks where a vote is missing."""


class RoundRatingForm(HomeForm):
    """How a person at this screen liked it."""

    rating: Liked
    member_id: Line = ""


@pages.form(f"{ONE}/shuffle", Need.SIGNED_IN, on=round_page, flash="shuffled")
async def shuffle(ctx: OwnContext, films: Films, round_id: str) -> None:
    """Puts other films on the shortlist."""
    await lifecycle.shuffle(ctx, films, round_id)


@pages.form(f"{ONE}/start", Need.SIGNED_IN, on=round_page, flash="voting-started")
async def start_voting(ctx: OwnContext, round_id: str) -> None:
    """Lets everybody vote."""
    await lifecycle.start_voting(ctx, round_id)


@pages.form(f"{ONE}/abandon", Need.SIGNED_IN, on=round_page, flash="round-abandoned")
async def abandon(ctx: OwnContext, round_id: str) -> None:
    """Ends a round without a film."""
    await lifecycle.abandon(ctx, round_id)


@pages.form(f"{ONE}/vote", Need.SIGNED_IN, on=round_page)
async def vote(ctx: OwnContext, round_id: str, data: FilmVoteForm) -> None:
    """Votes on a film, or takes the vote back."""
    if data.vote == "none":
        await votes.withdraw_vote(ctx, round_id, data.tmdb_movie_id)
    else:
        await votes.vote(ctx, round_id, data.tmdb_movie_id, data.vote)


@pages.form(f"{ONE}/pick", Need.SIGNED_IN, on=round_page, flash="picked")
async def pick(ctx: OwnContext, round_id: str, data: PickForm) -> None:
    """Picks a film."""
    await picks.pick(
        ctx,
        round_id,
        data.tmdb_movie_id,
        even_if_votes_are_missing=data.even_if_votes_are_missing,
    )


@pages.form(f"{ONE}/run-off", Need.SIGNED_IN, on=round_page, flash="run-off")
async def run_off(ctx: OwnContext, round_id: str) -> None:
    """Lets everybody vote once more, on the tied films alone."""
    await ties.run_off(ctx, round_id)


@pages.form(f"{ONE}/draw", Need.SIGNED_IN, on=round_page, flash="drawn")
async def draw(ctx: OwnContext, round_id: str) -> None:
    """Picks one of the tied films by chance."""
    await ties.draw(ctx, round_id)


@pages.form(f"{ONE}/reopen", Need.SIGNED_IN, on=round_page, flash="reopened")
async def reopen(ctx: OwnContext, round_id: str) -> None:
    """Back to the vote."""
    await picks.reopen(ctx, round_id)


@pages.form(f"{ONE}/watched", Need.SIGNED_IN, on=round_page, flash="watched")
async def mark_watched(ctx: OwnContext, round_id: str, data: HomeForm) -> str | None:
    """They have watched it; home then asks how it was."""
    await watched.mark_round_watched(ctx, round_id)
    return HOME if data.home else None


@pages.form(f"{ONE}/unwatched", Need.SIGNED_IN, on=round_page, flash="unwatched")
async def undo_watched(ctx: OwnContext, round_id: str) -> None:
    """They have not, after all."""
    await watched.undo_round_watched(ctx, round_id)


@pages.form(f"{ONE}/rate", Need.SIGNED_IN, on=round_page)
async def rate(
    request: Request, ctx: OwnContext, round_id: str, data: RoundRatingForm
) -> Response[Any] | None:
    """Rates the film, in place of what they said before."""
    await votes.rate(await context_at_screen(ctx, data.member_id), round_id, data.rating)
    if not data.home:
        return None
    return answer_on_home(request, data.home, f"rated-{data.rating}")


@pages.page(f"{ONE}/propose", Need.SIGNED_IN)
async def propose_page(
    request: Request,
    here: OwnRound,
    *,
    title: Title = "",
    form: FormState = EMPTY,
    error: Refusal | None = None,
) -> Response[Any]:
    """Films that resemble what was typed; the round itself where nothing can be proposed."""
    view = await load_round_view(here)
    if error is None and "propose" not in view.may:
        return redirect(view.address)
    shown = search_form(title, form, error)
    return render(
        request,
        "movienight/round_propose.html",
        view=view,
        found=await find_cards(request, shown.value("title")),
        listed={one.card.tmdb_movie_id for one in view.films},
        form=shown,
    )


@pages.form(
    f"{ONE}/propose",
    Need.SIGNED_IN,
    on=propose_page,
    leads_to="/movie-night/rounds/{round_id}",
    flash="proposed",
)
async def propose(ctx: OwnContext, films: Films, round_id: str, data: FoundFilmForm) -> None:
    """Adds a film to the round."""
    await votes.propose(ctx, films, round_id, data.tmdb_movie_id)


@pages.form(f"{ONE}/withdraw", Need.SIGNED_IN, on=round_page, flash="proposal-withdrawn")
async def withdraw_proposal(ctx: OwnContext, round_id: str, data: FilmForm) -> None:
    """Takes a proposed film out again, with its votes."""
    await votes.withdraw_proposal(ctx, round_id, data.tmdb_movie_id)


async def context_at_screen(ctx: HouseholdContext, member_id: str) -> HouseholdContext:
    """Returns the context of a person at this screen: the caller, or a managed member of theirs."""
    if member_id in ("", ctx.member_id):
        return ctx
    member = await get_member(ctx.store, ctx.group_id, member_id)
    # Who acts for a child already is that child here, who acts for nobody.
    return replace(ctx, member=may_act_as(ctx.member, member))
