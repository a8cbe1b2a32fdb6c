"""What the check finds in an index, and mends."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from commonroom.search.checking import check_index
from commonroom.search.index import SearchIndex
from commonroom.search.indexing import Indexer
from commonroom.search.reindexing import reindex
from commonroom.store import Store, put
from commonroom.store.checking import CheckSummary, ReportedProblem
from tests.search.documents import film, remove, titles, watchlist
from tests.search.documents import put as put_documents
from tests.search.things import BUILTIN, a_list, follow, indexer_of, movie
from tests.support.checking import Patience


@pytest.fixture
def store(either: Store) -> Store:
    return either


async def check(
    indexer: Indexer, *, repair: bool = False
) -> tuple[CheckSummary, dict[str, ReportedProblem]]:
    found: list[ReportedProblem] = []
    summary = await check_index(indexer, repair=repair, report=found.append, grace=Patience(0.0))
    return summary, {f"{one.table} {one.key[0]}": one for one in found}


@pytest.fixture
async def indexer(store: Store, index: SearchIndex) -> Indexer:
    made = indexer_of(store, index)
    await store.write(
        put(movie("m1", "One")),
        put(movie("m2", "Two")),
        put(a_list("l1", "Private", is_public=False)),
        put(a_list("l2", "Public")),
    )
    await reindex(made)
    await follow(made)
    return made


async def test_nothing_is_found_where_all_is_well(indexer: Indexer) -> None:
    summary, problems = await check(indexer)
    assert (summary.found, problems) == (0, {})
    assert summary.items >= BUILTIN + 4


async def test_every_difference_is_found_and_mended(indexer: Indexer) -> None:
    index = indexer.index
    (matrix,) = (await index.read([("film", "603")])).values()
    await remove(index, ("film", "m1"), ("film", "550"))
    await put_documents(
        index,
        film("Another title", id="m2"),
        replace(matrix, popularity=1),
        film("Nobody’s", id="nobody"),
        watchlist("Leaked", id="l1"),
        watchlist("Nobody’s list", id="l9"),
    )
    summary, problems = await check(indexer)
    details = {key: one.detail for key, one in problems.items()}
    assert details == {
        "film m1": "It is missing in the search index.",
        "film 550": "It is missing in the search index.",
        "film m2": "The search index has it as it was before.",
        "film 603": "The search index has it as it was before.",
        "film nobody": "It is in the search index and should not be.",
        "list l1": "It is in the search index and should not be.",
        "list l9": "It is in the search index and should not be.",
    }
    assert not any(one.repaired for one in problems.values())

    summary, problems = await check(indexer, repair=True)
    assert len(problems) == 7
    assert summary.left == 0
    assert all(one.repaired for one in problems.values())
    assert (await check(indexer))[0].found == 0
    assert await titles(index, "leaked") == []
    assert await titles(index, "one", limit=1) == ["One"]


async def test_what_a_consumer_is_about_to_do_is_waited_for(indexer: Indexer) -> None:
    await indexer.store.write(put(movie("m3", "Three")))

    class Meanwhile(Patience):
        async def wait(self) -> bool:
            await follow(indexer)
            return True

    summary = await check_index(indexer, repair=False, report=lambda _: None, grace=Meanwhile(1.0))
    assert summary.found == 0


async def test_an_index_that_is_not_complete_is_left_to_whoever_completes_it(
    store: Store, index: SearchIndex
) -> None:
    indexer = indexer_of(store, index)
    assert (await check(indexer))[0].found == 0
    assert (await index.state()).declared == ""
    await check(indexer, repair=True)
    assert (await index.state()).documents == BUILTIN
