"""One search in OpenSearch: what matches as typed; where that is little, what may be meant."""

from __future__ import annotations

from typing import Any

from commonroom.search.documents import Document
from commonroom.search.hits import IndexHit, Tier
from commonroom.search.opensearch import queries
from commonroom.search.opensearch.client import OpenSearchClient
from commonroom.search.opensearch.queries import DocumentMatch
from commonroom.search.queries import FEW, MAX_HITS, SearchQuery, Terms
from commonroom.search.ranking import MeantWords, best, fuzzy_cost, matches_fuzzily, words_meant_by
from commonroom.search.words import document_words

FUZZY = (Tier.FUZZY_TITLE, Tier.FUZZY_NAMES)


class OpenSearchFinder:
    """What was found so far, and what is looked for next."""

    def __init__(
        self, client: OpenSearchClient, alias: str, query: SearchQuery, terms: Terms
    ) -> None:
        self._client = client
        self._path = f"/{alias}/_search"
        self._query = query
        self._terms = terms
        self._hits: dict[tuple[str, str], tuple[int, int, IndexHit]] = {}
        """With tier and cost, by key."""

    async def run(self) -> list[IndexHit]:
        """Returns what was found, the best first."""
        await self._add(queries.as_typed(self._query, self._terms))
        if len(self._hits) < FEW:
            await self._add_fuzzy()
        if not self._hits and self._terms.fewer_words:
            await self._add(queries.with_fewer_words(self._query, self._terms))
        ranked = sorted(self._hits.values(), key=_rank)
        hits = [hit for _, _, hit in ranked]
        group_of = (lambda hit: hit.document.kind) if self._query.grouped else None
        return best(hits, min(self._query.limit, MAX_HITS), group_of)

    async def _add_fuzzy(self) -> None:
        """Tier by tier, as long as there are few: one request for what everybody may find, and one
        for all else."""
        found = await self._find(queries.with_typos(self._query, self._terms))
        found += await self._find_own_fuzzy()
        for tier in (Tier.FUZZY_TITLE, Tier.IN_TEXT, Tier.FUZZY_NAMES):
            if len(self._hits) < FEW:
                for match in found:
                    if match.tier == tier:
                        self._take(match)

    async def _find_own_fuzzy(self) -> list[DocumentMatch]:
        """Returns what matches with typos of what is not for everybody."""
        if not self._query.audience:
            return []
        found = []
        for match in await self._find(queries.own(self._query)):
            title, names, meant = self._meant(match.document)
            if matches_fuzzily(title, "", meant):
                found.append(DocumentMatch(match.document, Tier.FUZZY_TITLE))
            elif matches_fuzzily(title, names, meant):
                found.append(match)
        return found

    async def _add(self, body: dict[str, Any]) -> None:
        for match in await self._find(body):
            self._take(match)

    async def _find(self, body: dict[str, Any]) -> list[DocumentMatch]:
        answer = await self._client.read("POST", self._path, body)
        return [] if answer.is_missing else list(queries.matches(answer.body))

    def _take(self, match: DocumentMatch) -> None:
        document, tier = match.document, match.tier
        words: tuple[MeantWords, ...] = tuple([(0, word)] for word in self._terms.words)
        cost = 0
        if tier in FUZZY:
            title, names, words = self._meant(document)
            cost = fuzzy_cost(title, names, words)
        alternatives = tuple(tuple(other for _, other in meant) for meant in words)
        hit = IndexHit(document, tier, self._terms.beginning, alternatives)
        self._hits.setdefault(document.key, (tier, cost, hit))

    def _meant(self, document: Document) -> tuple[str, str, tuple[MeantWords, ...]]:
        """The words of a title and of names, and what of these may be meant by each typed word."""
        title, names, _ = document_words(document)
        meant = tuple(words_meant_by(word, [*title, *names]) for word in self._terms.words)
        return " ".join(title), " ".join(names), meant


def _rank(found: tuple[int, int, IndexHit]) -> tuple[int, int, int, tuple[str, str]]:
    tier, cost, hit = found
    return tier, cost, -hit.document.popularity, hit.document.key
