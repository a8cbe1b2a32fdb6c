"""Notifications are written in the language of whoever reads them."""

from __future__ import annotations

import pytest

from commonroom.accounts import rules
from commonroom.accounts.tables import User
from commonroom.http.words import speaking, spoken
from commonroom.notifications import Kind, Words
from commonroom.notifications.tables import Notification
from commonroom.notifications.wording import email_footer, language_of, words_of, write_words

KIND = Kind("news", title=lambda facts: spoken(), text=lambda facts: facts["what"])
NOTIFICATION = Notification(
    user_id="u",
    notification_id="x",
    kind="news",
    facts={"what": "It rains."},
    link="/",
    made_at="2026-11-15T20:00:00.000Z",
    ttl=1,
)


@pytest.fixture(autouse=True)
def languages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that people may choose."""
    monkeypatch.setattr(rules, "LANGUAGES", ("en", "fr"))


def reader(language: str | None) -> User:
    return User(user_id="u", display_name="Ada", created_at="2026", language=language)


@pytest.mark.parametrize(
    "chosen, speaks", [("fr", "fr"), ("en", "en"), (None, "en"), ("tlh", "en")]
)
def test_who_is_not_here_is_written_to_in_their_own(chosen: str | None, speaks: str) -> None:
    with speaking("fr"):
        words = write_words({"news": KIND}, NOTIFICATION, reader(chosen))
        assert words == Words(speaks, "It rains.")
        assert language_of(reader(chosen)) == speaks
        assert spoken() == "fr", "whoever is here still hears their own"


def test_who_is_here_reads_in_the_language_that_is_spoken() -> None:
    with speaking("fr"):
        assert words_of({"news": KIND}, NOTIFICATION).title == "fr"


def test_letters_say_where_to_have_no_more_of_them() -> None:
    assert "Notifications" in email_footer(reader("en"))
