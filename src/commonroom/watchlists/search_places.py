"""Pages of watchlists that people look for by what they want to do."""

from __future__ import annotations

from commonroom.web.search.places import SearchPlace
from commonroom.web.words import later

PLACES = (
    SearchPlace(
        name=later("New list"),
        address="/watchlists/new",
        words=later("watchlist create films shows"),
        icon="plus",
    ),
    SearchPlace(
        name=later("Your lists"),
        address="/watchlists/mine",
        words=later("watchlists own saved seen ratings"),
        icon="watchlists",
    ),
    SearchPlace(
        name=later("Lists you follow"),
        address="/watchlists/following",
        words=later("following curators new"),
        icon="watchlists",
    ),
    SearchPlace(
        name=later("Import from Letterboxd, IMDb or Trakt"),
        address="/watchlists/import",
        words=later("watchlist ratings upload zip csv"),
        icon="import",
    ),
    SearchPlace(
        name=later("Your curator profile"),
        address="/watchlists/profile",
        words=later("username bio apply curator public"),
        icon="person",
    ),
    SearchPlace(
        name=later("Curators"),
        address="/admin/curators",
        words=later("administration approve applications suspend"),
        icon="people",
        for_administrators=True,
    ),
    SearchPlace(
        name=later("Duplicates"),
        address="/admin/duplicates",
        words=later("administration merge titles films shows twice"),
        icon="watchlists",
        for_administrators=True,
    ),
)
