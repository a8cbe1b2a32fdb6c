"""What is kept of pages and forms: a page for whoever is offline, and nothing that was typed."""

from __future__ import annotations

from pathlib import Path

from litestar._parsers import parse_url_encoded_form_data

from tests.house.whole import whole


async def test_nothing_that_was_typed_is_remembered(tmp_path: Path) -> None:
    async with whole(tmp_path) as house:
        guest = await house.guest(**{"sec-fetch-site": "same-origin"})
        parse_url_encoded_form_data.cache_clear()
        typed = {"email": "ada@example.org", "password": "a secret of somebody’s"}
        assert (await guest.post("/sign-in", data=typed)).status_code == 401
    assert parse_url_encoded_form_data.cache_info().currsize == 0


async def test_the_page_for_what_was_never_seen_needs_nobody(tmp_path: Path) -> None:
    async with whole(tmp_path) as house:
        answer = await (await house.guest()).get("/offline")
    assert answer.status_code == 200
    assert "No connection" in answer.text
