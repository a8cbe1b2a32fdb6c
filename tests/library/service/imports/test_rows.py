"""How many rows come together."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as some

from commonroom.library.rules.formats import EventRead, LibraryRow, LoanRead
from commonroom.library.service.imports.rows import MAX_TOGETHER, next_batch

EVENT = EventRead("LENT", "Ben", "2020-01-02T03:04:05.678Z")
BOOK = LibraryRow(number=2, kind="book")
LENT = LibraryRow(number=2, kind="book", loan=LoanRead("Ben"))
rows = some.builds(
    LibraryRow,
    number=some.just(2),
    kind=some.sampled_from(["book", "video", "collection", "history"]),
    loan=some.sampled_from([None, LoanRead("Ben")]),
    events=some.integers(0, 80).map(lambda number: [EVENT] * number),
)


def writes_of(row: LibraryRow) -> int:
    """An item, a code, a collection; its history; an event and a timer of its loan."""
    return 3 + len(row.events) + 2 * (row.loan is not None)


@given(some.lists(rows, min_size=1, max_size=40))
def test_they_are_the_first_and_fit_into_one_transaction(waiting: list[LibraryRow]) -> None:
    taken = next_batch(waiting)
    assert list(taken) == waiting[: len(taken)]
    assert 1 <= len(taken) <= MAX_TOGETHER
    assert 4 + sum(map(writes_of, taken)) <= 100


@given(some.lists(rows, min_size=1, max_size=40))
def test_all_else_than_items_comes_alone(waiting: list[LibraryRow]) -> None:
    taken = next_batch(waiting)
    assert len(taken) == 1 or all(row.is_item for row in taken)


def test_as_many_as_fit() -> None:
    assert len(next_batch([BOOK] * 100)) == MAX_TOGETHER
    assert len(next_batch([LENT] * 100)) == 96 // 5
