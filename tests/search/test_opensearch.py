"""The adapter for OpenSearch when OpenSearch misbehaves."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from commonroom.search.documents import Document
from commonroom.search.index import IndexReplaced, SearchIndex, SearchUnavailable
from commonroom.search.opensearch import bulk, client
from commonroom.search.opensearch.engine import OpenSearchIndex
from commonroom.search.queries import SearchQuery
from commonroom.search.reindexing import reindex
from commonroom.store import Store
from commonroom.store import put as put_stored
from tests.search.conftest import index_at
from tests.search.documents import film, put, remove, titles
from tests.search.things import BUILTIN, indexer_of, movie
from tests.support.opensearch import (
    LOGIN,
    StandIn,
    hang,
    hang_up,
    loses_answer,
    says,
    status,
)


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Waits for nothing: how long is not what these tests are about."""
    monkeypatch.setattr(client, "FIRST_PAUSE", 0.0)
    monkeypatch.setattr(bulk, "PAUSE_SECONDS", 0.0)


PASSING = {
    "too many requests": status(429),
    "unavailable": status(503),
    "a gateway that waits": status(504),
    "hangs up": hang_up,
}


@pytest.mark.parametrize("trouble", PASSING)
async def test_what_passes_is_waited_out(
    stand_in: StandIn, stand_in_index: OpenSearchIndex, trouble: str
) -> None:
    for operation in ("GET .*_doc", "PUT .*_doc", "POST /_bulk", "POST .*_search"):
        stand_in.troubles.append((operation, PASSING[trouble]))
    await put(stand_in_index, film("Patience"))
    assert await titles(stand_in_index, "patience") == ["Patience"]
    assert stand_in.troubles == [], "all of it happened"


@pytest.mark.parametrize("operation", ["PUT .*_doc", "POST /_bulk"])
async def test_a_write_whose_answer_is_lost_is_made_once(
    stand_in: StandIn, stand_in_index: OpenSearchIndex, operation: str
) -> None:
    stand_in.troubles.append((operation, loses_answer(stand_in)))
    await put(stand_in_index, film("Once"))
    await remove(stand_in_index, ("film", "Once"))
    await put(stand_in_index, film("Again"))
    assert await titles(stand_in_index, "once") == []
    assert await titles(stand_in_index, "again") == ["Again"]


@pytest.mark.parametrize("trouble", [status(500), status(400), says("<html>Welcome</html>")])
async def test_what_does_not_pass_is_an_error_in_a_sentence(
    stand_in: StandIn,
    stand_in_index: OpenSearchIndex,
    trouble: Callable[..., object],
) -> None:
    stand_in.troubles.append(("_search", trouble))  # type: ignore[arg-type] # it is a reply
    with pytest.raises(SearchUnavailable, match="OpenSearch"):
        await stand_in_index.search(SearchQuery(text="x"))


async def test_a_login_that_is_refused_is_said_so_without_saying_it(stand_in: StandIn) -> None:
    index = index_at(stand_in.address, "somebody:else", "test")
    with pytest.raises(SearchUnavailable, match="refuses the login") as refused:
        await index.state()
    assert "else" not in str(refused.value)
    await index.close()


async def test_a_server_that_does_not_answer_is_left_alone_for_a_while(
    stand_in: StandIn, stand_in_index: OpenSearchIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    quickly = client.READING.__class__(seconds=0.05, connect_seconds=0.05)
    monkeypatch.setattr(client, "READING", quickly)
    stand_in.troubles += [("_search", hang(stand_in))] * 10
    for _ in range(2):
        with pytest.raises(SearchUnavailable):
            await stand_in_index.search(SearchQuery(text="x"))
    asked = len(stand_in.asked)
    for _ in range(5):
        with pytest.raises(SearchUnavailable, match="left alone"):
            await stand_in_index.search(SearchQuery(text="x"))
    assert len(stand_in.asked) == asked


async def test_documents_that_are_refused_for_now_are_sent_again_and_only_those(
    stand_in: StandIn, stand_in_index: OpenSearchIndex
) -> None:
    stand_in.item_troubles = [429, 503]
    await put(stand_in_index, *(film(f"Part {n}") for n in range(4)))
    assert len(await titles(stand_in_index, "part")) == 4
    assert stand_in.asked.count("POST /_bulk") == 2


async def test_documents_that_are_refused_again_and_again_are_an_error(
    stand_in: StandIn, stand_in_index: OpenSearchIndex
) -> None:
    stand_in.item_troubles = [429] * 100
    with pytest.raises(SearchUnavailable, match="too busy"):
        await put(stand_in_index, film("One"))


async def test_a_document_that_it_cannot_take_is_an_error(
    stand_in: StandIn, stand_in_index: OpenSearchIndex
) -> None:
    stand_in.item_troubles = [413]
    with pytest.raises(SearchUnavailable, match="refuses a document"):
        await put(stand_in_index, film("One"))


async def test_many_documents_go_in_several_requests(
    stand_in: StandIn, stand_in_index: OpenSearchIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "MAX_ACTIONS", 10)
    await put(stand_in_index, *(film(f"Part {n}") for n in range(25)))
    assert stand_in.asked.count("POST /_bulk") == 3
    monkeypatch.setattr(bulk, "MAX_BYTES", 2000)
    await put(stand_in_index, *(film(f"Large {n}", text="x" * 1500) for n in range(3)))
    assert stand_in.asked.count("POST /_bulk") == 6
    assert (await stand_in_index.state()).documents == 28


async def test_tickets_of_many_at_once_are_all_different(stand_in_index: OpenSearchIndex) -> None:
    tickets = await asyncio.gather(*(stand_in_index.ticket() for _ in range(8)))
    assert len({one.number for one in tickets}) == 8


async def test_before_there_is_an_index_nothing_is_found_and_nothing_is_made(
    stand_in: StandIn,
) -> None:
    index = index_at(stand_in.address, LOGIN, "new")
    assert await titles(index, "x") == []
    assert await index.read([("film", "1")]) == {}
    assert await index.keys(None, 10) == []
    assert (await index.state()).documents == 0
    assert stand_in.indexes == {}
    await index.close()


async def test_an_index_that_is_gone_is_built_anew(
    stand_in: StandIn, stand_in_index: OpenSearchIndex, embedded: Store
) -> None:
    indexer = indexer_of(embedded, stand_in_index)
    await reindex(indexer)
    for name in [name for name in stand_in.indexes if not name.endswith("-state")]:
        stand_in._remove(name)
    assert (await stand_in_index.state()).declared == ""
    with pytest.raises(IndexReplaced):
        await indexer.refresh([("film", "603")])
    await reindex(indexer)
    assert (await stand_in_index.state()).documents == BUILTIN
    await indexer.refresh([("film", "603")])


async def test_a_state_that_is_gone_is_built_anew(
    stand_in: StandIn, stand_in_index: OpenSearchIndex, embedded: Store
) -> None:
    indexer = indexer_of(embedded, stand_in_index)
    await reindex(indexer)
    stand_in._remove("test-search-state")
    assert (await stand_in_index.state()).declared == ""
    await embedded.write(put_stored(movie("m1", "Home movie")))
    await reindex(indexer)
    assert await titles(stand_in_index, "home movie", limit=1) == ["Home movie"]


class TestReindex:
    async def test_searches_are_answered_from_the_old_index_until_the_new_one_is_whole(
        self, stand_in: StandIn, stand_in_index: OpenSearchIndex
    ) -> None:
        await put(stand_in_index, film("Kept"), film("Left over"))
        begun = await stand_in_index.begin_reindex("a", "me", 0.0)
        assert begun is not None
        assert len(stand_in.aliases["test-search"]) == 1
        assert await titles(stand_in_index, "kept") == ["Kept"], "although the new one is empty"
        await put(stand_in_index, film("Kept"))
        await stand_in_index.finish_reindex(begun)
        assert await titles(stand_in_index, "left over") == []
        (answering,) = stand_in.aliases["test-search"]
        assert set(stand_in.indexes) == {answering, "test-search-state"}, "the old one is gone"

    async def test_broken_off_between_its_last_steps_it_is_finished_by_the_next(
        self, stand_in: StandIn, stand_in_index: OpenSearchIndex
    ) -> None:
        begun = await stand_in_index.begin_reindex("a", "me", 0.0)
        assert begun is not None
        await put(stand_in_index, film("New"))
        stand_in.troubles += [("PUT .*_doc", status(500))]
        with pytest.raises(SearchUnavailable):
            await stand_in_index.finish_reindex(begun)
        taken = await stand_in_index.begin_reindex("a", "you", 1000.0)
        assert taken is not None
        await stand_in_index.finish_reindex(taken)
        assert (await stand_in_index.state()).declared == "a"
        assert await titles(stand_in_index, "new") == ["New"]

    async def test_whoever_still_writes_to_the_old_index_is_told_to_read_again(
        self, stand_in: StandIn, stand_in_index: OpenSearchIndex
    ) -> None:
        late = await stand_in_index.ticket()
        begun = await stand_in_index.begin_reindex("a", "me", 0.0)
        assert begun is not None
        await stand_in_index.finish_reindex(begun)
        with pytest.raises(IndexReplaced):
            await stand_in_index.apply(late, {("film", "1"): film("Late", id="1")})
        assert len(stand_in.indexes) == 2, "and makes no index by writing"

    async def test_two_that_begin_at_once_leave_one_new_index(
        self, stand_in: StandIn, stand_in_index: OpenSearchIndex
    ) -> None:
        begun = await asyncio.gather(
            *(stand_in_index.begin_reindex("a", name, 0.0) for name in ("me", "you", "she"))
        )
        (one,) = [reindex for reindex in begun if reindex is not None]
        await stand_in_index.finish_reindex(one)
        assert len(stand_in.indexes) == 2

    async def test_one_of_another_declaration_takes_the_place_of_one_that_was_given_up(
        self, stand_in: StandIn, stand_in_index: OpenSearchIndex
    ) -> None:
        await stand_in_index.begin_reindex("a", "me", 0.0)
        begun = await stand_in_index.begin_reindex("b", "me", 0.0)
        assert begun is not None
        assert len(stand_in.indexes) == 3, "the one that answers, the new one, and the state"
        await stand_in_index.finish_reindex(begun)
        assert len(stand_in.indexes) == 2


async def test_both_engines_find_the_same_in_the_same_order(
    embedded_index: SearchIndex, stand_in_index: SearchIndex
) -> None:
    documents: list[Document] = [
        film("The Matrix", 900, names=("Keanu Reeves",)),
        film("The Matrix Reloaded", 700, names=("Keanu Reeves",)),
        film("Speed", 600, names=("Keanu Reeves",), text="A bus that must not stop."),
        film("Matriarch", 10),
        film("Patrick", 5, text="Matrix of a family."),
        film("Meatballs", 1),
        film("Seven", 400),
        film("Se7en", 800),
    ]
    for index in (embedded_index, stand_in_index):
        await put(index, *documents)
    for text in (
        "matrix",
        "matrx",
        "the matrix",
        "m",
        "ma",
        "keanu",
        "keanu sped",
        "kenau",
        "seven",
        "se7en",
        "bus stop",
        "matrix 9",
        "xqz",
    ):
        found = [await titles(index, text) for index in (embedded_index, stand_in_index)]
        assert found[0] == found[1], text
