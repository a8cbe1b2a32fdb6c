"""Without a connection: pages that were seen can be read, by whoever saw them."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.visiting import Visitor
from tests.support.server import Server

pytestmark = pytest.mark.smoke

KEPT = """async (part) => {
  const pages = await (await caches.open("pages-1")).keys();
  return pages.some((request) => new URL(request.url).pathname === part);
}"""


TEXTS = """async () => {
  const kept = await (await caches.open("pages-1")).matchAll();
  return (await Promise.all(kept.map((one) => one.text()))).join();
}"""

MEMBERS_WITH_MIA = """async () => {
  const kept = await (await caches.open("pages-1")).match("/me/members", {ignoreVary: true});
  return kept !== undefined && (await kept.text()).includes("Mia");
}"""


@pytest.fixture
def ada(chromium: Browser, server: Server) -> Visitor:
    """Ada, whose browser has its worker."""
    visitor = Visitor(chromium, server, phone=True)
    visitor.set_up("Ada")
    return visitor


def see(visitor: Visitor, path: str) -> None:
    """Opens a page, and waits until the browser has kept it."""
    visitor.go(path)
    visitor.page.wait_for_function(KEPT, arg=path)


def test_a_page_that_was_seen_can_be_read_and_says_that_it_may_be_old(ada: Visitor) -> None:
    see(ada, "/me")
    expect(ada.page.locator("offline-note")).to_be_hidden()
    ada.context.set_offline(True)
    ada.go("/me")
    assert ada.heading == "Profile"
    expect(ada.page.locator("offline-note")).to_be_visible()
    assert ada.look() == []


def test_the_first_page_is_kept_although_it_came_before_the_worker(ada: Visitor) -> None:
    ada.page.wait_for_function(KEPT, arg="/")
    ada.context.set_offline(True)
    ada.go("/")
    expect(ada.page.locator("offline-note")).to_be_visible()


def test_a_page_that_was_never_seen_says_so_and_leads_to_those_that_were(ada: Visitor) -> None:
    see(ada, "/me")
    title = ada.page.title().removesuffix(" · Commonroom")
    ada.context.set_offline(True)
    ada.go("/me/data")
    assert ada.heading == "No connection"
    assert ada.look() == []
    ada.page.locator("kept-pages").get_by_role("link", name=title).click()
    expect(ada.page).to_have_url(f"{ada.base}/me")


def test_nothing_is_left_of_whoever_signed_out(ada: Visitor) -> None:
    see(ada, "/me")
    ada.context.clear_cookies()  # as after a session was ended elsewhere
    ada.go("/sign-in")
    ada.page.wait_for_function(f"({KEPT})('/me').then((kept) => !kept)")
    ada.context.set_offline(True)
    ada.go("/me")
    assert ada.heading == "No connection"


def test_nothing_is_left_of_whoever_signs_out_with_a_button(ada: Visitor) -> None:
    see(ada, "/me")
    ada.press("Sign out")
    ada.page.wait_for_function(f"({KEPT})('/me').then((kept) => !kept)")


def test_a_page_with_a_secret_is_never_kept(ada: Visitor) -> None:
    see(ada, "/me/tokens")
    ada.fill(name="A script")
    ada.press("Create token")
    secret = ada.page.locator("#secret").input_value()
    see(ada, "/me")
    assert ada.page.evaluate(KEPT, "/me/tokens")
    assert secret not in ada.page.evaluate(TEXTS)


def test_once_the_connection_is_back_the_page_is_fresh(ada: Visitor) -> None:
    see(ada, "/me")
    ada.context.set_offline(True)
    ada.go("/me")
    ada.context.set_offline(False)
    ada.page.get_by_role("link", name="Reload").click()
    expect(ada.page.locator("offline-note")).to_be_hidden()


def test_what_was_said_is_said_at_once_and_not_by_the_kept_page(ada: Visitor) -> None:
    see(ada, "/me/members")
    ada.fill(display_name="Mia")
    ada.press("Add")
    expect(ada.page.locator("#said")).not_to_be_empty()
    ada.page.wait_for_function(MEMBERS_WITH_MIA)
    ada.context.set_offline(True)
    ada.go("/me/members")
    expect(ada.page.get_by_text("Mia").first).to_be_visible()
    expect(ada.page.locator("#said")).to_be_empty()
