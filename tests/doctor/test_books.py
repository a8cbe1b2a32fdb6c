"""What the doctor says of books and covers."""

from __future__ import annotations

from commonroom.doctor.books import examine
from commonroom.settings import Settings


def test_it_says_who_is_asked_for_books() -> None:
    (finding,) = examine(Settings(open_library_address="https://books.example"))
    assert finding.level == "ok"
    assert "https://books.example" in finding.detail


def test_it_says_that_nobody_is_asked_where_that_is_switched_off() -> None:
    (finding,) = examine(Settings(book_look_ups=False, covers=False))
    assert "by hand" in finding.detail
    assert "not fetched" in finding.detail


def test_without_the_room_there_is_nothing_to_say() -> None:
    assert examine(Settings(rooms="movienight")) == []
