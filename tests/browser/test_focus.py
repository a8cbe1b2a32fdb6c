"""Where the focus is after a deed that exchanges a part of the page, and what is read aloud."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.visiting import Visitor
from tests.support.server import Server

# A live region is only read aloud where it is the same element that was there before.
MARK = "document.getElementById('said').wasHere = true"
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


def invited(ada: Visitor, number: int) -> None:
    """Makes invitations."""
    for one in range(number):
        body = {"note": f"guest {one}", "uses": 1}
        made = ada.context.request.post(f"{ada.base}/api/v1/invitations", data=body)
        assert made.status == 201, made.text()
