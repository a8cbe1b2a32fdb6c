from commonroom.store import Store, put
from commonroom.store.limits import OPERATIONS
from tests.support import world
from tests.support.world import Book, fresh


async def test_all_that_is_found_is_deleted_and_nothing_else(store: Store) -> None:
    owner, other = fresh(), fresh()
    books = [
        Book(house_id=fresh(), book_id=f"{n}", owner_id=owner, rank=float(n))
        for n in range(OPERATIONS + 1)
    ]
    kept = Book(house_id=fresh(), book_id="kept", owner_id=other, rank=1.0)
    await store.write(*(put(one) for one in books[:OPERATIONS]))
    await store.write(put(books[-1]), put(kept))

    await store.delete_all(world.ranked(owner_id=owner))

    assert [one async for one in store.all(world.ranked(owner_id=owner))] == []
    assert await store.get(kept.ref) == kept
