"""Pages of hangouts that people look for by what they want to do."""

from __future__ import annotations

from commonroom.http.words import lazy
from commonroom.joins.search_places import SearchPlace

PLACES = (
    SearchPlace(
        name=lazy("Plan a hangout"),
        address="/hangouts/new",
        words=lazy("new event meet party plan invite friends"),
        icon="hangouts",
    ),
    SearchPlace(
        name=lazy("New group"),
        address="/groups/new",
        words=lazy("create friends group invite"),
        icon="people",
    ),
    SearchPlace(
        name=lazy("Hangouts of the month"),
        address="/hangouts/month",
        words=lazy("calendar month dates"),
        icon="clock",
    ),
    SearchPlace(
        name=lazy("Past hangouts"),
        address="/hangouts/past",
        words=lazy("history earlier over"),
        icon="clock",
    ),
    SearchPlace(
        name=lazy("Your places"),
        address="/hangouts/places",
        words=lazy("address home location where"),
        icon="home",
    ),
)
