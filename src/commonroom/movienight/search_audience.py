"""Who finds the people of a household: whoever is in it."""

from __future__ import annotations

from collections.abc import Iterable

from commonroom.accounts.tables import User
from commonroom.web.search.audiences import AudienceSource
from commonroom.web.search.people import HOUSEHOLD as SORT
from commonroom.web.search.people import household_token

MEMBERS = "/movie-night/household"


def _tokens(user: User) -> Iterable[str]:
    return [] if user.household_id is None else [household_token(user.household_id)]


def _members_page(token: str) -> str | None:
    return MEMBERS if token.startswith(SORT) else None


HOUSEHOLD = AudienceSource(entity=User, tokens=_tokens, people_page=_members_page)
