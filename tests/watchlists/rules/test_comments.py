"""Comments and their ids."""

from __future__ import annotations

import pytest

from commonroom.errors import InvalidField
from commonroom.watchlists.rules import comments
from commonroom.watchlists.tables import Comment

MOMENT = "2026-05-31T18:00:00.999Z"


def test_a_comment_has_1_to_2000_characters() -> None:
    assert comments.comment_text(" Fine.\r\nReally. ") == "Fine.\nReally."
    for text in ("", " \n", "x" * 2001):
        with pytest.raises(InvalidField):
            comments.comment_text(text)


def test_an_id_leads_back_to_its_comment() -> None:
    said = Comment(watchlist_id="w", user_id="a_b", comment_text="x", created_at=MOMENT)
    assert comments.parsed_id(comments.comment_id(said)) == (MOMENT, "a_b")


@pytest.mark.parametrize("text", ["", "x", MOMENT, f"{MOMENT}_", f"{MOMENT}_a#b", "2026_x"])
def test_what_is_no_id_is_none(text: str) -> None:
    assert comments.parsed_id(text) is None


def test_the_next_millisecond_may_be_another_second() -> None:
    assert comments.next_millisecond(MOMENT) == "2026-05-31T18:00:01.000Z"
