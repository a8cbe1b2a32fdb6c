"""ISBNs: the check digit is right in both forms, and both are the same book."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.errors import InvalidField
from commonroom.library.rules.isbn import isbn, thirteen

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
def test_is_kept_without_what_stands_between(typed: str, kept: str) -> None:
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
def test_with_something_wrong_is_refused(typed: str) -> None:
    with pytest.raises(InvalidField, match="ISBN"):
        isbn(typed)


@given(place=st.integers(0, 12), digit=st.integers(0, 9))
def test_no_mistyped_digit_goes_unseen(place: int, digit: int) -> None:
    typed = THIRTEEN[:place] + str(digit) + THIRTEEN[place + 1 :]
    if typed == THIRTEEN:
        assert isbn(typed) == THIRTEEN
    else:
        with pytest.raises(InvalidField):
            isbn(typed)


def test_ten_digits_and_thirteen_are_the_same_book() -> None:
    assert thirteen(TEN) == thirteen(THIRTEEN) == THIRTEEN
    assert isbn(thirteen("080442957X"))
