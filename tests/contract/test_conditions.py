import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from commonroom.store import (
    Condition,
    ConditionFailed,
    Store,
    above,
    absent,
    at_least,
    at_most,
    below,
    check,
    equal,
    includes,
    new,
    one_of,
    present,
    put,
    stored,
    unequal,
)
from commonroom.store.engine import Engine, WriteOperation
from commonroom.store.errors import BadNumber, BadText, UnknownField
from tests.support.budget import examples
from tests.support.conditions import conditions, items
from tests.support.world import Book, Size, fresh, names

BOOK = Book(
    house_id="h",
    book_id="b",
    title="Middle",
    pages=10,
    rank=1.5,
    tags=["red", "blue"],
    notes={"1": "one"},
    cover=b"\x80",
    size=Size(height=2),
)

HOLD: dict[str, Condition] = {
    "stored": stored,
    "present": present("title", "pages"),
    "absent": absent("lent_to", "lent_at"),
    "equal text": equal(title="Middle"),
    "equal number, as another type of number": equal(pages=10.0),
    "equal fraction": equal(rank=1.5),
    "equal list": equal(tags=["red", "blue"]),
    "equal map": equal(notes={"1": "one"}),
    "equal bytes": equal(cover=b"\x80"),
    "equal struct": equal(size=Size(height=2)),
    "equal none": equal(lent_to=None),
    "equal several": equal(title="Middle", pages=10, lent_to=None),
    "unequal": unequal(title="Other"),
    "unequal where absent": unequal(lent_to="bob"),
    "unequal none": unequal(title=None),
    "below": below(pages=11, title="Middlf"),
    "at most": at_most(pages=10, title="Middle"),
    "above": above(pages=9, cover=b"\x7f"),
    "at least": at_least(pages=10, cover=b"\x80"),
    "one of": one_of("title", "Other", "Middle"),
    "includes": includes(tags="red"),
    "and": equal(pages=10) & present("title"),
    "or": equal(pages=11) | present("title"),
    "not": ~equal(pages=11),
    "not below where absent": ~below(lent_to="z"),
    "nested": ~(equal(pages=11) | (present("title") & ~stored)),
}

FAIL: dict[str, Condition] = {
    "new": new,
    "present, one of them": present("title", "lent_to"),
    "absent, one of them": absent("title", "lent_to"),
    "equal text": equal(title="middle"),
    "equal where absent": equal(lent_to="bob"),
    "equal list in another order": equal(tags=["blue", "red"]),
    "equal, one of them": equal(title="Middle", pages=11),
    "equal none": equal(title=None),
    "unequal": unequal(title="Middle"),
    "unequal none": unequal(lent_to=None),
    "unequal, one of them": unequal(title="Middle", pages=11),
    "below": below(pages=10),
    "at most": at_most(pages=9),
    "above": above(title="Middle"),
    "at least": at_least(title="Middlf"),
    "below where absent": below(lent_to="z"),
    "above where absent": above(lent_to="a"),
    "of another type": at_least(pages="1"),
    "one of": one_of("title", "Other", "Another"),
    "one of none": one_of("title"),
    "includes": includes(tags="green"),
    "includes a part of a text": includes(title="Mid"),
    "includes where absent": includes(lent_to="b"),
    "and": equal(pages=10) & absent("title"),
    "or": equal(pages=11) | absent("title"),
    "not": ~stored,
}


class TestConditions:
    @pytest.mark.parametrize("name", HOLD)
    async def test_that_hold_let_a_write_happen(self, store: Store, name: str) -> None:
        book = Book.from_item(BOOK.to_item() | {"HouseId": fresh()})
        await store.write(put(book))

        await store.write(check(book, if_=HOLD[name]))

    @pytest.mark.parametrize("name", FAIL)
    async def test_that_do_not_hold_stop_it(self, store: Store, name: str) -> None:
        book = Book.from_item(BOOK.to_item() | {"HouseId": fresh()})
        await store.write(put(book))

        with pytest.raises(ConditionFailed) as caught:
            await store.write(check(book, if_=FAIL[name]))

        assert caught.value.entity == book

    @pytest.mark.parametrize(
        "condition, holds",
        [
            (new, True),
            (stored, False),
            (absent("title"), True),
            (present("title"), False),
            (equal(title=None), True),
            (equal(title="x"), False),
            (unequal(title="x"), True),
            (unequal(title=None), False),
            (below(pages=1), False),
            (~below(pages=1), True),
            (includes(tags="x"), False),
            (one_of("title", "x"), False),
        ],
    )
    async def test_of_nothing_at_all_see_every_field_absent(
        self, store: Store, condition: Condition, holds: bool
    ) -> None:
        ref = Book.at(house_id=fresh(), book_id="b")

        if holds:
            await store.write(check(ref, if_=condition))
        else:
            with pytest.raises(ConditionFailed):
                await store.write(check(ref, if_=condition))

    async def test_on_a_list_of_structs_compare_what_is_stored(self, store: Store) -> None:
        book = Book(house_id=fresh(), book_id="b", editions=[Size(height=1), Size(height=2)])
        await store.write(put(book))

        await store.write(check(book, if_=includes(editions=Size(height=2))))
        with pytest.raises(ConditionFailed):
            await store.write(check(book, if_=includes(editions=Size(height=3))))

    async def test_on_a_field_that_there_is_not_are_refused(self) -> None:
        with pytest.raises(UnknownField, match="Book has no field author"):
            put(BOOK, if_=equal(author="ann"))

    async def test_with_values_that_cannot_be_stored_are_refused(self, store: Store) -> None:
        with pytest.raises(BadNumber):
            await store.write(check(BOOK, if_=equal(rank=float("nan"))))
        with pytest.raises(BadNumber):
            await store.write(check(BOOK, if_=~(above(rank=float("inf")) | stored)))
        with pytest.raises(BadNumber):
            await store.write(check(BOOK, if_=includes(tags=2**70)))
        with pytest.raises(BadText):
            await store.write(check(BOOK, if_=equal(title="\ud800")))

    @settings(
        max_examples=examples(150), suppress_health_check=[HealthCheck.function_scoped_fixture]
    )
    @given(item=items, several=st.lists(conditions, min_size=1, max_size=6))
    async def test_of_any_shape_mean_the_same_everywhere(
        self, engine: Engine, item: dict[str, object] | None, several: list[Condition]
    ) -> None:
        key = (fresh(),)
        whole = None if item is None else {"Name": key[0], **item}
        if whole is not None:
            await engine.write([WriteOperation("put", names, key, item=whole)])
        for condition in several:
            operations = [WriteOperation("check", names, key, condition)]
            if condition.holds(whole):
                await engine.write(operations)
            else:
                with pytest.raises(ConditionFailed) as caught:
                    await engine.write(operations)
                assert caught.value.item == whole
