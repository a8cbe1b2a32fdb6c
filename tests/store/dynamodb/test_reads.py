import msgspec
import pytest

from commonroom.store.dynamodb import DynamoEngine
from commonroom.store.dynamodb.connection import Connection
from commonroom.store.engine import ItemDecoder, Query, SortRange
from commonroom.store.errors import BadCursor, DamagedItem, Unavailable
from commonroom.store.values import Item
from tests.store.dynamodb.samples import (
    PLAIN,
    Clock,
    book,
    numbered,
    of_kinds,
    put,
    query,
    shelf,
    timed,
)
from tests.store.dynamodb.standin import Answer, StandIn


class Numbered(msgspec.Struct):
    Id: str
    At: int


class TestGet:
    async def test_nothing_is_none(self, engine: DynamoEngine) -> None:
        assert await engine.get(shelf, ("p", "1"), PLAIN) is None

    async def test_an_item_comes_back_as_it_was_written(self, engine: DynamoEngine) -> None:
        item = book(
            "1", Text="ä", Float=0.1, Whole=-5, Yes=True, Bytes=b"\0", Deep={"a": [None, {}]}
        )
        await engine.write([put(shelf, item)])
        assert await engine.get(shelf, ("p", "1"), PLAIN) == item

    async def test_a_number_key_is_a_number(self, engine: DynamoEngine) -> None:
        await engine.write([put(numbered, {"Id": "x", "At": 5})])
        assert await engine.get(numbered, ("x", 5.0), PLAIN) == {"Id": "x", "At": 5}

    async def test_another_kind_is_none(self, engine: DynamoEngine) -> None:
        await engine.write([put(shelf, book("1"))])
        assert await engine.get(shelf, ("p", "1"), of_kinds("VIDEO")) is None
        assert await engine.get(shelf, ("p", "1"), of_kinds("BOOK", "VIDEO")) is not None

    async def test_an_expired_item_is_none(self, engine: DynamoEngine, clock: Clock) -> None:
        await engine.write([put(timed, {"Id": "x", "Until": clock.now + 1})])
        assert await engine.get(timed, ("x",), PLAIN) is not None
        clock.now += 1
        assert await engine.get(timed, ("x",), PLAIN) is None

    async def test_what_does_not_fit_its_type_is_said(self, engine: DynamoEngine) -> None:
        await engine.write([put(numbered, {"Id": "x", "At": 1.5})])
        decoder = ItemDecoder(lambda _: None, lambda item: msgspec.convert(item, Numbered))
        with pytest.raises(DamagedItem, match="Numbered cannot be decoded"):
            await engine.get(numbered, ("x", 1.5), decoder)


class TestBatchGet:
    async def test_items_come_in_the_order_asked(self, engine: DynamoEngine, clock: Clock) -> None:
        await engine.load(shelf, [book(str(number)) for number in range(60)])
        await engine.load(timed, [{"Id": "gone", "Until": clock.now}, {"Id": "here"}])
        wanted = [
            (shelf, ("p", "7")),
            (timed, ("here",)),
            (timed, ("gone",)),
            (shelf, ("p", "none")),
            (shelf, ("p", "3")),
            (shelf, ("p", "7")),
        ]
        assert await engine.batch_get(wanted) == [
            book("7"),
            {"Id": "here"},
            None,
            None,
            book("3"),
            book("7"),
        ]

    async def test_a_hundred_large_items_are_followed_up(self, engine: DynamoEngine) -> None:
        # More than the 16 MB that one answer may hold.
        items = [book(str(number), Text="x" * 200_000) for number in range(100)]
        await engine.load(shelf, items)
        found = await engine.batch_get([(shelf, ("p", str(number))) for number in range(100)])
        assert found == items

    async def test_nothing_asked_is_nothing_found(self, standin: StandIn) -> None:
        async with DynamoEngine(Connection(standin.settings())) as engine:
            assert await engine.batch_get([]) == []
        assert standin.requests == []

    async def test_unprocessed_keys_are_asked_for_again(self, standin: StandIn) -> None:
        one, two = ({"PK": {"S": "p"}, "SK": {"S": sort}} for sort in "12")
        left = {"Shelf": {"Keys": [two], "ConsistentRead": True}}
        standin.answer(
            Answer({"Responses": {"Shelf": [one]}, "UnprocessedKeys": left}),
            Answer({"Responses": {}, "UnprocessedKeys": left}),
            Answer({"Responses": {"Shelf": [two]}, "UnprocessedKeys": {}}),
        )
        async with DynamoEngine(Connection(standin.settings())) as engine:
            found = await engine.batch_get([(shelf, ("p", "2")), (shelf, ("p", "1"))])
        assert found == [{"PK": "p", "SK": "2"}, {"PK": "p", "SK": "1"}]
        assert [request.payload["RequestItems"] for request in standin.requests[1:]] == [left] * 2

    async def test_keys_that_stay_unprocessed_are_given_up(self, standin: StandIn) -> None:
        left = {"Shelf": {"Keys": [{"PK": {"S": "p"}, "SK": {"S": "1"}}]}}
        standin.answer(*[Answer({"Responses": {}, "UnprocessedKeys": left})] * 1000)
        with pytest.raises(Unavailable, match="unread"):
            async with DynamoEngine(Connection(standin.settings(seconds=0.2))) as engine:
                await engine.batch_get([(shelf, ("p", "1"))])


async def sorts(
    engine: DynamoEngine, asked: Query, decoder: ItemDecoder[Item] = PLAIN
) -> list[str]:
    return [item["SK"] for item in (await engine.query(asked, decoder)).items]


async def walked(
    engine: DynamoEngine, asked: Query, decoder: ItemDecoder[Item] = PLAIN
) -> list[list[Item]]:
    """Every page of a query."""
    pages = []
    start: Item | None = None
    while True:
        going_on = Query(
            asked.table, asked.index, asked.partition, asked.sort, asked.forward, asked.limit, start
        )
        rows = await engine.query(going_on, decoder)
        pages.append(rows.items)
        start = rows.next
        if start is None:
            return pages


class TestRanges:
    @pytest.mark.parametrize(
        "sort, found",
        [
            (None, "a ab b c"),
            (SortRange("=", "ab"), "ab"),
            (SortRange("<", "b"), "a ab"),
            (SortRange("<=", "b"), "a ab b"),
            (SortRange(">", "ab"), "b c"),
            (SortRange(">=", "ab"), "ab b c"),
            (SortRange("begins_with", "a"), "a ab"),
            (SortRange("begins_with", ""), "a ab b c"),
            (SortRange("between", "ab", "b"), "ab b"),
            (SortRange("between", "b", "ab"), ""),
        ],
    )
    async def test_a_range_of_sort_keys(
        self, engine: DynamoEngine, sort: SortRange | None, found: str
    ) -> None:
        await engine.load(shelf, [book(sort) for sort in ("c", "a", "b", "ab")])
        assert await sorts(engine, query(shelf, "p", sort)) == found.split()
        backward = query(shelf, "p", sort, forward=False)
        assert await sorts(engine, backward) == found.split()[::-1]

    async def test_numbers_sort_as_numbers(self, engine: DynamoEngine) -> None:
        await engine.load(numbered, [{"Id": "x", "At": at} for at in (10, 9, -1, 1.5)])
        rows = await engine.query(query(numbered, "x", SortRange(">", -1)), PLAIN)
        assert [item["At"] for item in rows.items] == [1.5, 9, 10]

    async def test_another_partition_is_not_touched(self, engine: DynamoEngine) -> None:
        await engine.load(shelf, [book("1"), {**book("2"), "PK": "q"}])
        assert await sorts(engine, query(shelf, "q")) == ["2"]


class TestPages:
    @pytest.mark.parametrize("forward", [True, False])
    async def test_pages_are_full_and_the_last_has_no_next(
        self, engine: DynamoEngine, forward: bool
    ) -> None:
        await engine.load(shelf, [book(str(number)) for number in range(6)])
        pages = await walked(engine, query(shelf, "p", limit=3, forward=forward))
        found = [[item["SK"] for item in page] for page in pages]
        wanted = [["0", "1", "2"], ["3", "4", "5"]]
        assert found == (wanted if forward else [["5", "4", "3"], ["2", "1", "0"]])

    async def test_the_next_page_is_named_by_key_attributes(self, engine: DynamoEngine) -> None:
        await engine.load(
            shelf, [book(str(number), G1="g", Title=f"t{number}") for number in (1, 2)]
        )
        through_table = await engine.query(query(shelf, "p", limit=1), PLAIN)
        assert through_table.next == {"PK": "p", "SK": "1"}
        through_index = await engine.query(query(shelf, "g", index="ByTitle", limit=1), PLAIN)
        assert through_index.next == {"G1": "g", "Title": "t1", "PK": "p", "SK": "1"}

    async def test_items_with_one_sort_key_are_all_found(self, engine: DynamoEngine) -> None:
        await engine.load(shelf, [book(str(number), G1="g", Title="same") for number in range(7)])
        pages = await walked(engine, query(shelf, "g", index="ByTitle", limit=2))
        found = {item["SK"] for page in pages for item in page}
        assert (len(pages), found) == (4, set("0123456"))

    async def test_a_page_that_the_filter_shortened_still_has_a_next(
        self, engine: DynamoEngine
    ) -> None:
        kinds = ["BOOK", "VIDEO", "VIDEO", "VIDEO", "BOOK"]
        items = [{**book(str(place)), "Kind": kind} for place, kind in enumerate(kinds)]
        await engine.load(shelf, items)
        first = await engine.query(query(shelf, "p", limit=2), of_kinds("BOOK"))
        assert [item["SK"] for item in first.items] == ["0"]
        assert first.next == {"PK": "p", "SK": "2"}
        pages = await walked(engine, query(shelf, "p", limit=2), of_kinds("BOOK"))
        assert [item["SK"] for page in pages for item in page] == ["0", "4"]

    async def test_a_full_page_after_the_filter_goes_on_after_its_last(
        self, engine: DynamoEngine
    ) -> None:
        await engine.load(shelf, [book(str(number)) for number in range(4)])
        first = await engine.query(query(shelf, "p", limit=2), of_kinds("BOOK"))
        assert first.next == {"PK": "p", "SK": "1"}

    async def test_a_megabyte_ends_a_page(self, engine: DynamoEngine) -> None:
        await engine.load(shelf, [book(str(number), Text="x" * 300_000) for number in range(5)])
        pages = await walked(engine, query(shelf, "p"))
        assert len(pages) > 1
        assert [item["SK"] for page in pages for item in page] == list("01234")

    async def test_a_position_in_another_partition_is_refused(self, engine: DynamoEngine) -> None:
        with pytest.raises(BadCursor):
            await engine.query(query(shelf, "p", start={"PK": "q", "SK": "1"}), PLAIN)


class TestIndexes:
    async def test_only_items_with_its_keys_are_in_an_index(self, engine: DynamoEngine) -> None:
        await engine.load(shelf, [book("1", G1="g", Title="b"), book("2", G1="g"), book("3")])
        assert await sorts(engine, query(shelf, "g", index="ByTitle")) == ["1"]

    async def test_a_keys_only_index_gives_keys(self, engine: DynamoEngine) -> None:
        await engine.load(shelf, [book(str(rank), G2="g", Rank=rank, Text="x") for rank in (2, 10)])
        rows = await engine.query(query(shelf, "g", index="KeysOnly", limit=1), of_kinds("BOOK"))
        assert rows.items == [{"PK": "p", "SK": "2", "G2": "g", "Rank": 2}]
        assert rows.next == rows.items[0]

    async def test_kinds_are_told_apart_by_an_index_on_the_kind(self, engine: DynamoEngine) -> None:
        await engine.load(shelf, [book("1"), {**book("2"), "Kind": "VIDEO"}])
        asked = query(shelf, "VIDEO", index="ByKind")
        assert await sorts(engine, asked, of_kinds("VIDEO")) == ["2"]
        assert await sorts(engine, asked, of_kinds("BOOK")) == []


class TestExpiry:
    async def test_expired_items_are_left_out(self, engine: DynamoEngine, clock: Clock) -> None:
        times = {"past": clock.now - 1, "now": clock.now, "future": clock.now + 1}
        items = [{"Id": name, "Group": "g", "Until": time} for name, time in times.items()]
        await engine.load(timed, items)
        for name, found in (("past", 0), ("now", 0), ("future", 1)):
            assert len((await engine.query(query(timed, name), PLAIN)).items) == found

    async def test_they_are_left_out_where_the_time_is_the_sort_key(
        self, engine: DynamoEngine, clock: Clock
    ) -> None:
        items = [{"Id": str(more), "Group": "g", "Until": clock.now + more} for more in (-1, 0, 1)]
        await engine.load(timed, items)
        rows = await engine.query(query(timed, "g", index="ByUntil", limit=1), PLAIN)
        assert (rows.items, rows.next) == ([], {"Id": "0", "Group": "g", "Until": clock.now})
        pages = await walked(engine, query(timed, "g", index="ByUntil", limit=1))
        assert [item["Id"] for page in pages for item in page] == ["1"]

    async def test_a_keys_only_index_cannot_know(self, engine: DynamoEngine, clock: Clock) -> None:
        await engine.load(timed, [{"Id": "x", "Group": "g", "Until": clock.now}])
        rows = await engine.query(query(timed, "g", index="TimedKeys"), PLAIN)
        assert rows.items == [{"Id": "x", "Group": "g"}]


class TestScan:
    async def test_everything_is_found_page_by_page(
        self, engine: DynamoEngine, clock: Clock
    ) -> None:
        await engine.load(timed, [{"Id": str(number)} for number in range(7)])
        await engine.load(timed, [{"Id": "gone", "Until": clock.now}])
        found = []
        start: Item | None = None
        while True:
            rows = await engine.scan(timed, limit=3, start=start)
            assert len(rows.items) <= 3
            found += [item["Id"] for item in rows.items]
            start = rows.next
            if start is None:
                break
        assert sorted(found) == list("0123456")
