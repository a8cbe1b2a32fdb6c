from __future__ import annotations

from commonroom.store import Store, create, delete, put
from tests.support.world import Book, fresh


class TestTheChangeNumber:
    async def test_stays_the_same_while_things_are_only_read(self, store: Store) -> None:
        book = Book(house_id=fresh(), book_id="b")
        await store.write(put(book))
        before = store.engine.change_number()

        assert await store.get(book.ref) == book

        assert store.engine.change_number() == before

    async def test_is_another_after_every_change_unless_nobody_knows_it(self, store: Store) -> None:
        book = Book(house_id=fresh(), book_id="b")
        longer = Book(house_id=book.house_id, book_id="b", pages=1)
        seen = [store.engine.change_number()]
        for write in (create(book), put(longer), delete(longer)):
            await store.write(write)
            seen.append(store.engine.change_number())

        known = store.engine.name == "embedded"
        assert len(set(seen)) == 4 if known else set(seen) == {None}
