"""Watchlists on a person's page: what they publish, which everybody may see."""

from __future__ import annotations

from commonroom.accounts.tables import User
from commonroom.http.request import Request
from commonroom.http.words import _, pluralize
from commonroom.joins.person_parts import PersonPart, SharedThing
from commonroom.watchlists.pages import addresses
from commonroom.watchlists.tables import Profile


async def person_parts(request: Request, person: User) -> list[PersonPart]:
    """Returns their page as a curator, where there is something on it: one request."""
    profile = await request.store.get(Profile.at(user_id=person.user_id))
    if profile is None or profile.curator_status != "approved" or not profile.public_list_count:
        return []
    row = SharedThing(
        title=profile.username,
        line=pluralize("%(n)d list", "%(n)d lists", profile.public_list_count),
        address=addresses.curator(profile.username),
    )
    title = _("Public lists")
    return [PersonPart(title=title, icon="watchlists", rows=[row], introduces=False)]
