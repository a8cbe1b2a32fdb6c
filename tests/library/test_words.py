"""How long something was lent, as one would say it."""

from __future__ import annotations

import pytest

from commonroom.library.words import DAY, duration


@pytest.mark.parametrize(
    "days, words",
    [
        (0.5, "less than a day"),
        (1, "1 day"),
        (13.9, "13 days"),
        (14, "2 weeks"),
        (90, "12 weeks"),
        (92, "3 months"),
        (700, "22 months"),
        (731, "2 years"),
    ],
)
def test_a_loan_lasted(days: float, words: str) -> None:
    assert duration(days * DAY) == words
