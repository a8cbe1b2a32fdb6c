"""The check of the index: documents that are missing, differ or are left over, and the repair."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection
from typing import TypeAlias

from commonroom.search.documents import DocumentKey
from commonroom.search.indexing import Documents, Indexer
from commonroom.search.reindexing import PAGE, Progress, reindex
from commonroom.store.checking import CheckSummary, Grace, ReportedProblem
from commonroom.store.damage import tolerating_damage

CHECK = "search"

Report: TypeAlias = Callable[[ReportedProblem], None]


async def check_index(
    indexer: Indexer,
    *,
    repair: bool,
    report: Report,
    grace: Grace,
    progress: Progress = lambda *_: None,
) -> CheckSummary:
    """Compares every document with what is stored, both ways.

    An index that is not complete is left to the process that completes it, or completed for the
    repair.
    """
    summary = CheckSummary()
    if not await _is_complete(indexer):
        if repair:
            await reindex(indexer, progress)
        return summary
    await indexer.index.verify()
    if not await _is_complete(indexer):
        report(ReportedProblem(CHECK, "index", (), "It was damaged.", repaired=True))
        await reindex(indexer, progress)
        return CheckSummary(found=1, repaired=1)
    with tolerating_damage():
        async for keys in _all_keys(indexer):
            await _check_some(indexer, keys, summary, report, grace, repair=repair)
            progress(CHECK, len(keys))
    return summary


async def compare_some(indexer: Indexer, limit: int, grace: Grace) -> tuple[int, int]:
    """Compares some things of each table with the index; returns how many, and how many differ."""
    compared = differing = 0
    for table in indexer.tables:
        rows = await indexer.store.engine.scan(table, limit=limit)
        keys = list(indexer.documents_of(indexer.decode(table, rows.items)))
        compared += len(keys)
        differing += len(await _lasting(indexer, keys, grace))
    return compared, differing


async def _is_complete(indexer: Indexer) -> bool:
    state = await indexer.index.state()
    return state.declared == indexer.declared and state.reindex is None


async def _check_some(
    indexer: Indexer,
    keys: Collection[DocumentKey],
    summary: CheckSummary,
    report: Report,
    grace: Grace,
    *,
    repair: bool,
) -> None:
    wrong = await _lasting(indexer, keys, grace)
    left: Collection[DocumentKey] = wrong
    if wrong and repair:
        await indexer.refresh(wrong)
        left = await _differences(indexer, wrong)
    behind = bool(left) and await grace.is_behind()
    for key, detail in wrong.items():
        repaired = key not in left
        on_its_way = behind and not repaired
        report(ReportedProblem(CHECK, key[0], (key[1],), detail, repaired, on_its_way))
    summary.items += len(keys)
    summary.found += len(wrong)
    summary.repaired += len(wrong) - len(left)
    summary.on_its_way += len(left) if behind else 0


async def _all_keys(indexer: Indexer) -> AsyncIterator[Collection[DocumentKey]]:
    """Yields every document that there is or should be; some of them twice."""
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
    indexer: Indexer, keys: Collection[DocumentKey], grace: Grace
) -> dict[DocumentKey, str]:
    """Returns what is wrong, and still is after consumers had a moment to follow."""
    wrong, waited = await _differences(indexer, keys), True
    while wrong and waited:
        waited = await grace.wait()
        wrong = await _differences(indexer, wrong)
    return wrong


async def _differences(indexer: Indexer, keys: Collection[DocumentKey]) -> dict[DocumentKey, str]:
    """Returns what is wrong with documents, in a sentence each."""
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
