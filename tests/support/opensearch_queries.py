"""Searching as OpenSearch does it, as far as Commonroom asks for it; everything else is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeAlias

from rapidfuzz.distance import OSA

Body: TypeAlias = dict[str, Any]
Found: TypeAlias = tuple[str, Body, float]
"""An id, a document, and its score."""


class Refused(Exception):
    """A request that OpenSearch would refuse."""

    def __init__(self, status: int, kind: str, reason: str = "") -> None:
        super().__init__(reason or kind)
        self.status, self.kind = status, kind


def only(given: Mapping[str, Any], known: set[str]) -> None:
    """Refuses what is not documented."""
    if unknown := given.keys() - known:
        raise Refused(400, "illegal_argument_exception", f"unknown: {sorted(unknown)}")


def buckets(scored: list[Found], aggs: Body) -> list[Body]:
    only(aggs, {"kinds"})
    only(aggs["kinds"], {"terms", "aggs"})
    only(aggs["kinds"]["terms"], {"field", "size"})
    only(aggs["kinds"]["aggs"], {"best"})
    best = aggs["kinds"]["aggs"]["best"]["top_hits"]
    only(best, {"size", "sort", "_source"})
    name = aggs["kinds"]["terms"]["field"]
    values = sorted({source[name] for _, source, _ in scored})
    return [
        {
            "key": value,
            "best": {
                "hits": {"hits": hits([one for one in scored if one[1][name] == value], best)}
            },
        }
        for value in values[: aggs["kinds"]["terms"]["size"]]
    ]


def hits(scored: list[Found], body: Body) -> list[Body]:
    """The first of these in their order; an order by score has scores."""
    sort: list[Body] = body.get("sort", [{"_score": "desc"}])

    def place(one: Found) -> list[Any]:
        return [one[2] if name == "_score" else one[1][name] for by in sort for name in by]

    ordered = list(scored)
    for number in reversed(range(len(sort))):
        (direction,) = sort[number].values()
        ordered.sort(key=partial(_at, place, number), reverse=direction == "desc")
    if "search_after" in body:
        ordered = [one for one in ordered if place(one) > body["search_after"]]
    wanted = body.get("_source", True)
    found = []
    for one in ordered[: body["size"]]:
        hit: Body = {"_id": one[0], "sort": place(one)}
        if wanted:
            hit["_source"] = {name: one[1][name] for name in wanted}
        found.append(hit)
    return found


def score(clause: Body, source: Body, mappings: Body) -> float | None:
    """How well a document matches; None where it does not."""
    ((kind, told),) = clause.items()
    if kind not in QUERIES:
        raise Refused(400, "parsing_exception", f"unknown query [{kind}]")
    return QUERIES[kind](told, source, mappings)


def _match_all(told: Body, source: Body, mappings: Body) -> float | None:
    only(told, set())
    return 1.0


def _dis_max(told: Body, source: Body, mappings: Body) -> float | None:
    only(told, {"queries"})
    scores = [score(one, source, mappings) for one in told["queries"]]
    return max((one for one in scores if one is not None), default=None)


def _constant_score(told: Body, source: Body, mappings: Body) -> float | None:
    only(told, {"filter", "boost"})
    matches = score(told["filter"], source, mappings) is not None
    return float(told["boost"]) if matches else None


def _terms_query(told: Body, source: Body, mappings: Body) -> float | None:
    ((name, values),) = told.items()
    return 1.0 if set(_terms(name, source, mappings)) & set(values) else None


def _prefix(told: Body, source: Body, mappings: Body) -> float | None:
    ((name, wanted),) = told.items()
    only(wanted, {"value"})
    terms = _terms(name, source, mappings)
    return 1.0 if any(one.startswith(wanted["value"]) for one in terms) else None


def _fuzzy(told: Body, source: Body, mappings: Body) -> float | None:
    ((name, wanted),) = told.items()
    only(wanted, {"value", "fuzziness", "max_expansions", "transpositions"})
    most = wanted["fuzziness"]
    if most not in (0, 1, 2):
        raise Refused(400, "parsing_exception", "fuzziness")
    near = (OSA.distance(wanted["value"], one) for one in _terms(name, source, mappings))
    return 1.0 if any(one <= most for one in near) else None


def _bool(told: Body, source: Body, mappings: Body) -> float | None:
    only(told, {"filter", "must", "should", "minimum_should_match"})
    required = [*told.get("filter", ()), *told.get("must", ())]
    if any(score(one, source, mappings) is None for one in required):
        return None
    should = [score(one, source, mappings) for one in told.get("should", ())]
    met = [one for one in should if one is not None]
    if should and len(met) < told.get("minimum_should_match", 0 if required else 1):
        return None
    scores = [score(one, source, mappings) or 0.0 for one in told.get("must", ())]
    return sum(scores) + sum(met)


def _terms(name: str, source: Body, mappings: Body) -> list[str]:
    """The terms of a field, as its mapping says."""
    declared = mappings["properties"].get(name)
    if declared is None:
        return []
    value = source.get(name, [])
    if declared["type"] == "text":
        return str(value).split()
    return [value] if isinstance(value, str) else list(value)


def _at(place: Callable[[Found], list[Any]], number: int, one: Found) -> Any:
    return place(one)[number]


QUERIES: Mapping[str, Callable[[Body, Body, Body], float | None]] = {
    "match_all": _match_all,
    "bool": _bool,
    "dis_max": _dis_max,
    "constant_score": _constant_score,
    "terms": _terms_query,
    "prefix": _prefix,
    "fuzzy": _fuzzy,
}
