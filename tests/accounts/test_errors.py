from __future__ import annotations

import pytest

from commonroom.errors import InvalidField, RateLimited


class TestTooManyTries:
    @pytest.mark.parametrize(
        "seconds, waiting",
        [
            (1, "a second"),
            (15, "15 seconds"),
            (50, "a minute"),
            (60, "a minute"),
            (61, "2 minutes"),
            (900, "15 minutes"),
        ],
    )
    def test_says_how_long_to_wait(self, seconds: int, waiting: str) -> None:
        error = RateLimited(seconds)

        assert waiting in error.detail
        assert (error.status, error.retry_after) == (429, seconds)


class TestUnfit:
    def test_names_the_field(self) -> None:
        error = InvalidField("email", "Look at this.")

        assert (error.status, error.field, error.extensions) == (422, "email", {"field": "email"})
