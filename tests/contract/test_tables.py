from commonroom.store import Store, Table, put
from commonroom.store.engine import Engine
from tests.support.world import TABLES, Name, fresh, unmade


class TestTables:
    async def test_that_are_there_are_not_missing(self, engine: Engine) -> None:
        assert await engine.missing_tables(TABLES) == []

    async def test_that_are_not_there_are_missing_in_the_order_asked(self, engine: Engine) -> None:
        other = Table("Other", room="tests", partition="Id")

        assert await engine.missing_tables([unmade, *TABLES, other]) == ["Unmade", "Other"]

    async def test_that_are_there_are_not_created_again(self, store: Store) -> None:
        name = Name(name=fresh(), holder="ann")
        await store.write(put(name))
        await store.engine.create_tables(TABLES)

        assert await store.engine.create_tables(TABLES) == []
        assert await store.get(name.ref) == name
