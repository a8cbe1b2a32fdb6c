"""What a book and a video have, and what each of it may be."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.errors import InvalidField
from commonroom.library.rules.items import code_of, fit, isbn, place, thirteen
from commonroom.library.tables import Book, Video
from commonroom.library.tables.items import place_on_shelf

BOTH: list[tuple[str, Any]] = [
    ("title", "x" * 300),
    ("title", "🎬" * 100),
    ("title", "#"),
    ("summary", "x" * 4000),
    ("summary", None),
    ("picture_url", "https://example.org/cover.jpg"),
    ("picture_url", None),
]
BOOK: list[tuple[str, Any]] = [
    ("authors", []),
    ("authors", ["x" * 100] * 50),
    ("isbn", "9780261103252"),
    ("isbn", None),
]
VIDEO: list[tuple[str, Any]] = [
    ("directors", ["x" * 100] * 50),
    ("cast", ["x"] * 5),
    ("release_year", 1800),
    ("release_year", 2100),
    ("release_year", None),
    ("duration", 0),
    ("duration", 1000),
    ("tmdb_id", 603),
]
UNFIT_BOTH: list[tuple[str, Any]] = [
    ("title", ""),
    ("title", None),
    ("title", "x" * 301),
    ("summary", "x" * 4001),
    ("picture_url", "http://example.org/cover.jpg"),
    ("picture_url", "javascript:alert(1)"),
    ("picture_url", "https://"),
    ("picture_url", "https://[example"),
    ("picture_url", "https://example.org/" + "x" * 2000),
]
UNFIT_BOOK: list[tuple[str, Any]] = [
    ("authors", ["x"] * 51),
    ("authors", ["x" * 101]),
    ("authors", [""]),
    ("isbn", "9780261103253"),
    ("directors", ["Ada"]),
    ("cast", ["Ada"]),
    ("release_year", 1999),
    ("duration", 90),
    ("tmdb_id", 603),
    ("lent_to", "Ben"),
    ("owner_id", "EVE"),
]
UNFIT_VIDEO: list[tuple[str, Any]] = [
    ("directors", ["x"] * 51),
    ("cast", ["x"] * 6),
    ("cast", ["x" * 101]),
    ("release_year", 1799),
    ("release_year", 2101),
    ("duration", -1),
    ("duration", 1001),
    ("tmdb_id", 0),
    ("authors", ["Ada"]),
    ("isbn", "9780261103252"),
]


@pytest.mark.parametrize("field, value", [*BOTH, *BOOK])
def test_a_book_takes(field: str, value: Any) -> None:
    assert fit(Book, {field: value}) == {field: value}


@pytest.mark.parametrize("field, value", [*BOTH, *VIDEO])
def test_a_video_takes(field: str, value: Any) -> None:
    assert fit(Video, {field: value}) == {field: value}


@pytest.mark.parametrize("field, value", [*UNFIT_BOTH, *UNFIT_BOOK])
def test_a_book_does_not_take(field: str, value: Any) -> None:
    with pytest.raises(InvalidField) as refused:
        fit(Book, {field: value})
    assert refused.value.field == field


@pytest.mark.parametrize("field, value", [*UNFIT_BOTH, *UNFIT_VIDEO])
def test_a_video_does_not_take(field: str, value: Any) -> None:
    with pytest.raises(InvalidField) as refused:
        fit(Video, {field: value})
    assert refused.value.field == field


@pytest.mark.parametrize("order", [1, 1000, None])
def test_a_place_is_from_1_to_1000(order: int | None) -> None:
    assert place(order) == order


@pytest.mark.parametrize("order", [0, -1, 1001])
def test_no_other_number_is_a_place(order: int) -> None:
    with pytest.raises(InvalidField, match="1 to 1000"):
        place(order)


class TestTheCode:
    PLACE: ClassVar[dict[str, Any]] = {
        "owner_id": "O",
        "library_id": "L",
        "item_id": "I",
        "account_id": "a",
    }

    def test_of_a_book_is_its_isbn_in_either_form(self) -> None:
        ten = Book(**self.PLACE, title="T", isbn="0261103253")
        thirteen = Book(**self.PLACE, title="T", isbn="9780261103252")
        assert code_of(ten) == code_of(thirteen) == "isbn-9780261103252"

    def test_of_a_video_is_its_tmdb_id(self) -> None:
        assert code_of(Video(**self.PLACE, title="T", tmdb_id=603)) == "tmdb-603"

    def test_is_missing_where_neither_is_known(self) -> None:
        assert code_of(Book(**self.PLACE, title="T")) is None
        assert code_of(Video(**self.PLACE, title="T")) is None


@pytest.mark.parametrize(
    "order, kept", [(None, None), (1, 1), (2.0, 2), (1.5, 1.5), (0.25, 0.25), (1000, 1000)]
)
def test_a_place_is_whole_or_between_two(order: float | None, kept: float | None) -> None:
    assert place(order) == kept
    assert type(place(order)) is type(kept)


@pytest.mark.parametrize("order", [0, -1, 1001, 1000.5, 1.005, 0.001, float("nan"), float("inf")])
def test_what_is_no_place_is_refused(order: float) -> None:
    with pytest.raises(InvalidField):
        place(order)


@given(st.lists(st.decimals("0.01", "1000", places=2).map(float), min_size=2, max_size=2))
def test_places_stand_on_the_shelf_as_their_numbers_do(orders: list[float]) -> None:
    one, other = (place(order) for order in orders)
    assert one is not None
    assert other is not None
    keys = [place_on_shelf("T", "Set", order) for order in (one, other)]
    assert (keys[0] < keys[1]) == (one < other)
    assert place_on_shelf("T", "Set", 3) == "item#set#00003#t", "as it always was"


@pytest.mark.parametrize(
    "field, value, kept",
    [
        ("rating", 4, 4.0),
        ("rating", 0.5, 0.5),
        ("tags", ["SF", " sf ", "old"], ["SF", "old"]),
        ("copies", None, 1),
        ("publisher", "  Ace  Books ", "Ace Books"),
        ("status", "reading", "reading"),
        ("status", "", None),
        ("started_on", "2024-02-29", "2024-02-29"),
        ("year", 1470, 1470),
    ],
)
def test_what_its_owner_keeps_of_a_book(field: str, value: Any, kept: Any) -> None:
    assert fit(Book, {field: value}) == {field: kept}


@pytest.mark.parametrize(
    "field, value",
    [
        ("rating", 0),
        ("rating", 5.5),
        ("rating", 4.3),
        ("tags", ["a,b"]),
        ("tags", ["x" * 51]),
        ("tags", [str(n) for n in range(51)]),
        ("copies", 0),
        ("pages", 0),
        ("status", "watched"),
        ("started_on", "2023-02-29"),
        ("finished_on", "20240101"),
        ("review", "x" * 10_001),
        ("location", "x" * 101),
        ("duration", 90),
    ],
)
def test_what_cannot_be_kept_of_a_book_is_refused_by_field(field: str, value: Any) -> None:
    with pytest.raises(InvalidField) as refused:
        fit(Book, {field: value})
    assert refused.value.field == field


THIRTEEN = "9780261103252"
TEN = "0261103253"


@pytest.mark.parametrize(
    "typed, kept",
    [
        ("978-0-261-10325-2", THIRTEEN),
        (" 978 0261103252 ", THIRTEEN),
        ("0-261-10325-3", TEN),
        ("0-8044-2957-x", "080442957X"),
        ("979-10-90636-07-1", "9791090636071"),
        ("978\u20110\u2013261103252", THIRTEEN),
    ],
)
def test_an_isbn_is_kept_without_what_stands_between(typed: str, kept: str) -> None:
    assert isbn(typed) == kept


@pytest.mark.parametrize(
    "typed",
    [
        "9780261103253",
        "0261103254",
        "977026110325X",
        "X261103253",
        "978026110325",
        "١٢٣٤٥٦٧٨٩٠",
        "9770261103252",
        "a book",
        "-",
    ],
)
def test_an_isbn_with_something_wrong_is_refused(typed: str) -> None:
    with pytest.raises(InvalidField, match="ISBN"):
        isbn(typed)


@given(place=st.integers(0, 12), digit=st.integers(0, 9))
def test_no_mistyped_digit_of_an_isbn_goes_unseen(place: int, digit: int) -> None:
    typed = THIRTEEN[:place] + str(digit) + THIRTEEN[place + 1 :]
    if typed == THIRTEEN:
        assert isbn(typed) == THIRTEEN
    else:
        with pytest.raises(InvalidField):
            isbn(typed)


def test_isbns_of_ten_digits_and_of_thirteen_are_the_same_book() -> None:
    assert thirteen(TEN) == thirteen(THIRTEEN) == THIRTEEN
    assert isbn(thirteen("080442957X"))
