"""Shared pages as guests use them: on a phone, with and without scripts, two windows at once."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.visiting import Visitor
from tests.shareables.furniture import WEEKDAY, YEAR
from tests.support.server import Server

LIST = {
    "name": "Saturday’s shopping",
    "note": "Whoever goes first takes the big bag.",
    "items": [
        {"name": "Bread", "note": "the dark one with seeds"},
        {"name": "Oat milk"},
        {"name": "Coffee"},
    ],
}
PARTY = {
    "name": "Lea’s birthday",
    "start_time": f"{YEAR}-12-01T18:00:00+01:00",
    "end_time": f"{YEAR}-12-01T22:00:00+01:00",
    "time_zone": "Europe/Paris",
    "location": "The garden, Chestnut Road",
    "description": "Games, cake and a **treasure hunt**.\n\n# Bring\n- boots",
    "is_rsvp_required": True,
    "rsvp_deadline": f"{YEAR}-11-28T18:00:00+01:00",
}
SUMMER = {
    "name": "Where do we go in summer?",
    "closes_at": f"{YEAR}-06-01T18:00:00Z",
    "questions": [
        {
            "title": "Sea or mountains?",
            "is_required": True,
            "options": [{"label": "The sea"}, {"label": "The mountains"}],
        },
        {
            "title": "Which weeks?",
            "is_multiple": True,
            "options": [{"label": "July"}, {"label": "August"}],
        },
    ],
}
SHUT = {"view_passcode": "a view of the sea", "admin_passcode": "the captain’s word"}

MARK = "window.wasHere = true"
MARKED = "window.wasHere === true"

scripts = pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "plain"])


def make(visitor: Visitor, kind: str, body: dict[str, Any]) -> dict[str, Any]:
    """A page that a program makes, as the API answers."""
    answer = visitor.context.request.post(f"{visitor.base}/api/v1/shareables/{kind}", data=body)
    assert answer.ok, answer.text()
    made: dict[str, Any] = answer.json()
    return made


def path(made: dict[str, Any]) -> str:
    """Where a page is."""
    found: str = made["page"]["path"]
    return found


def box(page: Page, name: str) -> Any:
    """An item of a list."""
    return page.get_by_role("checkbox", name=re.compile(f"^{name}"))


def answer(page: Page, response: str, name: str) -> None:
    """Answers an event."""
    page.get_by_role("radio", name=response).check(force=True)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name=re.compile("^(Send answer|Save)$")).first.click()


@pytest.mark.smoke(scripts=True)
@scripts
def test_a_guest_answers_an_event_and_changes_it_on_another_device(
    chromium: Browser, server: Server, scripts: bool
) -> None:
    phone = Visitor(chromium, server, phone=True, scripts=scripts)
    address = path(make(phone, "events", PARTY))
    page = phone.go(address)
    assert phone.heading == "Lea’s birthday"
    expect(page.locator(".invite-day")).to_have_text(
        re.compile(f"{WEEKDAY}.*1.*December {YEAR}", re.DOTALL)
    )
    answer(page, "I’m coming", "Ben")
    expect(page.locator(".reply-mine")).to_have_text("Ben: Coming")
    code = page.locator("#your-code").input_value()

    other = Visitor(chromium, server, phone=True, scripts=scripts)
    page = other.go(address)
    page.get_by_text("I answered on another device").click()
    page.get_by_label("Your code").fill(code)
    other.press("Find my answer")
    expect(page.locator(".reply-mine")).to_have_text("Ben: Coming")
    page.get_by_text("Edit answer").click()
    answer(page, "I can’t", "Ben")
    expect(page.locator(".reply-mine")).to_have_text("Ben: Can’t come")
    page.get_by_text("Edit answer").click()
    page.get_by_text("Withdraw answer").click()
    other.press("Yes, withdraw")
    expect(page.get_by_role("heading", name="Are you coming?")).to_be_visible()


@scripts
def test_a_guest_votes_and_sees_how_it_stands(
    chromium: Browser, server: Server, scripts: bool
) -> None:
    phone = Visitor(chromium, server, phone=True, scripts=scripts)
    page = phone.go(path(make(phone, "polls", SUMMER)))
    page.get_by_label("The sea").check()
    page.get_by_label("July").check()
    page.get_by_label("August").check()
    phone.press("Send vote")
    expect(page.locator(".bar-leads .bar-label")).to_have_text(
        [re.compile(one) for one in ("The sea.*your choice", "July", "August")]
    )
    expect(page.locator(".bar-number").first).to_have_text(re.compile("100 %"))
    page.get_by_text("Edit vote").click()
    page.get_by_label("The mountains").check()
    phone.press("Save")
    expect(page.locator(".bar-leads .bar-label").first).to_have_text(re.compile("The mountains"))


@scripts
def test_ticks_of_ones_own_survive_a_reload(
    chromium: Browser, server: Server, scripts: bool
) -> None:
    phone = Visitor(chromium, server, phone=True, scripts=scripts)
    address = path(make(phone, "checklists", LIST))
    page = phone.go(address)
    if scripts:
        page.evaluate(MARK)
    box(page, "Bread").click()
    expect(box(page, "Bread")).to_be_checked()
    box(page, "Coffee").click()
    expect(page.locator(".progress-line p")).to_have_text("2 of 3")
    if scripts:
        assert page.evaluate(MARKED), "in place"
        expect(box(page, "Coffee")).to_be_focused()
    page.reload()
    expect(box(page, "Bread")).to_be_checked()
    expect(box(page, "Oat milk")).not_to_be_checked()
    box(page, "Bread").click()
    expect(page.locator(".progress-line p")).to_have_text("1 of 3")
    other = Visitor(chromium, server, phone=True, scripts=scripts)
    other.go(address)
    expect(box(other.page, "Coffee")).not_to_be_checked()
    page.get_by_text("Start over").click()
    phone.press("Yes, clear all ticks")
    expect(page.locator(".progress-line p")).to_have_text("0 of 3")


@pytest.mark.smoke
def test_two_windows_tick_one_list_and_see_each_other(chromium: Browser, server: Server) -> None:
    one, other = (Visitor(chromium, server, phone=True) for _ in range(2))
    address = path(make(one, "checklists", {**LIST, "ticks_shared": True}))
    for visitor in (one, other):
        visitor.go(address)
        visitor.page.evaluate(MARK)
    one.page.get_by_text("Show your name").click()
    one.fill(name="Ada")
    one.press("Save")
    box(one.page, "Bread").click()
    expect(box(other.page, "Bread")).to_be_checked()
    expect(box(other.page, "Bread")).to_have_text(re.compile("Ada"))
    box(other.page, "Oat milk").click()
    expect(box(one.page, "Oat milk")).to_be_checked()
    box(other.page, "Bread").click()
    expect(box(one.page, "Bread")).not_to_be_checked()
    expect(one.page.locator(".progress-line p")).to_have_text("1 of 3")
    assert other.page.evaluate(MARKED), "without loading the page anew"
    assert not one.wrong + other.wrong


def test_answers_and_votes_show_where_the_page_is_open_and_what_is_typed_stays(
    chromium: Browser, server: Server
) -> None:
    one, other = (Visitor(chromium, server, phone=True) for _ in range(2))
    party, summer = (
        path(make(one, kind, body)) for kind, body in (("events", PARTY), ("polls", SUMMER))
    )
    one.go(party)
    one.page.get_by_label("Your name").fill("half typed")
    answer(other.go(party), "Maybe", "Zoë")
    expect(one.page.locator(".guest-name")).to_have_text("Zoë")
    assert one.page.get_by_label("Your name").input_value() == "half typed"

    one.go(summer)
    one.page.get_by_label("The mountains").check()
    other.go(summer).get_by_label("The sea").check()
    other.press("Send vote")
    expect(one.page.get_by_text("1 person has voted.")).to_be_visible()
    expect(one.page.get_by_label("The mountains")).to_be_checked()
    assert not one.wrong + other.wrong


@scripts
def test_a_page_with_a_passcode_opens_once_for_a_device(
    chromium: Browser, server: Server, scripts: bool
) -> None:
    phone = Visitor(chromium, server, phone=True, scripts=scripts)
    address = path(make(phone, "checklists", {**LIST, **SHUT}))
    page = phone.go(address)
    assert phone.heading == "This page needs a passcode"
    phone.fill(passcode="let me in")
    phone.press("Open page")
    expect(page.locator("#passcode-wrong")).to_be_visible()
    phone.fill(passcode=SHUT["view_passcode"])
    phone.press("Open page")
    assert phone.heading == "Saturday’s shopping"
    page.reload()
    assert phone.heading == "Saturday’s shopping"


def test_an_open_page_is_shut_as_soon_as_its_passcode_changes(
    chromium: Browser, server: Server
) -> None:
    phone = Visitor(chromium, server, phone=True)
    made = make(phone, "checklists", {**LIST, **SHUT})
    page = phone.go(path(made))
    phone.fill(passcode=SHUT["view_passcode"])
    phone.press("Open page")
    assert phone.heading == "Saturday’s shopping"
    address = f"{phone.base}/api/v1/shareables/{made['page']['short_id']}/passcodes/view"
    changed = phone.context.request.put(
        address, data={"passcode": "another one"}, headers={"X-Shareable-Pass": made["pass"]}
    )
    assert changed.ok
    expect(page.locator("main h1")).to_have_text("This page needs a passcode")


def test_the_creator_comes_back_with_the_recovery_link(chromium: Browser, server: Server) -> None:
    phone = Visitor(chromium, server, phone=True)
    made = make(phone, "events", {**PARTY, **SHUT})
    phone.go(made["recovery_path"])
    assert phone.heading == "Welcome back"
    assert not phone.look()
    phone.press("Continue")
    assert phone.heading == "Lea’s birthday"
    expect(phone.page.get_by_role("link", name="Edit")).to_be_visible()


def test_the_hour_is_said_on_the_clock_of_whoever_reads_it(
    chromium: Browser, server: Server
) -> None:
    phone = Visitor(chromium, server, phone=True)
    party, summer = path(make(phone, "events", PARTY)), path(make(phone, "polls", SUMMER))
    there = chromium.new_context(timezone_id="America/New_York", locale="en")
    page = there.new_page()
    page.goto(phone.base + party)
    expect(page.locator("time-here")).to_have_text("That is Wednesday 12:00 where you are.")
    page.goto(phone.base + summer)
    expect(page.locator("local-moment")).to_have_text(re.compile("14:00"))
    at_home = chromium.new_context(timezone_id="Europe/Paris", locale="en").new_page()
    at_home.goto(phone.base + party)
    expect(at_home.locator("time-here")).to_be_hidden()


def test_every_state_of_a_page_is_there_for_everybody(chromium: Browser, server: Server) -> None:
    phone = Visitor(chromium, server, phone=True)
    lists = path(make(phone, "checklists", {**LIST, "ticks_shared": True}))
    party, summer = path(make(phone, "events", PARTY)), path(make(phone, "polls", SUMMER))
    shut = path(make(phone, "polls", {**SUMMER, **SHUT}))
    found: list[str] = []
    page = phone.page

    phone.go(lists)
    box(page, "Bread").click()
    expect(box(page, "Bread")).to_be_checked()
    page.get_by_text("Show your name").click()
    page.locator(".share-fold > summary").click()
    found += phone.look()

    phone.go(party)
    found += phone.look()
    page.evaluate("for (const one of document.querySelectorAll('[required]')) one.required = false")
    page.get_by_role("button", name="Send answer").click()
    expect(page.locator("#response-wrong")).to_be_visible()
    found += phone.look()
    phone.go(party)
    answer(page, "Maybe", "Ben")
    expect(page.locator("#your-code")).to_be_visible()
    page.get_by_text("Edit answer").click()
    page.get_by_text("Withdraw answer").click()
    found += phone.look()

    phone.go(summer)
    page.get_by_text("I voted on another device").click()
    found += phone.look()
    page.get_by_label("The sea").check()
    phone.press("Send vote")
    expect(page.locator(".bars").first).to_be_visible()
    found += phone.look()

    phone.go(shut)
    found += phone.look()
    phone.fill(passcode="let me in")
    phone.press("Open page")
    expect(page.locator("#passcode-wrong")).to_be_visible()
    found += phone.look()
    phone.go("/s/AAA-AAA-00000")
    found += phone.look()
    assert not found
