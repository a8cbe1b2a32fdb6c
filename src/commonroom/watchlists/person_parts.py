"""Watchlists on a person's page: what they publish, which everybody may see."""

from __future__ import annotations

from commonroom.accounts.tables import User
from commonroom.watchlists.pages import addresses
from commonroom.watchlists.tables import Profile
from commonroom.web.person_parts import PersonPart, SharedThing
from commonroom.web.request import Request
from commonroom.web.words import _, pluralize


async def person_parts(request: Request, person: User) -> list[PersonPart]:
    """Their page as a curator, where there is something on it: one request."""
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
