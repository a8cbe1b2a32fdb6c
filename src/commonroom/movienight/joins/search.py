"""What movie night adds to search: the household whose people are found, and its pages."""

from __future__ import annotations

from commonroom.accounts.tables import User
from commonroom.http.words import lazy
from commonroom.joins.search_audiences import AudienceSource
from commonroom.joins.search_places import SearchPlace
from commonroom.search.people import HOUSEHOLD as SORT
from commonroom.search.people import household_token

MEMBERS = "/movie-night/household"


HOUSEHOLD = AudienceSource(
    entity=User,
    tokens=lambda user: [household_token(user.household_id)] if user.household_id else [],
    people_page=lambda token: MEMBERS if token.startswith(SORT) else None,
)


def _has_household(user: User) -> bool:
    return user.household_id is not None


PLACES = (
    SearchPlace(
        name=lazy("Invite somebody to your household"),
        address=MEMBERS,
        words=lazy("person members family partner flatmate link join add"),
        icon="family",
    ),
    SearchPlace(
        name=lazy("Start a movie night"),
        address="/movie-night/rounds/new",
        words=lazy("new round vote film tonight evening pick"),
        icon="movienight",
        is_for=_has_household,
    ),
    SearchPlace(
        name=lazy("Wish list"),
        address="/movie-night/wishes",
        words=lazy("films want to watch wishes"),
        icon="wish",
        is_for=_has_household,
    ),
    SearchPlace(
        name=lazy("What we watched"),
        address="/movie-night/history",
        words=lazy("history films seen watched ratings earlier"),
        icon="clock",
        is_for=_has_household,
    ),
    SearchPlace(
        name=lazy("Set your tastes"),
        address="/movie-night/preferences",
        words=lazy("genres likes preferences rating"),
        icon="loved",
        is_for=_has_household,
    ),
    SearchPlace(
        name=lazy("Streaming services"),
        address="/movie-night/household/settings",
        words=lazy("netflix prime disney subscription household settings country"),
        icon="device",
        is_for=_has_household,
    ),
)
