"""The films of a round: those that suit the company, and wishes of the household."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence

from msgspec import Struct

from commonroom.catalog.film_source import FilmSource
from commonroom.catalog.films import Film
from commonroom.errors import Conflict
from commonroom.movienight.rules.ceilings import passes
from commonroom.movienight.rules.choosing import reasons
from commonroom.movienight.rules.rounds import MOST_FROM_WISH_LIST
from commonroom.movienight.rules.tastes import Attendee, taste_of
from commonroom.movienight.service.films.facts import film_of, genre_names
from commonroom.movienight.service.films.wishing import wishes_in
from commonroom.movienight.service.suggesting import suggest
from commonroom.movienight.tables import Ceiling, Group, Round, Suggestion
from commonroom.store import Store

WISHED, PROPOSED = "wished", "proposed"
"""Why a film is here that nobody suggested."""


MOST_SHOWN = 600
"""How many films a draft remembers to have shown: more than the built-in catalogue has."""


class Shortlist(Struct, frozen=True):
    """The films of a round, and what was given up to find so many."""

    films: list[Suggestion]
    relaxed: list[str]
    shown: list[int]
    """What the draft has suggested by now, the latest last."""


async def shortlist(
    store: Store,
    films: FilmSource,
    group: Group,
    company: Sequence[Attendee],
    *,
    round_id: str,
    without: Collection[int] = (),
    shown: Sequence[int] = (),
    wishes: bool = False,
) -> Shortlist:
    """Films for a company; after them, if wanted, the newest wishes that all of it may see."""
    wished = await _wished(store, films, group, taste_of(company).ceiling) if wishes else []
    left_out = {*without, *(film.tmdb_movie_id for film in wished)}
    suggested = await suggest(store, films, group, company, without=left_out, shown=shown)
    services = group.streaming_services
    chosen = [(film, reasons(film, suggested.taste, services)) for film in suggested.films]
    chosen += [(film, [WISHED]) for film in wished]
    if not chosen:
        raise Conflict("There are no other films that suit everyone.")
    before = () if suggested.began_anew else shown
    now_shown = [*before, *(film.tmdb_movie_id for film in suggested.films)]
    return Shortlist(
        [
            suggestion(round_id, position, film, why)
            for position, (film, why) in enumerate(chosen, start=1)
        ],
        suggested.relaxed,
        now_shown[-MOST_SHOWN:],
    )


async def next_shortlist(
    store: Store,
    films: FilmSource,
    group: Group,
    company: Sequence[Attendee],
    *,
    round_: Round,
    last: Sequence[Suggestion],
) -> Shortlist:
    """Other films for a draft than those of its last shortlist, and first what it never showed."""
    suggested = [one.tmdb_movie_id for one in last if not one.from_wish_list]
    return await shortlist(
        store,
        films,
        group,
        company,
        round_id=round_.round_id,
        without=suggested,
        # Drafts of earlier versions did not keep what they had shown.
        shown=round_.shown or suggested,
        wishes=any(one.from_wish_list for one in last),
    )


def suggestion(
    round_id: str, position: int, film: Film, why: list[str], *, proposed_by: str | None = None
) -> Suggestion:
    """A film as it is kept in a round."""
    return Suggestion(
        round_id=round_id,
        tmdb_movie_id=film.tmdb_movie_id,
        position=position,
        title=film.title,
        poster_path=film.poster_path,
        year=film.year,
        genres=genre_names(film),
        content_rating=film.certification,
        reasons=why,
        proposed_by=proposed_by,
        from_wish_list=WISHED in why,
        popularity=film.popularity,
        vote_average=film.vote_average,
        runtime=film.runtime,
        overview=film.overview,
    )


async def _wished(store: Store, films: FilmSource, group: Group, ceiling: Ceiling) -> list[Film]:
    """The newest wishes under a ceiling, by what was known then and by what is known now."""
    fitting = [
        wish
        for wish in await wishes_in(store, group.group_id)
        if passes(wish.content_rating, ceiling)
    ][:MOST_FROM_WISH_LIST]
    told = await asyncio.gather(*(films.film(wish.tmdb_movie_id) for wish in fitting))
    found = [film or film_of(wish) for film, wish in zip(told, fitting, strict=True)]
    return [film for film in found if passes(film.certification, ceiling)]
