"""Addresses: what stands in them leads nowhere else."""

from __future__ import annotations

from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.http.redirects import path_part


class TestAPartOfAPath:
    @pytest.mark.parametrize("id_", ["A1", "a-b_c", "9f8e4a52-7d0c-4a43-9a57-0b1a2c3d4e5f"])
    def test_is_as_it_is_where_it_is_plain(self, id_: str) -> None:
        assert path_part(id_) == id_

    @given(st.text(st.characters(codec="utf-8")))
    def test_never_ends_its_part_and_means_what_it_was(self, text: str) -> None:
        part = path_part(text)
        assert not set(part) & set("/?#\\&\"'<> \n")
        assert unquote(part) == text
