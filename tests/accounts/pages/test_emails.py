"""What is written to people."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from commonroom.accounts import emails
from commonroom.accounts.tables import User
from commonroom.outgoing.mail import Email

PLACE = "https://home.example"
BEN = User(
    user_id="b",
    email="ben@example.org",
    display_name="Buy pills at evil.example",
    created_at="2026-11-15T20:00:00.000Z",
)
WRITTEN: list[Callable[[], Email]] = [
    lambda: emails.CONFIRMATION.to("new@example.org", PLACE, BEN, "SECRET"),
    lambda: emails.NEW_PASSWORD.to("new@example.org", PLACE, BEN, "SECRET"),
    lambda: emails.ASK_AN_ADMINISTRATOR.to("new@example.org", PLACE, BEN),
    lambda: emails.MOVED_AWAY.to("new@example.org", PLACE, BEN),
]


@pytest.mark.parametrize("write", WRITTEN)
class TestEveryLetter:
    def test_says_where_it_comes_from_and_goes_where_it_should(
        self, write: Callable[[], Email]
    ) -> None:
        letter = write()
        assert letter.to == "new@example.org"
        assert letter.subject
        assert PLACE in letter.text
        assert "%(" not in letter.text

    def test_quotes_nothing_that_somebody_typed(self, write: Callable[[], Email]) -> None:
        letter = write()
        assert "evil" not in letter.text + letter.subject
        assert "@" not in letter.text


def test_a_link_stands_on_a_line_of_its_own() -> None:
    assert f"\n{PLACE}/confirm/SECRET\n" in WRITTEN[0]().text
    assert f"\n{PLACE}/reset/SECRET\n" in WRITTEN[1]().text
    assert "SECRET" not in WRITTEN[2]().text + WRITTEN[3]().text
