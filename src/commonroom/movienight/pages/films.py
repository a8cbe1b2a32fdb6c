"""Films: finding them, and what the household knows of one."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Response
from litestar.params import QueryParameter
from msgspec import Struct

from commonroom.catalog.films import FilmSource
from commonroom.catalog.streaming_services import SERVICES
from commonroom.errors import Refusal
from commonroom.movienight.arguments import FilmInPath, Films, OwnSeat
from commonroom.movienight.pages.film_cards import FilmCard, of_film
from commonroom.movienight.pages.rounds import address_of, name_of
from commonroom.movienight.service import watched, wishes
from commonroom.movienight.service.films import VotesInRound, load_film_story
from commonroom.movienight.tables import Round
from commonroom.web.access import Need
from commonroom.web.forms import EMPTY, Filled, form, page
from commonroom.web.redirects import redirect
from commonroom.web.render import render
from commonroom.web.request import Request

HERE = "/movie-night/films"
ONE = f"{HERE}/{{number:str}}"
LONGEST_TITLE = 100
MOST_FOUND = 10

Title = Annotated[str, QueryParameter(max_length=1000)]
"""What somebody looks for: a title, or part of one."""


class RoundTally(Struct, frozen=True):
    """How a film did in a round."""

    round: Round
    up: int
    down: int
    empty: int
    """How many took part and did not vote on it."""


@page(HERE, Need.SIGNED_IN)
async def find_films(
    request: Request,
    seat: OwnSeat,  # noqa: ARG001 - only for those who have one
    films: Films,
    title: Title = "",
) -> Response[Any]:
    """Films that resemble what was typed."""
    found = await search_films(films, title)
    return render(request, "movienight/films.html", found=found, form=Filled({"title": title}))


@page(ONE, Need.SIGNED_IN)
async def film_page(
    request: Request, seat: OwnSeat, films: Films, film: FilmInPath, form: Filled = EMPTY
) -> Response[Any]:
    """A film, and what the household knows of it."""
    story = await load_film_story(seat, films, film)
    services = (SERVICES.get(slug) for slug in story.film.services or ())
    return render(
        request,
        "movienight/film.html",
        story=story,
        card=of_film(story.film),
        past=[_tally(one) for one in story.past],
        current_votes=None if story.live is None else _tally(story.live),
        services=[one.name for one in services if one is not None],
        name_of=lambda member_id: name_of(story.people.get(member_id)),
        form=form,
    )


@form(f"{ONE}/wish", Need.SIGNED_IN, on=film_page, flash="wished")
async def wish(seat: OwnSeat, films: Films, film: FilmInPath) -> None:
    """Puts it on the wish list."""
    await wishes.add_wish(seat, films, film)


@form(f"{ONE}/unwish", Need.SIGNED_IN, on=film_page, flash="unwished")
async def unwish(seat: OwnSeat, film: FilmInPath) -> None:
    """Takes it off the wish list."""
    await wishes.remove_wish(seat, film)


@form(f"{ONE}/watched", Need.SIGNED_IN, on=film_page, flash="film-watched")
async def mark_watched(seat: OwnSeat, films: Films, film: FilmInPath) -> Response[Any] | None:
    """The household has watched it; where a round picked it, that asks how everybody liked it."""
    marked = await watched.mark_watched(seat, films, film)
    return None if marked.round_id is None else redirect(address_of(marked.round_id), "watched")


@form(f"{ONE}/unwatched", Need.SIGNED_IN, on=film_page, flash="film-unwatched")
async def undo_watched(seat: OwnSeat, film: FilmInPath) -> None:
    """It has not, after all."""
    await watched.undo_watched(seat, film)


async def search_films(films: FilmSource, title: str) -> list[FilmCard] | None:
    """Films whose title resembles a text, the likeliest first; None where nothing was typed."""
    text = title.strip()[:LONGEST_TITLE]
    if not text:
        return None
    return [of_film(one) for one in await films.search(text, MOST_FOUND)]


def search_form(title: str, form: Filled, error: Refusal | None) -> Filled:
    """The form that looks for a title; a film found by it that was refused is its fault."""
    if error is None:
        return Filled({"title": title})
    return Filled({"title": form.value("title") or ""}, {"title": error.detail})


def _tally(one: VotesInRound) -> RoundTally:
    empty = max(0, len(one.round.attendees or ()) - one.up - one.down)
    return RoundTally(one.round, one.up, one.down, empty)


HANDLERS = (find_films, film_page, wish, unwish, mark_watched, undo_watched)
