"""Public lists and curators as search knows them; what is private is nobody's to find."""

from __future__ import annotations

from math import log10

from commonroom.http.words import _, lazy, pluralize
from commonroom.joins.search_kinds import ResultCard, SearchHit, SearchKind
from commonroom.joins.search_places import SearchPlace
from commonroom.search.documents import Document, Searchable
from commonroom.search.people import SearchFace
from commonroom.watchlists.rules.lists import is_discoverable
from commonroom.watchlists.rules.profiles import is_shown
from commonroom.watchlists.tables import Profile, Watchlist

FAMOUS_FROM = 3
"""A thousand saves or followers are as much as counts."""
MAX_DOCUMENTS = 1000


def list_document(watchlist: Watchlist) -> Document | None:
    """Returns a list that everybody may read, of a curator who is not suspended."""
    if not is_discoverable(watchlist):
        return None
    by = (watchlist.curator_name,) if watchlist.curator_name else ()
    return Document(
        kind="list",
        id=watchlist.watchlist_id,
        title=watchlist.title,
        address=f"/lists/{watchlist.watchlist_id}",
        names=(*by, *watchlist.tags),
        text=watchlist.description or "",
        genres=tuple(watchlist.genres),
        popularity=_popularity(watchlist.save_count),
        facts={"items": str(watchlist.item_count), "by": watchlist.curator_name or ""},
    )


def curator_document(profile: Profile) -> Document | None:
    """Returns who has a public page: an approved curator, or another person who publishes."""
    if not is_shown(profile):
        return None
    return Document(
        kind="curator",
        id=profile.user_id,
        title=profile.username,
        address=f"/curators/{profile.username}",
        text=profile.bio or "",
        popularity=_popularity(profile.follower_count),
        facts={"lists": str(profile.public_list_count), "avatar": profile.avatar_key or ""},
    )


def _popularity(count: int) -> int:
    """From how many follow it: ten times as many are a step."""
    return min(MAX_DOCUMENTS, round(MAX_DOCUMENTS * log10(1 + count) / FAMOUS_FROM))


def list_card(found: SearchHit) -> ResultCard:
    """Returns a list with how much is on it and whose it is."""
    document = found.document
    items = int(document.facts.get("items", "0"))
    count = pluralize("%(n)d title", "%(n)d titles", items)
    by = document.facts.get("by")
    return ResultCard(_("%(count)s · by %(name)s") % {"count": count, "name": by} if by else count)


def curator_card(found: SearchHit) -> ResultCard:
    """Returns a curator with how many lists there are."""
    document = found.document
    lists = int(document.facts.get("lists", "0"))
    count = pluralize("%(n)d public list", "%(n)d public lists", lists)
    person = SearchFace(document.title, document.facts.get("avatar") or None)
    return ResultCard(count, person)


LISTS = SearchKind(
    searchable=Searchable(
        kind="list",
        entity=Watchlist,
        id_field="watchlist_id",
        document=list_document,
        can_be_hidden=True,
    ),
    name=lazy("Lists"),
    picture="watchlists/parts/search_picture.html",
    card=list_card,
)
CURATORS = SearchKind(
    searchable=Searchable(
        kind="curator",
        entity=Profile,
        id_field="user_id",
        document=curator_document,
        can_be_hidden=True,
    ),
    name=lazy("Curators"),
    picture="search/pictures/person.html",
    card=curator_card,
)

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
