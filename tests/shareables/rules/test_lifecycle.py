"""Moments that people type become fit to be kept, or are refused."""

from __future__ import annotations

import pytest

from commonroom.errors import InvalidField
from commonroom.shareables.rules.lifecycle import moment


class TestMoments:
    def test_a_moment_is_kept_in_utc(self) -> None:
        assert moment("at", "2026-07-01T18:00+02:00") == "2026-07-01T16:00:00.000Z"

    @pytest.mark.parametrize(
        "typed",
        [
            "",
            "soon",
            "2026-07-01",
            "2026-07-01T18:00",
            "9999-12-31T23:59-14:00",
            "9999-12-31T23:59Z",  # tomorrow, east of Greenwich, no calendar has
            "0001-01-01T00:00Z",
        ],
    )
    def test_what_is_no_moment_is_refused(self, typed: str) -> None:
        with pytest.raises(InvalidField):
            moment("at", typed)
