"""A group with its code, ideas and places: without scripts, and for everybody."""

from __future__ import annotations

from playwright.sync_api import Browser

from tests.browser.visiting import Visitor
from tests.support.plain_browser import PlainBrowser
from tests.support.server import Server


def test_a_group_is_made_shown_and_filled_without_scripts(server: Server) -> None:
    with PlainBrowser(server) as ada:
        ada.set_up("Ada")
        ada.go("/groups/new")
        ada.press("Create group", group_name="Climbing")
        assert ada.path.startswith("/groups/")
        here = ada.path[: len("/groups/") + 36]
        ada.go(f"{here}/ideas")
        ada.press("Create list")
        ada.press("Add", name="Pizza")
        ada.press("I’d do this · 1 Pizza")
        assert "I’d do this · 0 Pizza" in ada.text
        ada.follow("Plan it")
        assert ada.value("title") == "Pizza"
        ada.press("Float it")
        ada.go(f"{here}/ideas")
        assert ada.has_link("Became a hangout")


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
