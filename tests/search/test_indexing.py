"""Documents follow what is stored, on both store engines, whatever order things happen in."""

from __future__ import annotations

from contextlib import suppress

import pytest
from msgspec.structs import replace

from commonroom.hangouts.tables import Hangout
from commonroom.search.embedded.engine import EmbeddedIndex
from commonroom.search.index import IndexReplaced, SearchIndex, SearchUnavailable
from commonroom.search.queries import SearchQuery
from commonroom.store import Store, StoreError, counting, delete, put, update
from commonroom.store.streams import Change, Worker
from commonroom.store.streams.lease import LeaseLost
from commonroom.titles.tables import Show
from tests.search.documents import titles
from tests.search.things import AT, a_list, follow, indexer_of, movie, profile
from tests.support.hostile_engine import HostileEngine, Hostility


@pytest.fixture
def store(either: Store) -> Store:
    return either


async def test_what_is_stored_is_found_and_follows_its_changes(
    store: Store, index: SearchIndex
) -> None:
    indexer = indexer_of(store, index)
    film = movie("m1", "The Lighthouse Keeper")
    await store.write(put(film), put(a_list("l1", "Rainy evenings")), put(profile("ada", "maya")))
    await follow(indexer)
    assert await titles(index, "lighthouse") == ["The Lighthouse Keeper"]
    assert await titles(index, "rainy") == ["Rainy evenings"]
    assert await titles(index, "maya") == ["maya"]

    await store.write(update(film, title="The Windmill Keeper"))
    await follow(indexer)
    assert await titles(index, "lighthouse") == []
    assert await titles(index, "windmill") == ["The Windmill Keeper"]

    await store.write(delete(film))
    await follow(indexer)
    assert await titles(index, "windmill") == []


async def test_a_change_that_search_does_not_know_of_costs_it_nothing(
    store: Store, index: SearchIndex
) -> None:
    indexer = indexer_of(store, index)
    before = Hangout(
        hangout_id="h1",
        title="Picnic",
        created_by="ada",
        invited_user_ids=["ada"],
        created_at=AT,
        updated_at=AT,
    )
    await store.write(put(before))
    await follow(indexer)
    assert await titles(index, "picnic", audience=("user#ada",)) == ["Picnic"]
    answered = replace(before, going_count=3)
    change = Change(Hangout, "modify", before.ref.key, before, answered, 0.0, by_ttl=False)
    with counting() as count:
        await indexer.follow(store, change)
    assert count.requests == 0


async def test_a_result_leads_to_its_page(store: Store, index: SearchIndex) -> None:
    show = Show(show_id="s1", title="Lighthouses", start_year=2020, created_at=AT, updated_at=AT)
    await store.write(put(movie("m1", "Lighthouse")), put(show))
    await store.write(
        put(a_list("l1", "Lighthouse films")), put(profile("ada", "lighthousekeeper"))
    )
    await follow(indexer_of(store, index))
    hits = await index.search(SearchQuery(text="lighthouse"))
    assert {hit.document.kind: hit.document.address for hit in hits} == {
        "film": "/films/m1",
        "show": "/shows/s1",
        "list": "/lists/l1",
        "curator": "/curators/lighthousekeeper",
    }


async def test_what_is_private_never_enters(store: Store, index: SearchIndex) -> None:
    indexer = indexer_of(store, index)
    await store.write(
        put(a_list("l1", "Rainy private", is_public=False)),
        put(a_list("l2", "Rainy suspended", curator_status="suspended")),
        put(profile("a", "rainypending", curator_status="pending")),
        put(profile("b", "rainynobody", curator_status=None, is_curator=False)),
        put(profile("c", "rainysuspended", curator_status="suspended")),
    )
    await follow(indexer)
    assert await titles(index, "rainy") == []
    assert (await index.state()).documents == 0


async def test_what_turns_private_is_gone_and_comes_back(store: Store, index: SearchIndex) -> None:
    indexer, rainy = indexer_of(store, index), a_list("l1", "Rainy evenings")
    curator = profile("ada", "rainymaya")
    await store.write(put(rainy), put(curator))
    await follow(indexer)
    assert len(await titles(index, "rainy")) == 2

    await store.write(update(rainy, is_public=False))
    await store.write(update(curator, curator_status="suspended"))
    await follow(indexer)
    assert await titles(index, "rainy") == []

    again = await store.get(rainy.ref)
    assert again is not None
    await store.write(update(again, is_public=True))
    await follow(indexer)
    assert await titles(index, "rainy") == ["Rainy evenings"]


async def test_a_stored_title_goes_before_the_built_in_one_which_comes_back_after_it(
    store: Store, index: SearchIndex
) -> None:
    indexer = indexer_of(store, index)
    await indexer.refresh([("film", "603")])
    assert await titles(index, "matrix", limit=1) == ["The Matrix"]
    mine = movie("603", "The Matrix, my copy", rating_count=3)
    await store.write(put(mine))
    await follow(indexer)
    assert await titles(index, "matrix") == ["The Matrix, my copy"]
    await store.write(delete(mine))
    await follow(indexer)
    assert await titles(index, "matrix") == ["The Matrix"]


async def test_a_change_that_comes_late_or_twice_does_no_harm(
    store: Store, index: SearchIndex
) -> None:
    indexer = indexer_of(store, index)
    before, after = movie("m1", "Before"), movie("m1", "After")
    await store.write(put(after))
    insert = Change(type(before), "insert", before.ref.key, None, before, 0.0, by_ttl=False)
    modify = Change(type(before), "modify", before.ref.key, before, after, 1.0, by_ttl=False)
    for change in (modify, insert, modify, insert, insert):
        await indexer.follow(store, change)
    assert await titles(index, "after") == ["After"]
    assert await titles(index, "before") == []


async def test_two_at_once_leave_the_newest(store: Store, index: SearchIndex) -> None:
    """One reads, is held up, and writes long after another has read and written something newer."""
    indexer, film = indexer_of(store, index), movie("m1", "Public at first")
    await store.write(put(film))
    ticket = await index.ticket()
    seen = await indexer.documents([("film", "m1")])
    await store.write(delete(film))
    await indexer.refresh([("film", "m1")])
    await index.apply(ticket, seen)
    assert await titles(index, "public") == []


async def test_an_index_that_is_lost_between_reading_and_writing_gets_it_all_the_same(
    embedded: Store, embedded_index: EmbeddedIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    indexer = indexer_of(embedded, embedded_index)
    await embedded.write(put(movie("m1", "Kept")))
    reading = indexer.documents
    lost: list[bool] = []

    async def lose(keys: object) -> object:
        if not lost:
            lost.append(True)
            embedded_index.path.unlink()
        return await reading(keys)  # type: ignore[arg-type]

    monkeypatch.setattr(indexer, "documents", lose)
    await follow(indexer)
    assert await titles(embedded_index, "kept") == ["Kept"]


async def test_it_gives_up_where_the_index_is_lost_again_and_again(
    embedded: Store, embedded_index: EmbeddedIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def replaced(*_: object) -> None:
        raise IndexReplaced("again")

    monkeypatch.setattr(embedded_index, "apply", replaced)
    with pytest.raises(IndexReplaced):
        await indexer_of(embedded, embedded_index).refresh([("film", "603")])


async def test_changes_wait_for_an_index_that_cannot_be_asked(
    embedded: Store, embedded_index: EmbeddedIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    indexer = indexer_of(embedded, embedded_index)
    await embedded.write(put(movie("m1", "Patience")))

    async def unavailable() -> None:
        raise SearchUnavailable("It is away.")

    now = [1000.0]
    worker = Worker(embedded, [indexer.consumer], clock=lambda: now[0])
    with monkeypatch.context() as patch:
        patch.setattr(embedded_index, "ticket", unavailable)
        await worker.drain()
        for _ in range(20):
            now[0] += 400
            await worker.drain()
    assert await titles(embedded_index, "patience") == []
    now[0] += 400
    await worker.drain()
    assert await titles(embedded_index, "patience") == ["Patience"]


@pytest.mark.parametrize("seed", range(3))
async def test_under_a_hostile_store_the_index_has_in_the_end_what_is_stored(
    embedded: Store, embedded_index: EmbeddedIndex, seed: int
) -> None:
    trouble = Hostility(
        throttled_reads=0.1, lost_answers=0.1, late_records=0.3, repeated_records=0.3
    )
    hostile = Store(HostileEngine(embedded.engine, seed=seed, hostility=trouble))
    indexer = indexer_of(hostile, embedded_index)
    films = [movie(f"m{n}", f"Storm {n}") for n in range(20)]
    await embedded.write(*map(put, films))
    await embedded.write(*(update(one, title=f"Calm {one.movie_id}") for one in films[:10]))
    await embedded.write(*map(delete, films[15:]))
    now = [1000.0]

    def clock() -> float:
        return now[0]

    worker = Worker(hostile, [indexer.consumer], clock=clock, monotonic=clock)
    for _ in range(30):
        with suppress(StoreError, LeaseLost):
            await worker.drain()
        now[0] += 400
    assert len(await titles(embedded_index, "calm", limit=50)) == 10
    assert len(await titles(embedded_index, "storm", limit=50)) == 5
