"""What OpenSearch is asked, and what it found: the same tiers as the embedded index has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from commonroom.search.documents import Document
from commonroom.search.hits import Tier
from commonroom.search.opensearch.mapping import EVERYBODY
from commonroom.search.queries import MAX_HITS, SearchQuery, Terms, facet_groups, typos_allowed

Clause: TypeAlias = dict[str, Any]

SECONDS = "1s"
"""It gives what it has found by then."""
MAX_KINDS = 20
MAX_FUZZY = 30
"""How many with typos are ranked here, of each kind."""
MAX_COMPARED = 500
"""How many documents with an audience are compared for typos here."""
EXPANSIONS = 50
HIGHEST = 10.0
"""The score of a tier is this without its number, so that the best tier comes first."""
SORT = [{"_score": "desc"}, {"popularity": "desc"}, {"key": "asc"}]
TITLE, NAMES = ("title",), ("title", "names")


class DocumentMatch(Struct, frozen=True):
    """A document that OpenSearch found, and how well it matches."""

    document: Document
    tier: Tier


def as_typed(query: SearchQuery, terms: Terms) -> Clause:
    """Returns what matches as it is typed."""
    tiers = [
        (Tier.SAME_TITLE, {"terms": {"whole": list(terms.wholes)}}),
        (Tier.TITLE_BEGINS, _prefix("whole", terms.beginning)),
        (Tier.IN_TITLE, _all(_in_any(TITLE, word) for word in terms.words)),
        (Tier.IN_NAMES, _all(_in_any(NAMES, word) for word in terms.words)),
    ]
    return _search(query, tiers, min(query.limit, MAX_HITS))


def with_typos(query: SearchQuery, terms: Terms) -> Clause:
    """Returns what everybody may find and matches with typos, and what matches in descriptions."""
    tiers = [
        (Tier.FUZZY_TITLE, _all(_fuzzy(TITLE, word) for word in terms.words)),
        (Tier.FUZZY_NAMES, _all(_fuzzy(NAMES, word) for word in terms.words)),
    ]
    if terms.are_in_text:
        tiers.append((Tier.IN_TEXT, _all(_prefix("words", word) for word in terms.words)))
    return _search(query, tiers, MAX_FUZZY)


def own(query: SearchQuery) -> Clause:
    """Returns all that the caller may find and not everybody: its words are compared here."""
    everything: list[tuple[Tier, Clause]] = [(Tier.FUZZY_NAMES, {"match_all": {}})]
    together = replace(query, grouped=False)  # OpenSearch gives at most a hundred of a group
    return _search(together, everything, MAX_COMPARED, list(query.audience))


def with_fewer_words(query: SearchQuery, terms: Terms) -> Clause:
    """Returns what matches all words but one."""
    fewer = [_all(_in_any(TITLE, word) for word in some) for some in terms.fewer_words]
    return _search(query, [(Tier.FEWER_WORDS, _any(fewer))], min(query.limit, MAX_HITS))


def keys_after(after: str | None, limit: int) -> Clause:
    """Returns which documents there are, in the order of their keys."""
    body: Clause = {
        "query": {"match_all": {}},
        "size": limit,
        "sort": [{"key": "asc"}],
        "_source": False,
    }
    return body if after is None else body | {"search_after": [after]}


def matches(body: Clause) -> Iterator[DocumentMatch]:
    """Yields what was found, of all kinds together or of each."""
    groups = body.get("aggregations", {}).get("kinds", {}).get("buckets", [])
    several = [group["best"]["hits"]["hits"] for group in groups] or [body["hits"]["hits"]]
    for hits in several:
        for hit in hits:
            document = msgspec.convert(hit["_source"]["document"], Document)
            yield DocumentMatch(document, Tier(round(HIGHEST - hit["sort"][0])))


def _search(
    query: SearchQuery,
    tiers: Sequence[tuple[Tier, Clause]],
    size: int,
    audience: list[str] | None = None,
) -> Clause:
    ranked = [
        {"constant_score": {"filter": clause, "boost": HIGHEST - tier}} for tier, clause in tiers
    ]
    filters: list[Clause] = [{"terms": {"facets": group}} for group in facet_groups(query)]
    filters.append({"terms": {"audience": audience or [EVERYBODY, *query.audience]}})
    if query.kinds:
        filters.append({"terms": {"kind": list(query.kinds)}})
    body: Clause = {
        "query": {"bool": {"filter": filters, "must": [{"dis_max": {"queries": ranked}}]}},
        "track_total_hits": False,
        "timeout": SECONDS,
    }
    best = {"size": size, "sort": SORT, "_source": ["document"]}
    if not query.grouped:
        return body | best
    kinds = {"terms": {"field": "kind", "size": MAX_KINDS}, "aggs": {"best": {"top_hits": best}}}
    return body | {"size": 0, "aggs": {"kinds": kinds}}


def _prefix(field: str, value: str) -> Clause:
    return {"prefix": {field: {"value": value}}}


def _in_any(fields: Iterable[str], word: str) -> Clause:
    return _any([_prefix(field, word) for field in fields])


def _fuzzy(fields: Iterable[str], word: str) -> Clause:
    """Returns a word that begins so, or with as many typos as it may have."""
    typos = typos_allowed(word)
    if not typos:
        return _in_any(fields, word)
    fuzzy = {
        "value": word,
        "fuzziness": typos,
        "max_expansions": EXPANSIONS,
        "transpositions": True,
    }
    clauses: list[Clause] = []
    for field in fields:
        clauses += [_prefix(field, word), {"fuzzy": {f"{field}_beginnings": fuzzy}}]
    return _any(clauses)


def _any(clauses: Sequence[Clause]) -> Clause:
    if len(clauses) == 1:
        return clauses[0]
    return {"bool": {"should": list(clauses), "minimum_should_match": 1}}


def _all(clauses: Iterable[Clause]) -> Clause:
    return {"bool": {"filter": list(clauses)}}
