"""Cars, tickets, offers and talk in a browser: in place and live, and all of it without scripts."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.test_hangout_polls import MARK, MARKED, float_idea
from tests.browser.visiting import Visitor
from tests.support.server import Server

scripts = pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "plain"])


@scripts
def test_a_ride_a_ticket_and_a_room_are_found_on_a_phone(
    chromium: Browser, server: Server, scripts: bool
) -> None:
    ada = Visitor(chromium, server, phone=True, scripts=scripts)
    ada.set_up("Ada")
    page = ada.go(float_idea(ada))
    page.get_by_role("button", name="I need a ride").click()
    expect(page.locator("#cars")).to_contain_text("Needs a ride")
    page.get_by_text("I can drive").click()
    page.locator("#seats").fill("4")
    page.get_by_role("button", name="Offer seats").click()
    expect(page.locator("#cars")).to_contain_text("3 seats left")
    expect(page.locator("#cars")).not_to_contain_text("Needs a ride")
    page.locator("#tickets > details > summary").click()
    if scripts:
        page.evaluate(MARK)
    page.get_by_role("button", name="I have a ticket").click()
    expect(page.locator("#tickets")).to_contain_text("Has a ticket")
    expect(page.locator(".hangout-head")).to_contain_text("It’s on!")
    if scripts:
        assert page.evaluate(MARKED), "a tap changes the page where it is"
    page.get_by_text("Buy or book for others").click()
    offer = page.locator("#new-offer")
    offer.get_by_label("What do you offer?").fill("A room for 8")
    offer.get_by_label("Number of spots").fill("8")
    offer.get_by_role("button", name="Offer it").click()
    expect(page.locator("#tickets")).to_contain_text("8 of 8 left")
    page.get_by_role("button", name="Count me in").click()
    expect(page.locator("#tickets")).to_contain_text("7 of 8 left")
    if scripts:
        assert ada.look() == []


def test_what_others_say_appears_at_once_and_leaves_what_one_types(
    chromium: Browser, server: Server
) -> None:
    phone = Visitor(chromium, server, phone=True)
    phone.set_up("Ada")
    here = float_idea(phone)
    page = phone.go(here)
    desk = Visitor(chromium, server)
    desk.sign_in("Ada")
    other = desk.go(here)
    page.locator("#text").fill("Half a sent")
    other.locator("#text").fill("Who brings\nthe speaker?")
    other.get_by_role("button", name="Send").click()
    expect(other.locator("#talk")).to_contain_text("the speaker?")
    expect(other.locator("#text")).to_have_value("")
    expect(page.locator("#talk")).to_contain_text("the speaker?")
    expect(page.locator("#text")).to_have_value("Half a sent")
    page.locator(".message").get_by_text("Delete", exact=False).first.click()
    page.get_by_role("button", name="Yes, delete").click()
    expect(other.locator("#talk")).to_contain_text("Nobody has said anything yet.")
    assert phone.look() + desk.look() == []
