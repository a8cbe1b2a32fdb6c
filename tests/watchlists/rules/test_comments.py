"""Comments."""

from __future__ import annotations

import pytest

from commonroom.errors import InvalidField
from commonroom.watchlists.rules import comments

MOMENT = "2026-05-31T18:00:00.999Z"


def test_a_comment_has_1_to_2000_characters() -> None:
    assert comments.comment_text(" Fine.\r\nReally. ") == "Fine.\nReally."
    for text in ("", " \n", "x" * 2001):
        with pytest.raises(InvalidField):
            comments.comment_text(text)


def test_the_next_millisecond_may_be_another_second() -> None:
    assert comments.next_millisecond(MOMENT) == "2026-05-31T18:00:01.000Z"
