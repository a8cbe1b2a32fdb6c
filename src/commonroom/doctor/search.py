"""The search index: whether it is there, complete, and can be asked."""

from __future__ import annotations

from commonroom.doctor.findings import Finding, ok, problem, warning
from commonroom.search.index import IndexState, SearchUnavailable
from commonroom.search.opening import open_index
from commonroom.settings import Settings

ADDRESS = "Check COMMONROOM_OPENSEARCH_ADDRESS, COMMONROOM_OPENSEARCH_LOGIN and the network."
BY_ITSELF = "Is Commonroom running? It builds the index by itself; searches find less until then."


async def examine_search(settings: Settings) -> list[Finding]:
    """Looks at the index and changes nothing."""
    if settings.search == "embedded" and not settings.search_file.exists():
        return [ok("search", f"{settings.search_file} is created on the next start")]
    index = open_index(settings, only_reading=True)
    try:
        state = await index.state()
    except SearchUnavailable as error:
        mend = BY_ITSELF if settings.search == "embedded" else ADDRESS
        return [problem("search", error.detail, mend)]
    finally:
        await index.close()
    return [_state(state), *_shared(settings)]


def _state(state: IndexState) -> Finding:
    if state.reindex is not None:
        shown = f"the index is being built: {state.reindex.done:,} documents so far"
        return warning("search", shown, BY_ITSELF)
    if not state.declared:
        return warning("search", "the index is not complete", BY_ITSELF)
    return ok("search", f"{state.documents:,} documents can be found")


def _shared(settings: Settings) -> list[Finding]:
    if settings.store == "dynamodb" and settings.search == "embedded":
        mend = "Use OpenSearch where several machines share the data (docs/operating.md)."
        shown = "the index is a file of this machine: only a worker on it keeps it current"
        return [warning("search", shown, mend)]
    return []
