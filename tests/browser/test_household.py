"""A household in a browser: made, joined by link, tastes said with a thumb, a child added."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.visiting import Visitor
from tests.support.server import Server

HOME = "/movie-night"
INVITES = f"{HOME}/household/invites"


def make_household(visitor: Visitor) -> None:
    """Makes one from the room's page."""
    visitor.go(HOME)
    visitor.fill(name="The Attic")
    visitor.page.get_by_label("MUBI").check()
    visitor.press("Create household")


def follow(visitor: Visitor, text: str) -> None:
    """Follows the link that says this."""
    visitor.page.get_by_role("link", name=text).first.click()
    visitor.page.wait_for_load_state()


def press_genre(visitor: Visitor, name: str, times: int = 1) -> None:
    """Presses a genre's chip, as somebody who sees it does."""
    for _ in range(times):
        visitor.page.locator(".taste", has_text=name).click()


def made_link(visitor: Visitor) -> str:
    """A link into the household."""
    visitor.go(INVITES)
    visitor.press("Create link")
    return visitor.page.input_value("#link")


def said(visitor: Visitor) -> str:
    """What the page says happened."""
    return visitor.page.locator("#said").inner_text().strip()


@pytest.mark.parametrize("phone", [True, False], ids=["phone", "desk"])
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_from_nobody_to_a_family(
    chromium: Browser, server: Server, phone: bool, scripts: bool
) -> None:
    ada = Visitor(chromium, server, phone=phone, scripts=scripts)
    ada.set_up("Ada")
    make_household(ada)
    assert ada.heading == "The Attic"

    follow(ada, "Set your tastes")
    press_genre(ada, "Comedy")
    press_genre(ada, "Horror", times=2)
    press_genre(ada, "Drama", times=3)
    ada.press("Save")
    assert "Choose at least 2 genres" in ada.page.locator("#genres-wrong").inner_text()
    press_genre(ada, "Drama")
    ada.page.get_by_label("PG-13").check()
    ada.press("Save")
    assert said(ada) == "Tastes saved."
    assert "Comedy, Drama" in ada.page.locator("#everybody").inner_text()

    link = made_link(ada)
    ada.go(HOME)
    bob = Visitor(chromium, server, phone=phone, scripts=scripts)
    bob.go(link)
    assert bob.heading == "Join The Attic"
    follow(bob, "Create an account")
    bob.fill(display_name="Bob", email="bob@example.org", password="knitting by the fire")
    bob.press("Create account")
    assert bob.page.url == link, "one comes back to the link"
    bob.press("Join")
    assert bob.heading == "The Attic"

    if not scripts:
        ada.page.reload()
    expect(ada.page.locator("#everybody")).to_contain_text("Bob")

    ada.go(f"{HOME}/household")
    ada.page.locator("summary", has_text="Add a child").click()
    ada.fill(display_name="Mia")
    ada.press("Add")
    assert said(ada) == "Member added."
    follow(ada, "Edit Mia")
    follow(ada, "Mia’s tastes")
    press_genre(ada, "Animation")
    press_genre(ada, "Family")
    assert ada.page.get_by_label("PG-13").is_disabled()
    ada.press("Save")
    assert "Animation, Family" in ada.page.locator("#everybody").inner_text()


def test_a_genre_can_be_chosen_with_the_keyboard(chromium: Browser, server: Server) -> None:
    ada = Visitor(chromium, server)
    ada.set_up("Ada")
    make_household(ada)
    ada.go(f"{HOME}/preferences")
    group = ada.page.get_by_role("group", name="Comedy")
    group.get_by_label("Neutral").focus()
    ada.page.keyboard.press("ArrowDown")
    assert group.get_by_label("Like").is_checked()
    ada.page.keyboard.press("ArrowDown")
    assert group.get_by_label("No thanks").is_checked()
    width = group.locator(".taste-face").evaluate("face => getComputedStyle(face).outlineWidth")
    assert width == "3px", "what has the focus shows it"


def test_a_member_is_taken_out_in_place(chromium: Browser, server: Server) -> None:
    ada, bob = Visitor(chromium, server, phone=True), Visitor(chromium, server, phone=True)
    ada.set_up("Ada")
    make_household(ada)
    bob.go(made_link(ada))
    follow(bob, "Create an account")
    bob.fill(display_name="Bob", email="bob@example.org", password="knitting by the fire")
    bob.press("Create account")
    bob.press("Join")
    ada.go(f"{HOME}/household")
    ada.page.locator("summary", has_text="Remove").click()
    ada.page.get_by_role("button", name="Yes, remove").click()
    expect(ada.page.locator("#said")).to_contain_text("Member removed.")
    expect(ada.page.locator("#members")).not_to_contain_text("Bob")
    expect(bob.page.get_by_role("heading", name="New household")).to_be_visible()


PAGES = (
    HOME,
    f"{HOME}/preferences",
    f"{HOME}/household",
    INVITES,
    f"{HOME}/household/settings",
)


def evening(ada: Visitor) -> list[str]:
    """What is wrong with the home while an evening is prepared, and while it is voted on."""
    ada.go(f"{HOME}/preferences")
    press_genre(ada, "Comedy")
    press_genre(ada, "Drama")
    ada.press("Save")
    ada.go(f"{HOME}/rounds/new")
    ada.press("Find films")
    address = ada.page.url
    ada.go(HOME)
    wrong = ada.look()
    ada.page.request.post(f"{address}/start")
    ada.go(HOME)
    expect(ada.page.get_by_role("link", name="Vote now")).to_be_visible()
    return wrong + ada.look()


def test_no_page_has_a_barrier(chromium: Browser, server: Server) -> None:
    ada, guest = Visitor(chromium, server), Visitor(chromium, server)
    ada.set_up("Ada")
    ada.go(HOME)
    wrong = ada.look()
    make_household(ada)
    wrong += evening(ada)
    ada.go(f"{HOME}/household")
    ada.page.locator("summary", has_text="Add a child").click()
    wrong += ada.look()
    ada.fill(display_name="Mia")
    ada.press("Add")
    link = made_link(ada)
    for path in (*PAGES, link):
        ada.go(path)
        wrong += ada.look()
    ada.go(f"{HOME}/household")
    follow(ada, "Edit Mia")
    wrong += ada.look()
    follow(ada, "Mia’s tastes")
    ada.press("Save")  # refused, and shown again
    wrong += ada.look()
    for path in (link, "/join/nothing"):
        guest.go(path)
        wrong += guest.look()
    assert wrong == []
