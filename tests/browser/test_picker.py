"""Adding titles by keyboard: Enter waits for what is typed and for what is being added."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.browser.visiting import Visitor
from tests.support.server import Server


@pytest.fixture
def ada(chromium: Browser, server: Server) -> Visitor:
    """Ada, at a new list."""
    visitor = Visitor(chromium, server)
    visitor.set_up("Ada")
    answer = visitor.context.request.post(
        f"{visitor.base}/api/v1/watchlists", data={"title": "Doors", "is_public": False}
    )
    visitor.go(f"/lists/{answer.json()['watchlist_id']}/arrange")
    return visitor


class Held:
    """Requests that wait until they are let through."""

    def __init__(self, visitor: Visitor, path: str) -> None:
        self.waiting: list[Route] = []
        self._page, self._is_open = visitor.page, False
        visitor.page.route(path, self._keep)

    def _keep(self, route: Route) -> None:
        if self._is_open:
            route.continue_()
        else:
            self.waiting.append(route)

    def wait(self) -> None:
        """Waits until there is one."""
        while not self.waiting:
            self._page.wait_for_timeout(20)

    def release(self) -> None:
        """Lets them through, and those that come."""
        self._is_open = True
        for one in self.waiting:
            one.continue_()


def type_and_enter(ada: Visitor, text: str) -> None:
    ada.page.keyboard.type(text)
    ada.page.keyboard.press("Enter")


def test_enter_waits_for_what_was_typed(ada: Visitor) -> None:
    expect(ada.page.locator("#q")).to_be_focused()
    held = Held(ada, "**/arrange?q=*")
    type_and_enter(ada, "matrix")
    held.wait()
    expect(ada.page.locator("#order > li")).to_have_count(0)
    held.release()
    expect(ada.page.locator("#order .row-name")).to_have_text(["The Matrix"])


@pytest.mark.parametrize("text", ["heath", "jurasic park"])
def test_enter_adds_nothing_that_only_comes_close(ada: Visitor, text: str) -> None:
    expect(ada.page.locator("#q")).to_be_focused()
    type_and_enter(ada, text)
    expect(ada.page.locator("#found")).to_contain_text("No title has this name")
    expect(ada.page.locator("#found li").first).to_be_visible()
    expect(ada.page.locator("#missing")).to_be_visible()
    ada.page.keyboard.press("Control+a")
    type_and_enter(ada, "matrix")  # what was wanted before is not added, either
    expect(ada.page.locator("#order > li")).to_have_count(1)
    expect(ada.page.locator("#order")).to_contain_text("The Matrix")


def test_the_next_title_waits_for_the_one_before(ada: Visitor) -> None:
    held = Held(ada, "**/items/add")
    type_and_enter(ada, "matrix")
    held.wait()
    ada.page.keyboard.type("alien")  # in place of what was typed, which is selected
    expect(ada.page.locator("#found")).to_have_attribute("data-sought", "alien")
    ada.page.keyboard.press("Enter")
    held.release()
    expect(ada.page.locator("#order .row-name")).to_have_text(["The Matrix", "Alien"])
    expect(ada.page.locator("#found")).to_have_attribute("data-sought", "alien")


def test_a_title_that_nobody_knows_is_added_where_it_was_looked_for(ada: Visitor) -> None:
    ada.page.keyboard.type("Our summer at the lake (2024)")
    button = ada.page.get_by_role("button", name="Add “Our summer at the lake” (2024)")
    button.click()
    expect(ada.page.locator("#order .row-name")).to_have_text(["Our summer at the lake"])
    assert ada.look() == []
    ada.page.locator("#order a.row-name").click()
    expect(ada.page.locator("h1")).to_have_text("Our summer at the lake")
    expect(ada.page.locator(".title-head")).to_contain_text("Added here")
