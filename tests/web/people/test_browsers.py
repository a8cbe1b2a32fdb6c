"""Browsers in words."""

from __future__ import annotations

import pytest

from commonroom.web.people.browsers import in_words, is_handheld

LINUX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 "
CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140 Safari/537.36"


@pytest.mark.parametrize(
    "agent,words",
    [
        (f"{LINUX}Firefox/140.0", "Firefox on Linux"),
        (f"Mozilla/5.0 (Windows NT 10.0) {CHROME} Edg/140", "Edge on Windows"),
        (f"Mozilla/5.0 (Linux; Android 16) {CHROME}", "Chrome on Android"),
        ("Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) Safari/604.1", "Safari on iPad"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 15) Safari/605.1", "Safari on Mac"),
        ("curl/8.0", "Unknown browser"),
        ("", "Unknown browser"),
        ("Something on Linux", "Linux"),
    ],
)
def test_a_browser_has_a_name_that_people_know(agent: str, words: str) -> None:
    assert in_words(agent) == words


def test_a_phone_looks_like_one() -> None:
    assert is_handheld("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)")
    assert not is_handheld("Mozilla/5.0 (Macintosh; Intel Mac OS X 15)")
