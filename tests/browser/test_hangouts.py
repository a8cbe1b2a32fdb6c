"""From an idea to a plan on three phones, with a guest; with and without scripts."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.visiting import PASSWORD, Visitor
from tests.support.server import Server

FRIENDS = ("Ben", "Cleo")

scripts = pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "plain"])


def friends_of(ada: Visitor, browser: Browser, server: Server, scripts: bool) -> list[Visitor]:
    """Others with an account, each with a phone."""
    body = {"note": "friends", "uses": len(FRIENDS)}
    made = ada.context.request.post(f"{ada.base}/api/v1/invitations", data=body).json()
    found = []
    for name in FRIENDS:
        friend = Visitor(browser, server, phone=True, scripts=scripts)
        account = {"display_name": name, "email": f"{name.lower()}@example.org"}
        known = account | {"password": PASSWORD, "invitation": made["secret"]}
        answer = friend.context.request.post(f"{friend.base}/api/v1/accounts", data=known)
        assert answer.status == 201, answer.text()
        found.append(friend)
    return found


def make_group(ada: Visitor, friends: list[Visitor]) -> str:
    """A group that everybody is in; gives the address of its page."""
    ada.go("/hangouts")
    ada.page.get_by_role("link", name="New group").first.click()
    ada.fill(name="The neighbours")
    ada.press("Create group")
    ada.page.wait_for_url(re.compile(r"/groups/[0-9a-f-]{36}"))
    group_id = ada.page.url.split("/groups/")[1][:36]
    code = ada.context.request.post(f"{ada.base}/api/v1/groups/{group_id}/codes", data={}).json()
    for friend in friends:
        joined = friend.context.request.post(f"{friend.base}/api/v1/groups/join", data=code)
        assert joined.ok, joined.text()
    return f"/groups/{group_id}"


def float_karaoke(ada: Visitor) -> str:
    """An idea with nothing but its name; gives the address of its page."""
    ada.page.get_by_role("link", name="New hangout").first.click()
    ada.fill(title="Karaoke?")
    group = ada.page.get_by_role("checkbox", name="The neighbours")
    if not group.is_checked():
        group.check(force=True)
    ada.press("Float it")
    ada.page.wait_for_url(re.compile(r"/hangouts/[0-9a-f-]{36}"))
    return "/hangouts/" + ada.page.url.split("/hangouts/")[1][:36]


def ask_for_a_day(ada: Visitor) -> None:
    """Two days to choose from, in the evening."""
    ada.page.locator("#ask-time summary").first.click()
    days = ada.page.locator("#ask-time input[name=days]")
    for number in (0, 1):
        days.nth(number).check(force=True)
    ada.page.locator("#ask-time input[name=part][value=evening]").check(force=True)
    ada.page.locator("#ask-time").get_by_role("button", name="Ask everyone").click()


def vote(visitor: Visitor, said: Mapping[int, str]) -> None:
    """Taps an answer for some of the options."""
    for option, answer in said.items():
        card = visitor.page.locator(".poll-card").nth(option)
        button = card.get_by_role("button", name=re.compile(f"^{answer}"))
        button.click()
        visitor.page.wait_for_load_state()
        expect(
            visitor.page.locator(".poll-card")
            .nth(option)
            .get_by_role("button", name=re.compile(f"^{answer}"))
        ).to_have_attribute("aria-pressed", "true")


def answers(visitor: Visitor) -> Locator:
    """The buttons of “Are you coming?”."""
    return visitor.page.locator("section:has(#answer-title)")


def main_of(visitor: Visitor) -> Locator:
    return visitor.page.locator("main")


@scripts
def test_an_idea_becomes_a_plan_in_a_minute(
    chromium: Browser, server: Server, scripts: bool
) -> None:
    ada = Visitor(chromium, server, phone=True, scripts=scripts)
    ada.set_up("Ada")
    ben, cleo = friends_of(ada, chromium, server, scripts)
    make_group(ada, [ben, cleo])
    address = float_karaoke(ada)
    for friend in (ben, cleo):
        friend.go(address)
        answers(friend).get_by_role("button", name="Interested").click()
        friend.page.wait_for_load_state()
    if not scripts:
        ada.go(address)
    expect(main_of(ada)).to_contain_text("Cleo")  # live: Ada did not reload

    ask_for_a_day(ada)
    expect(main_of(ada)).to_contain_text("Decide now")
    for one, said in ((ada, {0: "Yes"}), (ben, {0: "No", 1: "Yes"}), (cleo, {1: "Yes"})):
        if one is not ada:
            one.go(address)
        vote(one, said)
    ada.go(address)
    ada.page.get_by_text("Decide now").click()
    wrong = ada.look()
    ada.page.set_viewport_size({"width": 390, "height": 844})
    ada.page.locator("[id^=close-] .actions button").first.click()
    ada.page.wait_for_load_state()
    expect(main_of(ada)).to_contain_text("Evening")
    expect(ada.page.locator("#closed-polls")).to_have_count(1)

    if not scripts:
        ben.go(address)
    expect(main_of(ben)).not_to_contain_text("Needs a day")
    answers(ben).get_by_role("button", name="Going", exact=True).click()
    ben.page.wait_for_load_state()
    ben.page.get_by_text("I can drive").click()
    ben.press("Offer seats")
    expect(main_of(ben)).to_contain_text("Ben")

    cleo.go(address)
    cleo.page.get_by_role("button", name="Ride along").click()
    cleo.page.wait_for_load_state()
    cleo.page.get_by_label("Add to the list").fill("Drinks")
    cleo.page.locator("#bring-list").get_by_role("button", name="Add", exact=True).click()
    expect(cleo.page.locator(".bring-item")).to_have_count(1)
    cleo.page.get_by_role("button", name=re.compile("^I’ll bring it")).click()
    expect(cleo.page.locator("#bring-list")).to_contain_text("Covered")

    ada.go(address)
    ada.press("It’s on!")
    expect(ada.page.locator(".hangout-head")).to_contain_text("It’s on!")
    expect(ada.page.locator("#cars")).to_contain_text("Cleo")
    file = ada.context.request.get(f"{ada.base}{address}/calendar.ics")
    assert file.ok
    assert "Karaoke?" in file.text()
    wrong += ada.look() + ben.wrong + cleo.wrong
    assert wrong == []


@scripts
def test_a_guest_answers_with_a_name_and_changes_their_mind(
    chromium: Browser, server: Server, scripts: bool
) -> None:
    ada = Visitor(chromium, server, phone=True, scripts=scripts)
    ada.set_up("Ada")
    make_group(ada, [])
    address = float_karaoke(ada)
    ada.page.locator("#invite-fold summary").first.click()
    ada.press("Create guest link")
    link = ada.page.locator("input#guest-link")
    eve = Visitor(chromium, server, phone=True, scripts=scripts)
    eve.go(link.input_value())
    assert eve.heading == "Karaoke?"
    wrong = eve.look()
    eve.page.set_viewport_size({"width": 390, "height": 844})
    eve.fill(name="Eve")
    eve.page.get_by_role("radio", name="Going", exact=True).check(force=True)
    eve.press("Send answer")
    private = eve.page.locator("#private").input_value()
    eve.go(private)
    eve.page.get_by_role("radio", name="Can’t go").check(force=True)
    eve.press("Save")
    ada.go(address)
    expect(main_of(ada)).to_contain_text("Eve")
    assert wrong + eve.wrong + ada.wrong == []
