"""Movie night on a person's page: the household that one shares, and what one watched together."""

from __future__ import annotations

from commonroom.accounts.tables import User
from commonroom.http.request import Request
from commonroom.http.words import _
from commonroom.joins.person_parts import PersonPart, SharedThing
from commonroom.movienight.tables import Household, watched_history

LOOKED_AT, SHOWN = 30, 3


async def person_parts(request: Request, person: User) -> list[PersonPart]:
    """The household and the last films, for those who live in one: two requests, or none."""
    household_id = request.person.household_id
    if household_id is None or household_id != person.household_id:
        return []
    group, page = await request.store.gather(
        request.store.get(Household.at(group_id=household_id)),
        request.store.page(watched_history(group_id=household_id), limit=LOOKED_AT),
    )
    if group is None:
        return []
    together = [
        one
        for one in page.items
        if one.attendees and {person.user_id, request.person.user_id} <= {*one.attendees}
    ]
    household = SharedThing(title=group.name, address="/movie-night")
    parts = [PersonPart(title=_("Household"), icon="movienight", rows=[household])]
    if together:
        rows = [
            SharedThing(
                title=one.title,
                moment=one.watched_at,
                address=f"/films/{one.tmdb_movie_id}",
            )
            for one in together[:SHOWN]
        ]
        parts.append(PersonPart(title=_("Watched together"), icon="star", rows=rows))
    return parts
