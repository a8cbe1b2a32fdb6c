"""Places in the product, such as “Invite somebody”: found by their words, without any request."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.http.words import _, lazy
from commonroom.joins.search_kinds import SearchResultCard
from commonroom.search.documents import Document
from commonroom.search.hits import Alternatives, IndexHit, Tier
from commonroom.search.marking import title_parts
from commonroom.search.queries import SearchQuery, Terms, parse
from commonroom.search.ranking import matches_fuzzily, tier_of, words_meant_by
from commonroom.search.words import document_words, wholes

if TYPE_CHECKING:
    from commonroom.http.request import Request

KIND = "place"
NAME = lazy("In Commonroom")
PICTURE = "search/pictures/place.html"
SHORTEST = 3
"""Fewer letters begin a word of nearly every place."""
MAX_PAGES = 3
"""How many are shown among other results."""


class SearchPlace(Struct, frozen=True):
    """A page that people look for by what they want to do."""

    name: str
    """What one does there; translated when it is shown."""
    address: str
    words: str = ""
    """What else people call it; translated, too."""
    icon: str = "next"
    for_administrators: bool = False
    is_for: Callable[[User], bool] | None = None
    """Who can go there; None for everybody who is signed in."""


class FoundPlace(Struct, frozen=True):
    """A place that matches, and how well."""

    result: SearchResultCard
    tier: Tier


def places_in(request: Request) -> Sequence[SearchPlace]:
    """Returns where the caller may go: none for guests, who sign in first, nor for children."""
    caller = request.caller
    if caller.account is None or caller.acting_as is not None:
        return ()
    places: Sequence[SearchPlace] = request.app.state.search_places
    return [
        one
        for one in places
        if (caller.is_admin or not one.for_administrators)
        and (one.is_for is None or one.is_for(caller.account))
    ]


def find_places(request: Request, query: SearchQuery) -> list[FoundPlace]:
    """Returns those that match, the best first."""
    terms = parse(query.text)
    if terms is None or len(terms.beginning) < SHORTEST:
        return []
    found = []
    for place in places_in(request):
        hit = _hit(terms, _comparable(_(place.name), _(place.words), place.address))
        if hit is not None:
            result = SearchResultCard(
                title=title_parts(hit), address=place.address, data=place.icon
            )
            found.append(FoundPlace(result, hit.tier))
    return sorted(found, key=lambda one: one.tier)[: query.limit if query.kinds else MAX_PAGES]


class Comparable(Struct, frozen=True):
    """A place and what it is compared by: its letters, the words of its name, all others."""

    document: Document
    whole: str
    title: str
    names: str


@lru_cache(maxsize=1000)
def _comparable(name: str, words: str, address: str) -> Comparable:
    document = Document(kind=KIND, id=address, title=name, address=address, names=(words,))
    title, names, _everything = document_words(document)
    return Comparable(document, " ".join(wholes(name)), " ".join(title), " ".join(names))


def _hit(terms: Terms, place: Comparable) -> IndexHit | None:
    words: tuple[Alternatives, ...] = tuple((word,) for word in terms.words)
    tier = tier_of(terms, place.whole, place.title, place.names)
    if tier is None:
        known = f"{place.title} {place.names}".split()
        meant = [words_meant_by(word, known) for word in terms.words]
        if not matches_fuzzily(place.title, place.names, meant):
            return None
        tier = Tier.FUZZY_NAMES
        words = tuple(tuple(other for _typos, other in one) for one in meant)
    return IndexHit(place.document, tier, terms.beginning, words)
