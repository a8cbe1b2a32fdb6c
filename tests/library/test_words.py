"""How long something was lent, as one would say it, and what notes of an import are about."""

from __future__ import annotations

import pytest

from commonroom.library.rules.formats.own_json import LibraryJsonItem
from commonroom.library.words import DAY, FIELDS, duration


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


def test_an_import_has_a_word_for_each_field_of_a_file() -> None:
    fields = set(LibraryJsonItem.__struct_fields__)
    assert fields - FIELDS.keys() == set()
