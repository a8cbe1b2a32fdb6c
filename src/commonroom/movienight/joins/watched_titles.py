"""What movie night tells other rooms: which films were watched, when and by whom."""

from __future__ import annotations

from commonroom.joins.watched_titles import Evening, Evenings, WatchedTitles
from commonroom.movienight.service.household_films import film_from_watched
from commonroom.movienight.tables import (
    EarlierWatch,
    Household,
    WatchedFilm,
)
from commonroom.store import Store


def _evenings(watched: WatchedFilm) -> Evenings:
    """Each time that the household watched it since who was there is kept."""
    every: list[WatchedFilm | EarlierWatch] = [*watched.earlier, watched]
    return {
        f"{watched.group_id}#{one.marked_at}": Evening(one.watched_at, tuple(one.attendees))
        for one in every
        if one.attendees
    }


async def _is_undone(store: Store, watched: WatchedFilm) -> bool:
    """Returns what goes with its household was watched all the same."""
    return await store.get(Household.at(group_id=watched.group_id)) is not None


WATCHED_TITLES = WatchedTitles(
    entity=WatchedFilm, title=film_from_watched, evenings=_evenings, is_undone=_is_undone
)
