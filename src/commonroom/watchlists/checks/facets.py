"""Browse entries and cards: each list is found under what suits it, and under nothing else."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

from commonroom.errors import NotFound
from commonroom.store import Entity, Store, as_read, check, delete, new, put
from commonroom.store.checking import Problem, StoredEntity
from commonroom.store.checking.each import find_each
from commonroom.store.checking.related import RelatedItems, RelatedProblem, Rule
from commonroom.watchlists.rules.facets import entry
from commonroom.watchlists.rules.lists import first_double
from commonroom.watchlists.service.access import ListContents, get_contents
from commonroom.watchlists.service.facets import (
    BATCH,
    card_changes,
    delete_entries,
    describing_writes,
    facet_change,
)
from commonroom.watchlists.tables import ListFacets, Watchlist

MAX_STEPS = 20
"""In how many transactions the entries of one list change, at most."""


class FacetCheck:
    """Compares what lists are found under with what is on them."""

    async def examine(self, store: Store, things: Sequence[StoredEntity]) -> AsyncIterator[Problem]:
        """Which lists are found under something else, or show something else."""
        found = [it.entity for it in things if isinstance(it.entity, Watchlist)]
        async for problem in find_each(store, _find_problems, found):
            yield problem


async def _find_problems(store: Store, one: Watchlist) -> list[Problem]:
    try:
        found = await get_contents(store, one.watchlist_id)
    except NotFound:
        return []
    if first_double([it.position for it in found.items]) is not None:
        return []  # the order is repaired first, and then looked at again
    kept = await store.get(ListFacets.at(watchlist_id=one.watchlist_id))
    lost = await _lost_entries(store, kept)
    problems = []
    if kept is not None and lost:
        same = check(kept, if_=as_read(kept, "version"))
        entries = [entry(it, kept.listed_at, kept.watchlist_id) for it in lost[:BATCH]]
        detail = f"It is missing under {lost[0]}, and {len(lost) - 1} others."
        problems.append(Problem.of("facets", one, detail, same, *map(put, entries)))
    return [*problems, *_undescribed(found, kept)]


async def _lost_entries(store: Store, kept: ListFacets | None) -> list[str]:
    if kept is None:
        return []
    refs = [entry(one, kept.listed_at, kept.watchlist_id).ref for one in kept.facets]
    found = await store.batch_get(refs)
    return [one for one, it in zip(kept.facets, found, strict=True) if it is None]


def _undescribed(found: ListContents, kept: ListFacets | None) -> Iterator[Problem]:
    """A step after the other, each as it will be after those before."""
    card: dict[str, Any] = card_changes(found)
    for _ in range(MAX_STEPS):
        change = facet_change(found, kept)
        if change is None:
            break
        named = (*change.added, *change.removed)
        detail = f"It is not found under what suits it, such as {named[0]}."
        writes = describing_writes(found.watchlist, change, card)
        yield Problem.of("facets", found.watchlist, detail, *writes)
        kept, card = change.after, {}
    if card:
        detail = "Its card does not show its first titles."
        writes = describing_writes(found.watchlist, None, card)
        yield Problem.of("facets", found.watchlist, detail, *writes)


async def _check_facets(one: ListFacets, found: RelatedItems) -> AsyncIterator[RelatedProblem]:
    ref = Watchlist.at(watchlist_id=one.watchlist_id)
    if await found.at(ref) is not None:
        return
    gone, detail = check(ref, if_=new), "The list that is found under these was deleted."
    entries = delete_entries(one.watchlist_id, one.listed_at, one.facets)
    for start in range(0, len(entries), BATCH):
        yield RelatedProblem("orphans", detail, [gone, *entries[start : start + BATCH]])
    yield RelatedProblem("orphans", detail, [gone, delete(one)])


RULES: dict[type[Entity], Rule] = {
    ListFacets: _check_facets,
}
