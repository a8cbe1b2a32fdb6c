"""The search index: whether it is there, complete, and can be asked."""

from __future__ import annotations

import time

from commonroom.house.search import index_progress, open_indexer
from commonroom.joins.findings import Finding, ok, problem, warning
from commonroom.moments import elapsed, iso
from commonroom.search.checking import compare_some
from commonroom.search.embedded.engine import EmbeddedIndex
from commonroom.search.following import NOTE_SECONDS
from commonroom.search.index import IndexState, SearchIndex, SearchUnavailable
from commonroom.search.opening import is_index_per_machine, open_index
from commonroom.settings import Settings
from commonroom.store import Store

ADDRESS = "Check COMMONROOM_OPENSEARCH_ADDRESS, COMMONROOM_OPENSEARCH_LOGIN and the network."
COMPARED = 1000
"""How many items of each table are compared; `commonroom check` compares all."""
LATE_SECONDS = 2 * NOTE_SECONDS
BEHIND = "Is Commonroom running? If it is, `commonroom check --repair` brings the index up to date."
BY_ITSELF = "Is Commonroom running? It builds the index by itself; searches find less until then."


async def examine_search(settings: Settings) -> list[Finding]:
    """Looks at the index and changes nothing."""
    if settings.search == "embedded" and not settings.search_file.exists():
        return [ok("search", f"{settings.search_file} is created on the next start")]
    index = open_index(settings, only_reading=True)
    try:
        return [_state(await index.state()), *await _followed(index, settings)]
    except SearchUnavailable as error:
        repair = BY_ITSELF if settings.search == "embedded" else ADDRESS
        return [problem("search", error.detail, repair)]
    finally:
        await index.close()


async def compare_search(store: Store, settings: Settings) -> list[Finding]:
    """Whether the index is of this store, and has some of what is stored as it is."""
    if settings.search == "embedded" and not settings.search_file.exists():
        return []
    try:
        async with open_indexer(settings, store, only_reading=True) as indexer:
            state = await indexer.index.state()
            if state.declared != indexer.declared or state.reindex is not None:
                return []  # it is built anew, as is said of the index itself
            grace = index_progress(indexer, settings)
            compared, differing = await compare_some(indexer, COMPARED, grace)
    except SearchUnavailable as error:
        return [problem("search", error.detail, BY_ITSELF)]
    if differing:
        shown = f"{differing} of {compared:,} things compared are not in the index as stored"
        return [warning("search", shown, BEHIND)]
    return [ok("search", f"{compared:,} things compared are in the index as stored")]


def _state(state: IndexState) -> Finding:
    if state.reindex is not None:
        shown = f"the index is being built: {state.reindex.done:,} documents so far"
        return warning("search", shown, BY_ITSELF)
    if not state.declared:
        return warning("search", "the index is not complete", BY_ITSELF)
    return ok("search", f"{state.documents:,} documents can be found")


async def _followed(index: SearchIndex, settings: Settings) -> list[Finding]:
    """Whether an index of this machine follows what other machines write."""
    if not (is_index_per_machine(settings) and isinstance(index, EmbeddedIndex)):
        return []
    at = (await index.progress()).followed_at
    if at is not None and elapsed(at, time.time()) < LATE_SECONDS:
        return [ok("search", "the index of this machine follows the changes of all machines")]
    since = "no changes yet" if at is None else f"no changes since {iso(at)}"
    repair = "Run `commonroom serve` on this machine: it keeps the index current."
    return [warning("search", f"the index of this machine has followed {since}", repair)]
