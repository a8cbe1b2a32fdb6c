"""What a household knows of films that a person found: watched, picked, wished for."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from commonroom.http.request import Request
from commonroom.http.times import MONTHS
from commonroom.http.typed_times import known_zone
from commonroom.http.words import _
from commonroom.joins.title_marks import TitleMark
from commonroom.movienight.service.household_context import household_of
from commonroom.movienight.tables import PendingPick, WatchedFilm, Wish
from commonroom.store import Ref
from commonroom.titles.titles import TitleFacts, TitleId

KINDS: tuple[type[WatchedFilm | PendingPick | Wish], ...] = (WatchedFilm, PendingPick, Wish)


async def load_marks(
    request: Request, titles: Sequence[TitleFacts]
) -> dict[TitleId, list[TitleMark]]:
    """Marks of the films among these titles: one request; none without a household."""
    group_id = household_of(request.person, request.caller.member)
    if group_id is None:
        return {}
    films = [
        (one.id, number)
        for one in titles
        if one.content_type == "MOVIE" and (number := one.id.tmdb_id) is not None
    ]
    refs: list[Ref[Any]] = [
        kind.at(group_id=group_id, tmdb_movie_id=number)
        for _title, number in films
        for kind in KINDS
    ]
    found = await request.store.batch_get(refs)
    marks = {}
    for at, (title, _number_of) in enumerate(films):
        watched, picked, wish = found[at * len(KINDS) : (at + 1) * len(KINDS)]
        marks[title] = _marks(request, watched, picked, wish)
    return marks


def _marks(
    request: Request, watched: WatchedFilm | None, picked: PendingPick | None, wish: Wish | None
) -> list[TitleMark]:
    marks = []
    if watched is not None:
        zone = ZoneInfo(known_zone(request.person.time_zone) or "UTC")
        at = datetime.fromisoformat(watched.watched_at).astimezone(zone)
        when = {"month": _(MONTHS[at.month - 1]), "year": at.year}
        marks.append(TitleMark(_("Watched in %(month)s %(year)d") % when, "check", "watched"))
    if picked is not None:
        marks.append(TitleMark(_("Picked for movie night"), "movienight"))
    if wish is not None:
        marks.append(TitleMark(_("On the wish list"), "wish"))
    return marks
