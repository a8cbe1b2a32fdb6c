"""What a book and a video have, and what each of it may be."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from commonroom.accounts.errors import Unfit
from commonroom.library.rules.items import code_of, fit, place
from commonroom.library.tables import Book, Video

BOTH: list[tuple[str, Any]] = [
    ("title", "x" * 100),
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
    ("title", "x" * 101),
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
    with pytest.raises(Unfit) as refused:
        fit(Book, {field: value})
    assert refused.value.field == field


@pytest.mark.parametrize("field, value", [*UNFIT_BOTH, *UNFIT_VIDEO])
def test_a_video_does_not_take(field: str, value: Any) -> None:
    with pytest.raises(Unfit) as refused:
        fit(Video, {field: value})
    assert refused.value.field == field


@pytest.mark.parametrize("order", [1, 1000, None])
def test_a_place_is_from_1_to_1000(order: int | None) -> None:
    assert place(order) == order


@pytest.mark.parametrize("order", [0, -1, 1001])
def test_no_other_number_is_a_place(order: int) -> None:
    with pytest.raises(Unfit, match="1 to 1000"):
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
