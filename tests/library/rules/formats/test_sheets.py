"""ISBNs that spreadsheets rewrote are read."""

from __future__ import annotations

import pytest

from commonroom.library.rules.formats.draft import ItemDraft
from commonroom.library.rules.formats.sheets import take_isbn

THIRTEEN, TEN = "9780141439518", "0141439513"
NOW = 1_770_000_000.0


def taken(*texts: str) -> tuple[object, list[str | None]]:
    draft = ItemDraft(2, "book", "Pride", NOW)
    take_isbn(draft, *texts)
    return draft.fields.get("isbn"), [one.field for one in draft.notes]


class TestAnIsbn:
    @pytest.mark.parametrize(
        "text, kept",
        [
            (f'="{THIRTEEN}"', THIRTEEN),
            (f"'{TEN}", TEN),
            (f"[{TEN}]", TEN),
            (f"ISBN-13: {THIRTEEN}", THIRTEEN),
            ("978-0-14-143951-8", THIRTEEN),
        ],
    )
    def test_what_keeps_it_from_being_a_number_is_taken_off(self, text: str, kept: str) -> None:
        assert taken(text) == (kept, [])

    @pytest.mark.parametrize(
        "text, kept",
        [
            ("141439513", TEN),
            ("141439513.0", TEN),
            (f"{THIRTEEN}.0", THIRTEEN),
            ("9.780141439518E+12", THIRTEEN),
            ("9,780141439518E+12", THIRTEEN),
            ("2005565", None),
            ("141439514", None),
        ],
    )
    def test_what_became_a_number_is_read_back_and_told(self, text: str, kept: str | None) -> None:
        assert taken(text) == (kept, ["isbn"])

    @pytest.mark.parametrize("text", ["9.78014E+12", "9,78E+12", "9.78067E+12"])
    def test_what_was_rounded_is_not_guessed(self, text: str) -> None:
        draft = ItemDraft(2, "book", "Pride", NOW)
        take_isbn(draft, text)
        assert "isbn" not in draft.fields
        assert "rounded" in draft.notes[0].why
        assert (draft.notes[0].title, draft.notes[0].field) == ("Pride", "isbn")

    def test_a_good_one_beside_it_counts_more(self) -> None:
        assert taken("9.78014E+12", TEN) == (TEN, [])
        assert taken(TEN, THIRTEEN) == (THIRTEEN, [])
