"""A page whose live updates are refused comes back ever more rarely, and hears them at last."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Response, Route

from tests.browser.visiting import Visitor
from tests.support.server import Server, serving

pytestmark = pytest.mark.smoke

LIVE = "**/notifications/live"


@pytest.fixture
def crowded(tmp_path: Path) -> Iterator[Server]:
    """A server that has no room for live pages."""
    with serving(tmp_path / "data", COMMONROOM_MOST_LIVE_PAGES="0") as running:
        yield running


class Refusals:
    """Counts how often a page asks in vain."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.statuses: list[int] = []
        page.on("response", self._note)

    def check(self, number: int, *, after: int) -> None:
        """Fails unless there were so many once some seconds have passed for the page."""
        self._page.clock.run_for(after * 1000)
        while len(self.statuses) < number:
            self._page.wait_for_timeout(50)
        self._page.wait_for_timeout(300)  # one too many would come about now
        assert len(self.statuses) == number

    def _note(self, answer: Response) -> None:
        # The page before may still be answered.
        asked_by = answer.request.headers.get("referer", "")
        if answer.url.endswith("/notifications/live") and asked_by.endswith("/me"):
            self.statuses.append(answer.status)


def test_a_page_that_is_refused_does_not_hammer(chromium: Browser, crowded: Server) -> None:
    ada = Visitor(chromium, crowded)
    ada.set_up("Ada")
    ada.page.clock.install()
    refusals = Refusals(ada.page)
    with ada.page.expect_response(LIVE):
        ada.go("/me")
    refusals.check(1, after=29)
    refusals.check(2, after=17)  # it asks again after 30 to 45 seconds
    refusals.check(2, after=40)
    refusals.check(3, after=55)  # and after twice as long
    assert set(refusals.statuses) == {503}


def test_it_hears_again_once_there_is_room(chromium: Browser, server: Server) -> None:
    ada = Visitor(chromium, server)
    ada.set_up("Ada")
    asked: list[str] = []

    def once_refused(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) == 1:
            route.fulfill(status=429, headers={"Retry-After": "30"}, body="")
        else:
            body = "event: version\ndata: 7\n\n"
            route.fulfill(status=200, content_type="text/event-stream", body=body)

    ada.page.route(LIVE, once_refused)
    ada.page.clock.install()
    with ada.page.expect_response(LIVE):
        ada.go("/me")
    ada.page.clock.run_for(46_000)
    ada.page.locator("notice-bell:not([room]):visible").get_by_text("7").wait_for()
