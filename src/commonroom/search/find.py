"""Finding: what the caller may see, by the index and by the rooms, as it is at this moment."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Sequence
from enum import IntEnum
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from commonroom.errors import CommonroomError
from commonroom.http.call_limits import CallLimit, count_call
from commonroom.http.request import Request
from commonroom.joins import search_places as places
from commonroom.joins.search_audiences import audience_of
from commonroom.joins.search_kinds import SearchHit, SearchKind, SearchResultCard, SearchSource
from commonroom.rate_limits import Rate
from commonroom.search.documents import Searchable
from commonroom.search.hits import IndexHit, Tier
from commonroom.search.index import SearchIndex
from commonroom.search.marking import snippet, title_parts
from commonroom.search.queries import SearchQuery, parse
from commonroom.search.ranking import best, tier_of
from commonroom.search.words import title_words, wholes
from commonroom.store import Entity
from commonroom.store.damage import tolerating_damage
from commonroom.titles.title_links import read_link

logger = logging.getLogger(__name__)

SOURCE_SECONDS = 5.0
"""How long one room may take: the others are shown then."""
MAX_READ = 100
"""How many results are read again: one request."""

GUEST = Rate(burst=120, per_minute=120)
"""From one address, behind which a family may sit that types with four hands."""
ACCOUNT = Rate(burst=240, per_minute=240)
Kinds: TypeAlias = Sequence[SearchKind]


class Closeness(IntEnum):
    """How well the best of a kind matches: the lower comes first."""

    SAME_TITLE = 0
    IN_TITLE = 1
    IN_NAMES = 2
    """Of the cast, say: what is called so goes before it."""
    FUZZY = 3

    @staticmethod
    def of(tier: Tier) -> Closeness:
        """Returns how close a tier is."""
        if tier is Tier.SAME_TITLE:
            return Closeness.SAME_TITLE
        if tier <= Tier.IN_TITLE:
            return Closeness.IN_TITLE
        return Closeness.IN_NAMES if tier is Tier.IN_NAMES else Closeness.FUZZY


class ResultGroup(Struct, frozen=True):
    """What was found of one kind."""

    kind: str
    name: str
    picture: str
    """The template of one's picture."""
    results: Sequence[SearchResultCard]
    more: str | None = None
    """The page that finds more; None where this one does."""
    closeness: Closeness = Closeness.IN_NAMES
    """How well the best of it matches."""
    is_own: bool = False
    """Whether it is not for everybody: what the caller, or people around them, have."""

    @property
    def rank(self) -> tuple[Closeness, bool]:
        """Where it comes: what is not called so itself, one's own things before the catalogue's."""
        return self.closeness, self.closeness >= Closeness.IN_NAMES and not self.is_own


def count_search(request: Request, what: str = "search") -> None:
    """Counts a search of the caller, or what it leads to; each process counts for itself."""
    count_call(request, CallLimit(what, GUEST, ACCOUNT))


def kinds_in(request: Request) -> Kinds:
    """Returns the kinds of documents that the caller can find, of rooms that are open."""
    kinds: Kinds = request.app.state.search_kinds
    caller = request.caller
    if caller.account is None or not caller.may("read"):
        return [one for one in kinds if not one.searchable.is_private]
    return kinds


def sources_in(request: Request) -> Sequence[SearchSource]:
    """Returns what rooms find by themselves for people who have an account."""
    sources: Sequence[SearchSource] = request.app.state.search_sources
    return sources if request.caller.account is not None else ()


async def find(request: Request, query: SearchQuery) -> list[SearchHit]:
    """Returns what the index finds for the caller, the best first, as far as they may see it.

    At most two requests to the store: who they are, where something is not for everybody, and what
    was found, where that may have changed.
    """
    wanted = {
        one.searchable.kind: one
        for one in kinds_in(request)
        if not query.kinds or one.kind in query.kinds
    }
    if not wanted:
        return []
    audience: Collection[str] = ()
    if any(one.searchable.is_private for one in wanted.values()):
        audience = await audience_of(request)
    index: SearchIndex = request.app.state.search
    link = read_link(query.text)
    text = query.text if link is None else link.alias
    asked = replace(query, text=text, kinds=tuple(wanted), audience=tuple(sorted(audience)))
    hits = await index.search(asked)
    if link is not None:
        hits = [one for one in hits if one.tier is Tier.SAME_TITLE]
    found = await _verified(request, hits, wanted, frozenset(audience))
    return _each_once(request, found, query)


async def _verified(
    request: Request,
    hits: Sequence[IndexHit],
    kinds: dict[str, SearchKind],
    audience: frozenset[str],
) -> list[SearchHit]:
    """Reads hits again as they are stored now, without those the caller may not see any more."""
    doubtful = [one.document.key for one in hits if _searchable(one, kinds).is_read_again]
    refs = {key: kinds[key[0]].searchable.ref(key[1]) for key in doubtful[:MAX_READ]}
    with tolerating_damage():
        stored = await request.store.batch_get(list(refs.values()))
    things = dict(zip(refs, stored, strict=True))
    found = []
    for hit in hits:
        one = SearchHit(request=request, kind=kinds[hit.document.kind], hit=hit)
        if _searchable(hit, kinds).is_read_again:
            current = _as_stored(one, things.get(hit.document.key), audience)
            found += [] if current is None else [current]
        else:
            found.append(one)
    return found


def _searchable(hit: IndexHit, kinds: dict[str, SearchKind]) -> Searchable:
    return kinds[hit.document.kind].searchable


def _as_stored(
    found: SearchHit, thing: Entity | None, audience: frozenset[str]
) -> SearchHit | None:
    """Reads a hit as it is stored; None where it is gone, or not for the caller."""
    document = found.kind.searchable.document_of(found.document.id, thing)
    if document is None:
        return None
    common = audience & set(document.audience)
    if document.audience and not common:
        return None
    return replace(found, hit=replace(found.hit, document=document), thing=thing, common=common)


def _each_once(request: Request, found: Sequence[SearchHit], query: SearchQuery) -> list[SearchHit]:
    """Returns the best of all, or of each kind; of people each once, and oneself not at all."""
    account = request.caller.account
    chosen: dict[tuple[str, str], SearchHit] = {}
    for one in found:
        key = one.kind.kind, one.document.id
        if one.kind.is_person and account is not None and one.document.id == account.user_id:
            continue
        known = chosen.get(key)
        chosen[key] = one if known is None else _merged(known, one)
    kind_of = (lambda one: one.kind.kind) if query.grouped else None
    return best(chosen.values(), query.limit, kind_of)


def _merged(known: SearchHit, other: SearchHit) -> SearchHit:
    """Two documents of one person: the one that knows more of them, and all that is shared."""
    first = other if known.kind.shown_as else known
    return replace(first, common=known.common | other.common)


async def find_groups(request: Request, query: SearchQuery) -> list[ResultGroup]:
    """Returns what was found, by kind, in the order of the house.

    A kind with the very title comes first, what only resembles the text last; of what has a name
    or a cast that matches, what is one's own comes first.
    """
    found, private = await asyncio.gather(
        find(request, query),
        asyncio.gather(*(_ask(request, one, query) for one in _sources(request, query))),
    )
    kinds: dict[str, SearchKind] = {}
    for kind in kinds_in(request):
        kinds.setdefault(kind.kind, kind)
    groups = [
        _group(kind, [one for one in found if one.kind.kind == kind.kind])
        for kind in kinds.values()
    ]
    shown = [group for group in (*groups, *private, _places(request, query)) if group.results]
    shown.sort(key=lambda group: group.rank)
    if shown and shown[0].closeness < Closeness.FUZZY:
        # A place that only sounds like it is worth a line where there is nothing else.
        shown = [one for one in shown if one.kind != places.KIND or one.closeness < Closeness.FUZZY]
    return shown


def _places(request: Request, query: SearchQuery) -> ResultGroup:
    """Places in the product that match."""
    is_asked = not query.is_filtered and (not query.kinds or places.KIND in query.kinds)
    found = places.find_places(request, query) if is_asked else []
    closeness = Closeness.of(found[0].tier) if found else Closeness.FUZZY
    results = [one.result for one in found]
    return ResultGroup(places.KIND, places.NAME, places.PICTURE, results, closeness=closeness)


def _sources(request: Request, query: SearchQuery) -> list[SearchSource]:
    """Returns those that are asked: they know of no years and genres."""
    if query.is_filtered:
        return []
    return [one for one in sources_in(request) if not query.kinds or one.kind in query.kinds]


def _group(kind: SearchKind, found: Sequence[SearchHit]) -> ResultGroup:
    closeness = Closeness.of(found[0].hit.tier) if found else Closeness.FUZZY
    results = [_result(one) for one in found]
    is_own = kind.searchable.is_private
    return ResultGroup(
        kind.kind, kind.name, kind.picture, results, closeness=closeness, is_own=is_own
    )


def _result(found: SearchHit) -> SearchResultCard:
    card = found.kind.card(found)
    return SearchResultCard(
        title=title_parts(found.hit),
        address=address_of(found),
        line=card.line,
        snippet=snippet(found.hit),
        data=card.data,
        picture=found.kind.picture,
        element=card.element,
    )


def address_of(found: SearchHit) -> str:
    """Returns where a result leads."""
    return found.document.address if found.kind.address is None else found.kind.address(found)


async def _ask(request: Request, source: SearchSource, query: SearchQuery) -> ResultGroup:
    """Returns what a room finds; nothing where it cannot: the others are worth showing."""
    results: Sequence[SearchResultCard] = ()
    try:
        async with asyncio.timeout(SOURCE_SECONDS):
            results = await source.search(request, query.text, query.limit)
    except (CommonroomError, TimeoutError) as error:
        logger.warning("%s could not be searched: %s", source.kind, type(error).__name__)
    closeness = _closeness(results, query)
    return ResultGroup(
        source.kind, source.name, source.picture, results, source.more, closeness, is_own=True
    )


def _closeness(results: Sequence[SearchResultCard], query: SearchQuery) -> Closeness:
    """Returns how well the best of what a room found matches, by its titles."""
    terms = parse(query.text)
    if terms is None:
        return Closeness.IN_NAMES
    titles = ("".join(part.text for part in one.title) for one in results)
    tiers = (
        tier_of(terms, " ".join(wholes(title)), " ".join(title_words(title)), "")
        for title in titles
    )
    return Closeness.of(min((one for one in tiers if one is not None), default=Tier.IN_NAMES))
