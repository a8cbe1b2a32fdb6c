"""Pages of watchlists that people look for by what they want to do."""

from __future__ import annotations

from commonroom.http.words import lazy
from commonroom.joins.search_places import SearchPlace

PLACES = (
    SearchPlace(
        name=lazy("New list"),
        address="/watchlists/new",
        words=lazy("watchlist create films shows"),
        icon="plus",
    ),
    SearchPlace(
        name=lazy("Your lists"),
        address="/watchlists/mine",
        words=lazy("watchlists own saved seen ratings"),
        icon="watchlists",
    ),
    SearchPlace(
        name=lazy("Lists you follow"),
        address="/watchlists/following",
        words=lazy("following curators new"),
        icon="watchlists",
    ),
    SearchPlace(
        name=lazy("Import from Letterboxd, IMDb or Trakt"),
        address="/watchlists/import",
        words=lazy("watchlist ratings upload zip csv"),
        icon="import",
    ),
    SearchPlace(
        name=lazy("Your curator profile"),
        address="/watchlists/profile",
        words=lazy("username bio apply curator public"),
        icon="person",
    ),
    SearchPlace(
        name=lazy("Curators"),
        address="/admin/curators",
        words=lazy("administration approve applications suspend"),
        icon="people",
        for_administrators=True,
    ),
    SearchPlace(
        name=lazy("Duplicates"),
        address="/admin/duplicates",
        words=lazy("administration merge titles films shows twice"),
        icon="watchlists",
        for_administrators=True,
    ),
)
