"""The check of the index: documents that are missing, differ or are left over, and the repair."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection
from typing import TypeAlias

from commonroom.search.documents import DocumentKey
from commonroom.search.indexing import Documents, Indexer
from commonroom.search.reindexing import PAGE, Progress
from commonroom.store.checking import CheckSummary, GracePeriod, ReportedProblem
from commonroom.store.damage import tolerating_damage

CHECK = "search"

Report: TypeAlias = Callable[[ReportedProblem], None]


async def check_index(
    indexer: Indexer,
    *,
    repair: bool,
    report: Report,
    progress: Progress,
    grace: GracePeriod,
) -> CheckSummary:
    """Compares every document with what is stored, both ways.

    An index that is not complete is left to whoever is about to complete it.
    """
    outcome = CheckSummary()
    state = await indexer.index.state()
    if state.declared != indexer.declared or state.reindex is not None:
        return outcome
    await indexer.index.verify()
    with tolerating_damage():
        async for keys in _all_keys(indexer):
            wrong = await _lasting(indexer, keys, grace)
            if wrong and repair:
                await indexer.refresh(wrong)
            left = await _differences(indexer, wrong) if repair else wrong
            for key, detail in wrong.items():
                mended = repair and key not in left
                report(ReportedProblem(CHECK, key[0], key[1:], detail, mended))
                outcome.found += 1
                outcome.repaired += mended
            outcome.items += len(keys)
            progress("search", len(keys))
    return outcome


async def _all_keys(indexer: Indexer) -> AsyncIterator[Collection[DocumentKey]]:
    """Every document that there is or should be; some of them twice."""
    builtin = indexer.builtin_keys
    for start in range(0, len(builtin), PAGE):
        yield builtin[start : start + PAGE]
    for table in indexer.tables:
        position = None
        while True:
            rows = await indexer.store.engine.scan(table, limit=PAGE, start=position)
            yield list(indexer.documents_of(indexer.decode(table, rows.items)))
            position = rows.next
            if position is None:
                break
    after: DocumentKey | None = None
    while keys := await indexer.index.keys(after, PAGE):
        yield keys
        after = keys[-1]


async def _lasting(
    indexer: Indexer, keys: Collection[DocumentKey], grace: GracePeriod
) -> dict[DocumentKey, str]:
    """What is wrong, and still is after consumers had a moment to follow."""
    wrong = await _differences(indexer, keys)
    while wrong and await grace.wait():
        wrong = await _differences(indexer, wrong)
    return wrong


async def _differences(indexer: Indexer, keys: Collection[DocumentKey]) -> dict[DocumentKey, str]:
    """What is wrong with documents, in a sentence each."""
    there = await indexer.index.read(list(keys))
    wanted: Documents = await indexer.documents(keys)
    wrong = {}
    for key, document in wanted.items():
        found = there.get(key)
        if found == document:
            continue
        if found is None:
            wrong[key] = "It is missing in the search index."
        elif document is None:
            wrong[key] = "It is in the search index and should not be."
        else:
            wrong[key] = "The search index has it as it was before."
    return wrong
