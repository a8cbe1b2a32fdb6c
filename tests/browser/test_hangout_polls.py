"""From an idea to a plan: a day by votes, and who brings what; with and without scripts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.visiting import Visitor
from tests.support.server import Server

MARK = "window.wasHere = true"
MARKED = "window.wasHere === true"

scripts = pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "plain"])


def float_idea(visitor: Visitor) -> str:
    """An idea of a group; its address."""
    api = f"{visitor.base}/api/v1"
    group = visitor.context.request.post(f"{api}/groups", data={"group_name": "Friends"}).json()
    new = {"title": "Karaoke?", "group_ids": [group["group_id"]]}
    made = visitor.context.request.post(f"{api}/hangouts", data=new).json()
    return f"/hangouts/{made['hangout_id']}"


def ask_for_a_day(page: Page) -> None:
    """Taps two days and the evening."""
    asked = page.locator("#ask-time")  # open, since the idea is new
    for name in ("Tomorrow", "The weekend"):
        asked.get_by_role("checkbox", name=name).check(force=True)
    asked.get_by_role("radio", name="Evening").check(force=True)
    asked.get_by_role("button", name="Ask everyone").click()


def vote(page: Page, said: str, day: str) -> None:
    """Votes in one tap, wherever the buttons are on this screen."""
    button = page.get_by_role("button", name=re.compile(f"^{said}\\s+.*{day}"))
    button.locator("visible=true").first.click()


@scripts
def test_a_group_finds_a_day_on_phone_and_desk(
    chromium: Browser, server: Server, scripts: bool
) -> None:
    phone = Visitor(chromium, server, phone=True, scripts=scripts)
    phone.set_up("Ada")
    here = float_idea(phone)
    page = phone.go(here)
    ask_for_a_day(page)
    expect(page.get_by_text("The day is being voted on")).to_be_visible()
    if scripts:
        page.evaluate(MARK)
    vote(page, "Yes", "Tomorrow")
    vote(page, "No", "Weekend")
    expect(page.get_by_text("1 person has voted.")).to_be_visible()
    desk = Visitor(chromium, server, scripts=scripts)
    desk.sign_in("Ada")
    other = desk.go(here)
    expect(other.locator(".poll-matrix").first).to_be_visible()
    expect(other.locator(".poll-cards").first).to_be_hidden()
    mine = other.get_by_role("button", name=re.compile("^Yes\\s+Tomorrow")).locator("visible=true")
    expect(mine).to_have_attribute("aria-pressed", "true")
    if scripts:
        assert page.evaluate(MARKED), "voting changes the page where it is"
        vote(other, "Maybe", "Tomorrow")
        card = page.locator(".poll-card").filter(has_text="Tomorrow")
        expect(card.get_by_text("1 maybe", exact=False).first).to_be_visible()
        assert phone.look() + desk.look() == []
        vote(other, "Yes", "Tomorrow")
        other.set_viewport_size({"width": 390, "height": 844})
        page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_text("Decide now").click()
    page.locator(".poll-deeds").get_by_role("button", name=re.compile("^Tomorrow")).click()
    expect(page.locator(".big-when").first).to_contain_text("Tomorrow")
    expect(page.get_by_text("Closed polls (1)")).to_be_visible()
    if scripts:
        expect(other.locator(".big-when").first).to_contain_text("Tomorrow")
        page.get_by_text("Closed polls (1)").click()
        assert phone.look() == []


@scripts
def test_things_are_shared_out(chromium: Browser, server: Server, scripts: bool) -> None:
    ada = Visitor(chromium, server, phone=True, scripts=scripts)
    ada.set_up("Ada")
    page = ada.go(float_idea(ada))
    for name, number in (("Bread", "3"), ("Speaker", "1")):
        page.get_by_label("Add to the list").fill(name)
        page.locator("#bring-needed").fill(number)
        page.locator(".bring-add").get_by_role("button", name="Add").click()
        expect(page.locator(".bring-things")).to_contain_text(name)
    page.get_by_label("How many of Bread do you bring?").fill("2")
    page.get_by_role("button", name="I’ll bring", exact=True).click()
    expect(page.locator(".bring-item").first).to_contain_text("Ada (2) · 1 still needed")
    page.get_by_role("button", name="I’ll bring it Speaker").click()
    expect(page.locator(".bring-item").last).to_contain_text("Covered")
    page.get_by_role("button", name="Not me Speaker").click()
    expect(page.locator(".bring-item").last).to_contain_text("1 still needed")
    if scripts:
        assert ada.look() == []
