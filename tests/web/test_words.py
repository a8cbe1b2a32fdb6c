"""Words that all rooms say alike."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from commonroom.web.words import listed


@given(st.lists(st.text("abc", min_size=1), max_size=8))
def test_names_are_all_listed_once(names: list[str]) -> None:
    assert listed(names).replace(" and ", ", ") == ", ".join(names)
