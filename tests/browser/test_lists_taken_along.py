"""A list on paper, and without a connection: what one opened stays at hand."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.test_offline import see
from tests.browser.visiting import Visitor
from tests.support.server import Server


@pytest.fixture
def maker(chromium: Browser, server: Server) -> Visitor:
    """Somebody with a list of one film, whose browser has its worker."""
    visitor = Visitor(chromium, server)
    visitor.set_up("Ada")
    visitor.go("/watchlists/new")
    visitor.fill(title="For Sundays")
    visitor.press("Create list")
    visitor.go(f"{visitor.page.url}?q=matrix")
    visitor.page.locator("#found form button").first.click()
    expect(visitor.page.locator("#order > li")).to_have_count(1)
    return visitor


def list_path(maker: Visitor) -> str:
    """The page of the list that was made."""
    return urlsplit(maker.page.url).path.removesuffix("/arrange")


def test_a_list_that_was_opened_can_be_read_without_a_connection(maker: Visitor) -> None:
    path = list_path(maker)
    see(maker, path)
    maker.context.set_offline(True)
    maker.go(path)
    assert maker.heading == "For Sundays"
    expect(maker.page.locator("offline-note")).to_be_visible()
    expect(maker.page.get_by_text("The Matrix").first).to_be_visible()
    assert maker.look() == []


def test_on_paper_there_is_the_list_and_nothing_to_press(maker: Visitor) -> None:
    maker.go(f"{list_path(maker)}?look=notes")
    maker.page.emulate_media(media="print")
    expect(maker.page.get_by_role("heading", name="For Sundays")).to_be_visible()
    expect(maker.page.locator(".noted-title .row-name")).to_be_visible()
    for hidden in (".side", ".list-side", ".tabs", ".button"):
        expect(maker.page.locator(f"{hidden}:visible")).to_have_count(0)
