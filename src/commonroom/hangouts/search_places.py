"""Pages of hangouts that people look for by what they want to do."""

from __future__ import annotations

from commonroom.web.search.places import SearchPlace
from commonroom.web.words import later

PLACES = (
    SearchPlace(
        name=later("Plan a hangout"),
        address="/hangouts/new",
        words=later("new event meet party plan invite friends"),
        icon="hangouts",
    ),
    SearchPlace(
        name=later("New group"),
        address="/groups/new",
        words=later("create friends group invite"),
        icon="people",
    ),
    SearchPlace(
        name=later("Hangouts of the month"),
        address="/hangouts/month",
        words=later("calendar month dates"),
        icon="clock",
    ),
    SearchPlace(
        name=later("Past hangouts"),
        address="/hangouts/past",
        words=later("history earlier over"),
        icon="clock",
    ),
    SearchPlace(
        name=later("Your places"),
        address="/hangouts/places",
        words=later("address home location where"),
        icon="home",
    ),
)
