"""Where the focus is after a deed that exchanges a part of the page, and what is read aloud."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.visiting import Visitor
from tests.support.server import Server

# A live region is only read aloud where it is the same element that was there before.
MARK = "document.getElementById('said').wasHere = true"
COUNT_SETTLED = """addEventListener("htmx:afterSettle", () => {
    document.body.dataset.settled = Number(document.body.dataset.settled ?? 0) + 1;
})"""
MARKED = "document.getElementById('said').wasHere === true"


@pytest.fixture
def ada(chromium: Browser, server: Server) -> Visitor:
    """Ada, who has just moved in."""
    visitor = Visitor(chromium, server)
    visitor.set_up("Ada")
    return visitor


def press(button: Locator) -> None:
    """As somebody does who has no mouse."""
    button.focus()
    button.press("Enter")


def test_after_a_row_is_gone_it_is_at_the_heading_and_the_deed_is_read_aloud(
    chromium: Browser, server: Server, ada: Visitor
) -> None:
    for _ in range(2):
        Visitor(chromium, server).sign_in("Ada")
    ada.go("/me/security")
    ada.page.evaluate(MARK)
    others = ada.page.locator("#sessions .row-end button")
    for left in (1, 0):
        press(others.first)
        expect(others).to_have_count(left)
        expect(ada.page.locator("#sessions h2")).to_be_focused()
        expect(ada.page.locator("#said")).to_have_text("That browser is signed out.")
        assert ada.page.evaluate(MARKED)
    assert ada.look() == []


def test_a_deed_that_was_asked_about_ends_at_the_heading_too(ada: Visitor) -> None:
    invited(ada, 1)
    ada.go("/admin/invitations")
    ada.page.evaluate(MARK)
    ada.page.locator("#invitations summary").press("Enter")
    press(ada.page.locator("#invitations .confirm-ask button"))
    expect(ada.page.locator("#invitations h2")).to_be_focused()
    expect(ada.page.locator("#said")).to_have_text("Invitation revoked.")
    assert ada.page.evaluate(MARKED)


def test_more_rows_of_a_list_take_the_focus_to_the_first_of_them(ada: Visitor) -> None:
    invited(ada, 60)
    ada.go("/admin/invitations")
    rows = ada.page.locator("#invitation-list > li")
    before = rows.count()
    assert before < 60
    press(ada.page.get_by_text("Show more"))
    expect(rows).to_have_count(60)
    expect(rows.nth(before)).to_be_focused()


def test_whoever_is_elsewhere_meanwhile_stays_there(ada: Visitor) -> None:
    invited(ada, 60)
    ada.go("/admin/invitations")
    # The field has the focus by the time the answer is here.
    ada.page.evaluate("document.addEventListener('htmx:beforeRequest', () => note.focus())")
    press(ada.page.get_by_text("Show more"))
    expect(ada.page.locator("#invitation-list > li")).to_have_count(60)
    expect(ada.page.locator("#note")).to_be_focused()


def test_ordering_by_keyboard_stays_at_the_title_that_moves(ada: Visitor) -> None:
    made = post(ada, "watchlists", {"title": "Doors", "is_public": False})
    films = [{"content_type": "MOVIE", "content_id": one} for one in ("603", "348", "238")]
    post(ada, f"watchlists/{made['watchlist_id']}/items", {"items": films})
    ada.go(f"/lists/{made['watchlist_id']}/arrange")
    expect(ada.page.locator("#q")).to_be_focused()
    ada.page.evaluate(COUNT_SETTLED)
    up = ada.page.get_by_role("button", name="Move The Godfather up")
    up.focus()
    for moves, title in enumerate(("Alien", "The Matrix"), 1):
        ada.page.keyboard.press("Enter")
        expect(ada.page.locator("body")).to_have_attribute("data-settled", str(moves))
        below = ada.page.locator("#order > li", has_text="The Godfather").locator("+ li")
        expect(below).to_contain_text(title)
        # At the top there is no further up: the other button of the title has the focus.
        expect(up if moves == 1 else up.locator("+ button")).to_be_focused()


def post(ada: Visitor, path: str, body: dict[str, Any]) -> Any:
    """Asks the API as Ada."""
    answer = ada.context.request.post(f"{ada.base}/api/v1/{path}", data=body)
    assert answer.ok, answer.text()
    return answer.json()


def invited(ada: Visitor, number: int) -> None:
    """Makes invitations."""
    for one in range(number):
        body = {"note": f"guest {one}", "uses": 1}
        made = ada.context.request.post(f"{ada.base}/api/v1/invitations", data=body)
        assert made.status == 201, made.text()
