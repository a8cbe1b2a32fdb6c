"""A group with its code, ideas and places: on a phone without scripts, and for everybody."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, expect

from tests.browser.visiting import Visitor
from tests.support.server import Server


def test_a_group_is_made_shown_and_filled_without_scripts(
    chromium: Browser, server: Server
) -> None:
    ada = Visitor(chromium, server, phone=True, scripts=False)
    ada.set_up("Ada")
    page = ada.go("/groups/new")
    ada.fill(group_name="Climbing")
    ada.press("Create group")
    expect(page.locator(".qr")).to_be_visible()
    here = re.sub(r"^.*?(/groups/[0-9a-f-]{36}).*$", r"\1", page.url)
    ada.go(f"{here}/ideas")
    ada.press("Create list")
    page.get_by_label("New idea").fill("Pizza")
    page.get_by_role("button", name="Add").first.click()
    page.get_by_role("button", name=re.compile("I’d do this")).click()
    expect(page.get_by_text("I’d do this · 0")).to_be_visible()
    page.get_by_role("link", name="Plan it").click()
    expect(page.get_by_label("What do you feel like doing?")).to_have_value("Pizza")
    ada.press("Float it")
    ada.go(f"{here}/ideas")
    expect(page.get_by_role("link", name="Became a hangout")).to_be_visible()


def test_every_page_of_a_group_is_for_everybody(chromium: Browser, server: Server) -> None:
    ada = Visitor(chromium, server)
    ada.set_up("Ada")
    api, ask = f"{ada.base}/api/v1/groups", ada.context.request
    group = ask.post(api, data={"group_name": "Climbing", "colour": "teal"}).json()
    one = f"{api}/{group['group_id']}"
    code = ask.post(f"{one}/codes", data={}).json()["code"]
    ask.post(f"{one}/places", data={"name": "The pub", "notes": "Ring twice"})
    made = ask.post(f"{one}/idea-lists", data={"name": "Food", "category": "food"}).json()
    idea = {"name": "Pizza", "note": "At Gino’s", "url": "https://pizza.example"}
    ask.post(f"{one}/idea-lists/{made['list_id']}/ideas", data=idea)
    here = f"/groups/{group['group_id']}"
    wrong = []
    for part in ("", "/members", "/edit", "/invite", "/ideas", "/places"):
        ada.go(here + part)
        wrong += ada.look()
    ada.go("/hangouts/places")
    wrong += ada.look()
    guest = Visitor(chromium, server)
    guest.go(f"/g/{code}")
    assert "private" in guest.heading
    assert [*wrong, *guest.look()] == []
