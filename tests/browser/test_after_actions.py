"""After an action the page is where the action was done, and what was made is in view."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.visiting import Visitor
from tests.support.server import Server

SHARES = """() => {
  window.shared = [];
  navigator.share = async (what) => { window.shared.push(what.url); };
}"""


@pytest.fixture(params=[True, False], ids=["scripts", "no scripts"])
def ada(request: pytest.FixtureRequest, chromium: Browser, server: Server) -> Visitor:
    """Ada with a phone, whose browser may have no scripts."""
    visitor = Visitor(chromium, server, phone=True, scripts=request.param)
    visitor.set_up("Ada")
    return visitor


def hangout(visitor: Visitor) -> str:
    """Where a hangout of Ada's is: only those whom she invites see it."""
    body = {"title": "A walk", "visibility": "INVITE_ONLY"}
    answer = visitor.context.request.post(f"{visitor.base}/api/v1/hangouts", data=body)
    assert answer.ok, answer.text()
    return f"/hangouts/{answer.json()['hangout_id']}"


def unfold(page: Page, words: str) -> None:
    """Opens what is folded away."""
    page.locator("summary", has_text=words).first.click()


def expect_in_view(element: Locator) -> None:
    """What was made is on the part of the page that one sees."""
    expect(element).to_be_in_viewport()


def test_a_guest_link_is_in_view_as_soon_as_it_is_made(ada: Visitor) -> None:
    page = ada.go(hangout(ada))
    unfold(page, "Invite more people")
    ada.press("Create guest link")
    expect(page.locator("#said")).to_contain_text("link")
    expect_in_view(page.locator("#guest-link"))
    expect_in_view(page.get_by_role("heading", name="Without an account"))
    page.get_by_role("button", name="Close the link").click()
    expect_in_view(page.get_by_role("button", name="Create guest link"))


def test_what_was_asked_and_added_on_a_hangout_is_in_view(ada: Visitor) -> None:
    page = ada.go(hangout(ada))
    unfold(page, "Choose a place together")
    page.fill("#ask-places", "The park\nThe lake")
    page.locator("#ask-place").get_by_role("button", name="Ask everyone").click()
    expect_in_view(page.locator("section.poll h2"))
    unfold(page, "Invite more people")
    page.fill("#name", "Grandma")
    ada.press("Add as going")
    expect_in_view(page.get_by_text("Grandma").first)
    page.fill("#text", "See you there")
    ada.press("Send")
    expect_in_view(page.get_by_text("See you there"))


def test_a_link_for_one_person_is_the_one_that_is_shown(ada: Visitor) -> None:
    ada.go("/groups/new")
    ada.fill(group_name="Film friends")
    ada.press("Create group")
    page = ada.page
    before = page.locator("#share").input_value()
    unfold(page, "Another link")
    page.get_by_label("For one person only").check()
    ada.press("Create invite link")
    expect(page.locator("#share")).not_to_have_value(before)
    expect_in_view(page.locator("#share"))
    expect(page.locator("main")).to_contain_text("For one person")


def test_a_link_that_was_made_is_shared_in_one_tap(chromium: Browser, server: Server) -> None:
    ada = Visitor(chromium, server, phone=True)
    ada.set_up("Ada")
    ada.context.add_init_script(f"({SHARES})()")
    page = ada.go(hangout(ada))
    unfold(page, "Invite more people")
    ada.press("Create guest link")
    expect(page.locator("#guest-link")).to_be_visible()
    link = page.locator("#guest-link").input_value()
    page.get_by_role("button", name="Share", exact=True).click()
    assert page.evaluate("window.shared") == [link]


def test_a_refused_form_says_why_where_one_looks(ada: Visitor) -> None:
    page = ada.go(hangout(ada))
    unfold(page, "Invite more people")
    page.fill("#email", "nobody@example.org")
    ada.press("Invite")
    expect_in_view(page.locator("#refused .notice"))
    expect_in_view(page.locator("#email"))
