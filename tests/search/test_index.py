"""The index itself: versions, reindexing, reading; the same with every engine."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from commonroom.search.index import LEASE_SECONDS, IndexReplaced, SearchIndex
from tests.search.documents import film, put, remove, titles

NOW = 1_900_000_000.0


async def test_tickets_grow(index: SearchIndex) -> None:
    numbers = [(await index.ticket()).number for _ in range(5)]
    assert numbers == sorted(set(numbers))


async def test_whoever_read_last_wins_in_whichever_order_writes_arrive(index: SearchIndex) -> None:
    early, late = await index.ticket(), await index.ticket()
    await index.apply(late, {("film", "1"): film("Late", id="1")})
    await index.apply(early, {("film", "1"): film("Early", id="1")})
    assert await titles(index, "late") == ["Late"]
    assert await titles(index, "early") == []


async def test_what_was_removed_does_not_come_back_with_an_older_write(index: SearchIndex) -> None:
    await put(index, film("Gone", id="1"))
    early, late = await index.ticket(), await index.ticket()
    await index.apply(late, {("film", "1"): None})
    await index.apply(early, {("film", "1"): film("Gone", id="1")})
    assert await titles(index, "gone") == []
    await put(index, film("Gone", id="1"))
    assert await titles(index, "gone") == ["Gone"]


async def test_what_was_never_there_does_not_come_with_an_older_write(index: SearchIndex) -> None:
    early, late = await index.ticket(), await index.ticket()
    await index.apply(late, {("film", "1"): None})
    await index.apply(early, {("film", "1"): film("Never", id="1")})
    assert await titles(index, "never") == []


async def test_the_same_write_may_come_twice(index: SearchIndex) -> None:
    ticket = await index.ticket()
    for _ in range(2):
        await index.apply(ticket, {("film", "1"): film("Twice", id="1"), ("film", "2"): None})
    assert await titles(index, "twice") == ["Twice"]
    assert (await index.state()).documents == 1


async def test_a_document_is_given_back_as_it_was_put(index: SearchIndex) -> None:
    document = film(
        "Ünïcode “quoted”",
        7,
        names=("A", "B"),
        text="Text.",
        year=1999,
        genres=("Drama",),
        facts={"items": "3"},
    )
    await put(index, document, film("Other"))
    assert await index.read([document.key, ("film", "none")]) == {document.key: document}


async def test_keys_are_listed_page_by_page(index: SearchIndex) -> None:
    await put(index, *(film(f"Film {n}", id=f"{n:02}") for n in range(25)))
    await remove(index, ("film", "03"))
    listed, after = [], None
    while page := await index.keys(after, 10):
        listed += page
        after = page[-1]
    assert listed == [("film", f"{n:02}") for n in range(25) if n != 3]


class TestReindex:
    async def test_what_is_not_written_again_is_gone_at_the_end(self, index: SearchIndex) -> None:
        await put(index, film("Kept"), film("Left over"))
        begun = await index.begin_reindex("a", "me", NOW)
        assert begun is not None
        await put(index, film("Kept"), film("New"))
        assert set(await titles(index, "kept")) == {"Kept"}, "it answers meanwhile"
        assert set(await titles(index, "left over")) == {"Left over"}
        await index.finish_reindex(begun)
        assert await titles(index, "left over") == []
        assert await titles(index, "new") == ["New"]
        state = await index.state()
        assert (state.declared, state.documents, state.reindex) == ("a", 2, None)

    async def test_what_changes_meanwhile_is_there_at_the_end(self, index: SearchIndex) -> None:
        await put(index, film("Old", id="1"))
        begun = await index.begin_reindex("a", "me", NOW)
        assert begun is not None
        await put(index, film("Old", id="1"))  # by the reindex
        await put(index, film("Changed", id="1"), film("Added"))  # by a consumer
        await remove(index, ("film", "Added"))
        await put(index, film("Added later"))
        await index.finish_reindex(begun)
        assert await titles(index, "changed") == ["Changed"]
        assert await titles(index, "added") == ["Added later"]

    async def test_one_at_a_time_goes_on_with_it(self, index: SearchIndex) -> None:
        begun = await index.begin_reindex("a", "me", NOW)
        assert begun is not None
        assert await index.begin_reindex("a", "you", NOW + 1) is None
        await index.save_reindex(replace(begun, table=2, start=b"\x80here", done=7))
        taken = await index.begin_reindex("a", "you", NOW + LEASE_SECONDS + 1)
        assert taken is not None
        assert (taken.table, taken.start, taken.done, taken.since) == (
            2,
            b"\x80here",
            7,
            begun.since,
        )
        with pytest.raises(IndexReplaced):
            await index.save_reindex(begun)
        with pytest.raises(IndexReplaced):
            await index.finish_reindex(begun)
        state = await index.state()
        assert state.reindex == taken

    async def test_of_another_declaration_it_begins_anew(self, index: SearchIndex) -> None:
        begun = await index.begin_reindex("a", "me", NOW)
        assert begun is not None
        await index.save_reindex(replace(begun, table=2, done=7))
        other = await index.begin_reindex("b", "me", NOW)
        assert other is not None
        assert (other.table, other.done) == (0, 0)
        assert other.since > begun.since
