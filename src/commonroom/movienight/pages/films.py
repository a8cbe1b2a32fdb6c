"""Films: finding them, and what a household does with one, on the page that every film has."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from commonroom.errors import Conflict, Refusal
from commonroom.http.access import Need
from commonroom.http.forms import FormState, Pages
from commonroom.http.redirects import path_part, redirect
from commonroom.http.render import render
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.routes import get
from commonroom.movienight.pages.film_cards import FilmCard, of_film
from commonroom.movienight.pages.rounds import address_of
from commonroom.movienight.request import FilmInPath, Films, OwnContext
from commonroom.movienight.service import watched, wishes
from commonroom.movienight.service.rounds import votes
from commonroom.titles.pages.title import PAGES
from commonroom.titles.search import search_films

HERE = "/movie-night/films"
ONE = "/films/{title_id:str}"
PAGE = PAGES["MOVIE"]
MAX_TEXT = 200
"""Of a title, or a link to one."""
MAX_FOUND = 10

Title = Annotated[str, Meta(max_length=1000)]
"""What is searched for: a title, or part of one."""


pages = Pages()


@pages.page(HERE, Need.SIGNED_IN)
async def find_films(
    request: Request,
    ctx: OwnContext,  # noqa: ARG001 - only for those who have one
    title: Title = "",
) -> Response[Any]:
    """Films that resemble what was typed."""
    found = await find_cards(request, title)
    return render(request, "movienight/films.html", found=found, form=FormState({"title": title}))


@get(f"{HERE}/{{number:str}}", Need.SIGNED_IN)
async def film_page(number: str) -> Response[Any]:
    """Where films had a page of movie night's own; there is one page for each, for all rooms."""
    return redirect(f"/films/{path_part(number)}")


@pages.form(f"{ONE}/wish", Need.SIGNED_IN, on=PAGE, flash="wished")
async def wish(ctx: OwnContext, films: Films, film: FilmInPath) -> None:
    """Puts it on the wish list."""
    await wishes.add_wish(ctx, films, film)


@pages.form(f"{ONE}/unwish", Need.SIGNED_IN, on=PAGE, flash="unwished")
async def unwish(ctx: OwnContext, film: FilmInPath) -> None:
    """Takes it off the wish list."""
    await wishes.remove_wish(ctx, film)


@pages.form(f"{ONE}/propose", Need.SIGNED_IN, on=PAGE, flash="proposed")
async def propose(ctx: OwnContext, films: Films, film: FilmInPath) -> str:
    """Adds it to the round that is open, and leads there."""
    round_id = ctx.group.open_round_id
    if round_id is None:
        raise Conflict("No movie night is open. Put it on the wish list instead.")
    await votes.propose(ctx, films, round_id, film)
    return address_of(round_id)


@pages.form(f"{ONE}/watched", Need.SIGNED_IN, on=PAGE, flash="film-watched")
async def mark_watched(ctx: OwnContext, films: Films, film: FilmInPath) -> Response[Any] | None:
    """The household has watched it; where a round picked it, that asks how everybody liked it."""
    marked = await watched.mark_watched(ctx, films, film)
    return None if marked.round_id is None else redirect(address_of(marked.round_id), "watched")


@pages.form(f"{ONE}/unwatched", Need.SIGNED_IN, on=PAGE, flash="film-unwatched")
async def undo_watched(ctx: OwnContext, film: FilmInPath) -> None:
    """It has not, after all."""
    await watched.undo_watched(ctx, film)


async def find_cards(request: Request, title: str) -> list[FilmCard] | None:
    """Films whose title resembles a text, the likeliest first; None where nothing was typed."""
    text = title.strip()[:MAX_TEXT]
    if not text:
        return None
    return [of_film(one) for one in await search_films(request, text, MAX_FOUND)]


def search_form(title: str, form: FormState, error: Refusal | None) -> FormState:
    """Returns the form that looks for a title; the refusal of a film found by it is its error."""
    if error is None:
        return FormState({"title": title})
    return FormState({"title": form.value("title") or ""}, {"title": error.detail})


pages.include(film_page)
