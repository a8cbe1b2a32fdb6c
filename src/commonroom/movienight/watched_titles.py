"""What movie night tells other rooms: which films were watched, when and by whom."""

from __future__ import annotations

from commonroom.catalog.films import Film
from commonroom.catalog.genres import genre_named
from commonroom.catalog.titles import TitleFacts
from commonroom.movienight.rules.households import listed_members
from commonroom.movienight.service.rounds.queries import get_attendees
from commonroom.movienight.tables import (
    EarlierWatch,
    Group,
    Round,
    WatchedFilm,
    members_of_group,
)
from commonroom.store import Store
from commonroom.web.watched_titles import Evening, Evenings, WatchedTitles


def _title(watched: WatchedFilm) -> TitleFacts:
    """As much as the household kept; whoever knows more of the film keeps that."""
    genres = (genre_named(name) for name in watched.genres)
    return Film(
        tmdb_id=watched.tmdb_movie_id,
        title=watched.title,
        year=watched.year,
        genres=tuple(genre for genre in genres if genre is not None),
        poster_path=watched.poster_path,
    )


async def _evenings(store: Store, watched: WatchedFilm) -> Evenings:
    """Each time that the household watched it."""
    every: list[WatchedFilm | EarlierWatch] = [*watched.earlier, watched]
    return {
        f"{watched.group_id}#{one.marked_at}": Evening(
            one.watched_at, tuple(await _attendees(store, watched.group_id, one))
        )
        for one in every
    }


async def _attendees(store: Store, group_id: str, watched: WatchedFilm | EarlierWatch) -> list[str]:
    """Who was there; what was marked before that was kept says it by its round or household."""
    if watched.attendees is not None:
        return watched.attendees
    if watched.round_id is not None:
        round_ = await store.get(Round.at(round_id=watched.round_id))
        return [] if round_ is None else await get_attendees(store, round_)
    group = await store.get(Group.at(group_id=group_id))
    listed = None if group is None else listed_members(group)
    if listed is not None:
        return listed
    return [one.user_id async for one in store.all(members_of_group(group_id=group_id))]


async def _is_undone(store: Store, watched: WatchedFilm) -> bool:
    """What goes with its household was watched all the same."""
    return await store.get(Group.at(group_id=watched.group_id)) is not None


WATCHED_TITLES = WatchedTitles(
    entity=WatchedFilm, title=_title, evenings=_evenings, is_undone=_is_undone
)
