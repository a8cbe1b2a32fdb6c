"""What is kept of pages and forms: a page for whoever is offline, and nothing that was typed."""

from __future__ import annotations

from html import unescape
from pathlib import Path

import pytest

from commonroom.http.redirects import FLASH_COOKIE
from commonroom.http.words import FLASH_TEXTS
from tests.house.test_secrets_forgotten import remembered
from tests.house.whole import whole


async def test_nothing_that_was_typed_is_remembered(tmp_path: Path) -> None:
    async with whole(tmp_path) as house:
        guest = await house.guest(**{"sec-fetch-site": "same-origin"})
        typed = {"email": "ada@example.org", "password": "a-secret-of-somebody"}
        assert (await guest.post("/sign-in", data=typed)).status_code == 401
    assert remembered("a-secret-of-somebody") == []


async def test_the_page_for_what_was_never_seen_needs_nobody(tmp_path: Path) -> None:
    async with whole(tmp_path) as house:
        answer = await (await house.guest()).get("/offline")
    assert answer.status_code == 200
    assert "No connection" in answer.text


@pytest.mark.parametrize(
    "headers, is_shown",
    [
        ({}, True),
        ({"sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}, True),
        # As a service worker forwards it.
        ({"sec-fetch-mode": "navigate", "sec-fetch-dest": "empty"}, True),
        ({"sec-fetch-mode": "cors", "sec-fetch-dest": "empty", "hx-request": "true"}, True),
        ({"sec-fetch-mode": "cors", "sec-fetch-dest": "empty"}, False),
        ({"sec-fetch-mode": "navigate", "sec-purpose": "prefetch"}, False),
    ],
)
async def test_a_confirmation_is_for_the_window_and_waits_for_it(
    tmp_path: Path, headers: dict[str, str], is_shown: bool
) -> None:
    async with whole(tmp_path) as house:
        ada = await house.browser()
        ada.cookies.set(FLASH_COOKIE, "member-added", domain="commonroom.test")
        answer = await ada.get("/me/members", headers=headers)
    assert (FLASH_TEXTS["member-added"] in unescape(answer.text)) == is_shown
    assert (FLASH_COOKIE in answer.headers.get("set-cookie", "")) == is_shown
