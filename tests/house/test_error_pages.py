"""Pages about what went wrong: each in the layout of whoever asked, and never wrong twice."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from httpx import Response

from commonroom.store import counting, update
from tests.house.whole import Whole, whole
from tests.support.pages import text


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[Whole]:
    async with whole(tmp_path) as made:
        yield made


def is_at_home(answer: Response) -> bool:
    """Whether the page has the navigation of somebody who is signed in."""
    return '<nav class="side"' in answer.text


class TestSomebodySignedIn:
    async def test_keeps_their_layout_where_there_is_nothing(self, house: Whole) -> None:
        answer = await (await house.browser()).get("/nowhere")
        assert answer.status_code == 404
        assert is_at_home(answer)
        assert "Ada" in text(answer)

    async def test_keeps_it_where_a_method_is_wrong(self, house: Whole) -> None:
        answer = await (await house.browser()).put("/me")
        assert answer.status_code == 405
        assert is_at_home(answer)

    async def test_keeps_it_where_another_site_sent_them(self, house: Whole) -> None:
        browser = await house.browser(**{"sec-fetch-site": "cross-site"})
        answer = await browser.post("/sign-out")
        assert answer.status_code == 403
        assert is_at_home(answer)

    async def test_is_a_guest_once_their_session_has_ended(self, house: Whole) -> None:
        browser = await house.browser()
        await house.store.write(update(house.ada.ref, epoch=house.ada.epoch + 1))
        answer = await browser.get("/nowhere")
        assert answer.status_code == 404
        assert not is_at_home(answer)


class TestAGuest:
    async def test_sees_a_guests_layout(self, house: Whole) -> None:
        answer = await (await house.guest()).get("/nowhere")
        assert answer.status_code == 404
        assert not is_at_home(answer)

    async def test_who_shows_a_token_that_nobody_knows_is_still_told_what_went_wrong_first(
        self, house: Whole
    ) -> None:
        answer = await (await house.guest(authorization="Bearer nobody")).get("/nowhere")
        assert answer.status_code == 404

    async def test_goes_on_after_signing_in_to_exactly_what_they_asked_for(
        self, house: Whole
    ) -> None:
        guest = await house.guest()
        asked = await guest.get("/admin/people/caf%C3%A9?cursor=a%26b")
        assert asked.status_code == 303
        form = await guest.get(asked.headers["location"])
        assert form.status_code == 200
        assert 'name="next" value="/admin/people/caf%C3%A9?cursor=a%26b"' in form.text


async def test_a_store_that_is_away_is_not_asked_again(house: Whole) -> None:
    browser = await house.browser()
    await house.store.close()
    with counting() as tally:
        answer = await browser.get("/me")
    assert answer.status_code == 503
    assert not is_at_home(answer)
    assert tally.requests <= 1


async def test_whatever_fails_while_somebody_is_recognised_there_is_a_page(house: Whole) -> None:
    browser = await house.browser()
    await house.store.close()
    answer = await browser.get("/nowhere")
    assert answer.status_code == 404
    assert not is_at_home(answer)


async def test_a_program_costs_no_look_at_who_it_is(house: Whole) -> None:
    browser = await house.browser(accept="application/json")
    with counting() as tally:
        answer = await browser.get("/api/v1/nowhere")
    assert answer.status_code == 404
    assert tally.requests == 0
