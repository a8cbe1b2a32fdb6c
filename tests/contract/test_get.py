import pytest

from commonroom.store import Store, put
from commonroom.store.errors import BadKey, BadText, Refused, UnknownTable
from tests.support.world import (
    Book,
    House,
    Leaflet,
    Name,
    Reading,
    Size,
    Unmade,
    book,
    fresh,
    fresh_number,
    house,
    house_books,
    name_holder,
)


class TestGet:
    async def test_gives_what_was_put_with_every_value_as_it_was(self, store: Store) -> None:
        thing = Book(
            house_id=fresh(),
            book_id="b",
            title="Ünïcode \u0000 \U0001f4da",
            owner_id="ann",
            shelf="tall",
            place=7,
            rank=2.5,
            lent_to="bob",
            lent_at="2026-01-01",
            pages=2**63 - 1,
            tags=["a", "", "a"],
            notes={"p. 3": "typo", "a.b[0]": "no path"},
            cover=bytes(range(256)),
            size=Size(height=1e-5),
            version=3,
        )

        await store.write(put(thing))

        assert await store.get(thing.ref) == thing

    async def test_gives_none_where_nothing_is(self, store: Store) -> None:
        assert await store.get(Book.at(house_id=fresh(), book_id="b")) is None

    async def test_takes_a_pattern_of_one_thing(self, store: Store) -> None:
        thing = Book(house_id=fresh(), book_id="b")
        await store.write(put(thing))

        assert await store.get(book(house_id=thing.house_id, book_id="b")) == thing

    async def test_takes_a_pattern_whose_sort_key_is_the_same_for_all(self, store: Store) -> None:
        thing = House(house_id=fresh(), title="Home")
        await store.write(put(thing))

        assert await store.get(house(house_id=thing.house_id)) == thing

    async def test_works_without_a_sort_key(self, store: Store) -> None:
        claim = Name(name=fresh(), holder="ann")
        await store.write(put(claim))

        assert await store.get(name_holder(name=claim.name)) == claim

    @pytest.mark.parametrize("moment", [0, -1, 0.1, 1e-20, -1e20, 123456789.125, 2**62])
    async def test_finds_numeric_keys_by_their_value(self, store: Store, moment: float) -> None:
        reading = Reading(sensor=fresh_number(), moment=moment, value=-0.5)
        await store.write(put(reading))

        assert await store.get(reading.ref) == reading

    async def test_takes_a_whole_number_and_the_same_as_a_fraction_for_one_key(
        self, store: Store
    ) -> None:
        sensor = fresh_number()
        await store.write(put(Reading(sensor=sensor, moment=1, value=1)))
        await store.write(put(Reading(sensor=sensor, moment=1.0, value=2)))

        assert await store.get(Reading.at(sensor=sensor, moment=1)) == Reading(
            sensor=sensor, moment=1.0, value=2
        )

    async def test_gives_none_where_another_kind_has_the_key(self, store: Store) -> None:
        leaflet = Leaflet(house_id=fresh(), book_id="b")
        await store.write(put(leaflet))

        assert await store.get(Book.at(house_id=leaflet.house_id, book_id="b")) is None
        assert await store.get(leaflet.ref) == leaflet

    async def test_refuses_a_pattern_of_many(self, store: Store) -> None:
        with pytest.raises(Refused, match="gives a page"):
            await store.get(house_books(house_id=fresh()))

    async def test_refuses_a_key_that_is_empty(self, store: Store) -> None:
        with pytest.raises(BadKey):
            await store.get(Name.at(name=""))

    async def test_refuses_a_key_of_another_type(self, store: Store) -> None:
        with pytest.raises(BadKey):
            await store.get(Reading.at(sensor="1", moment=1))

    async def test_refuses_half_a_character_in_a_key(self, store: Store) -> None:
        with pytest.raises(BadText):
            await store.get(Name.at(name="\ud83d"))

    async def test_names_the_table_that_is_not_there(self, store: Store) -> None:
        with pytest.raises(UnknownTable, match="Unmade"):
            await store.get(Unmade.at(id="a", part="b"))
