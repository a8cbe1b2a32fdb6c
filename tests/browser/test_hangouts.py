"""From an idea to a plan on three phones, with a guest; with and without scripts."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.visiting import PASSWORD, PHONE, Visitor
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
    ada.page.get_by_label("Name").first.fill("The neighbours")
    ada.press("Create group")
    ada.page.wait_for_url(re.compile(r"/groups/[0-9a-f-]{36}"))
    group_id = ada.page.url.split("/groups/")[1][:36]
    made = ada.context.request.post(f"{ada.base}/api/v1/groups/{group_id}/codes", data={}).json()
    for friend in friends:
        code = {"code": made["code"]}
        joined = friend.context.request.post(f"{friend.base}/api/v1/groups/join", data=code)
        assert joined.ok, joined.text()
    return f"/groups/{group_id}"


def float_karaoke(ada: Visitor, group: str) -> str:
    """An idea with nothing but its name; gives the address of its page."""
    ada.go(group)
    ada.fill(title="Karaoke?")
    ada.press("Float it")
    ada.page.wait_for_url(re.compile(r"/hangouts/[0-9a-f-]{36}"))
    return "/hangouts/" + ada.page.url.split("/hangouts/")[1][:36]


def ask_for_a_day(ada: Visitor) -> None:
    """Two days to choose from, in the evening."""
    asking = ada.page.locator("#ask-time")  # open, since the idea is new
    for number in (1, 2):
        asking.locator("label:has(input[name=days])").nth(number).click()
    asking.locator("label:has(input[name=part][value=evening])").click()
    asking.get_by_role("button", name="Ask everyone").click()


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


def looked_at(visitor: Visitor, scripts: bool) -> list[str]:
    """What is wrong with a page, which stays on its phone; looking takes scripts."""
    if not scripts:
        return []
    wrong = visitor.look()
    visitor.page.set_viewport_size(PHONE)
    return wrong


@pytest.mark.smoke(scripts=True)
@scripts
def test_an_idea_becomes_a_plan_in_a_minute(
    chromium: Browser, server: Server, scripts: bool
) -> None:
    ada = Visitor(chromium, server, phone=True, scripts=scripts)
    ada.set_up("Ada")
    ben, cleo = friends_of(ada, chromium, server, scripts)
    address = float_karaoke(ada, make_group(ada, [ben, cleo]))
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
    wrong = looked_at(ada, scripts)
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
    wrong += looked_at(ada, scripts) + ben.wrong + cleo.wrong
    assert wrong == []


@scripts
def test_a_guest_answers_with_a_name_and_changes_their_mind(
    chromium: Browser, server: Server, scripts: bool
) -> None:
    ada = Visitor(chromium, server, phone=True, scripts=scripts)
    ada.set_up("Ada")
    address = float_karaoke(ada, make_group(ada, []))
    ada.page.locator("#invite-fold summary").first.click()
    ada.press("Create guest link")
    link = ada.page.locator("input#guest-link")
    eve = Visitor(chromium, server, phone=True, scripts=scripts)
    eve.go(link.input_value())
    assert eve.heading == "Karaoke?"
    wrong = looked_at(eve, scripts)
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


@scripts
def test_what_waits_is_answered_on_home_where_it_stands(
    chromium: Browser, server: Server, scripts: bool
) -> None:
    ada = Visitor(chromium, server, phone=True, scripts=scripts)
    ada.set_up("Ada")
    ben, _ = friends_of(ada, chromium, server, scripts)
    group_id = make_group(ada, [ben]).removeprefix("/groups/")
    for title in ("Sauna", "Karaoke"):
        made = {"title": title, "group_ids": [group_id]}
        assert ada.context.request.post(f"{ada.base}/api/v1/hangouts", data=made).ok
    needs = ben.page.locator("#needs .home-card")
    ben.go("/")
    while needs.count() < 2:  # agendas follow soon
        ben.page.wait_for_timeout(200)
        ben.go("/")
    expect(needs.first).to_contain_text("Karaoke")
    wrong = looked_at(ben, scripts)
    needs.first.get_by_role("button", name=re.compile("^Interested")).click()
    if scripts:
        expect(needs.first).to_contain_text("Answer saved.")
        expect(needs.nth(1)).to_contain_text("Sauna")
        ben.page.wait_for_timeout(2500)  # meanwhile the page has been told that its agenda changed
        expect(needs.first).to_contain_text("Answer saved.")
        wrong += looked_at(ben, scripts)
        needs.first.get_by_role("button", name="Undo").click()
        # Said for good there; the card itself soon asks again, as the page is told that it may.
        expect(ben.page.locator("#said")).to_contain_text("Answer withdrawn.")
        expect(needs.first.get_by_role("button", name=re.compile("^Interested"))).to_be_visible()
    else:
        expect(ben.page.locator("#said")).to_contain_text("Answer saved.")
        expect(needs).to_have_count(1)
        assert ben.page.url == f"{ben.base}/"
    assert wrong + ben.wrong == []


ANSWERS = '[action*="/answer"] .answer'
WORDS_THAT_DO_NOT_FIT = """all => all.filter(one => {
    const words = document.createRange();
    words.selectNodeContents(one);
    const text = words.getBoundingClientRect(), box = one.getBoundingClientRect();
    const isOut = text.left < box.left + 2 || text.right > box.right - 2;
    return isOut || words.getClientRects().length > 1;
}).map(one => one.textContent)"""


def test_answers_fit_their_buttons_on_the_smallest_phone(chromium: Browser, server: Server) -> None:
    ada = Visitor(chromium, server, phone=True)
    ada.set_up("Ada")
    ada.page.set_viewport_size({"width": 320, "height": 640})
    one = float_karaoke(ada, make_group(ada, []))
    for address in (one, "/hangouts"):
        ada.go(address)
        words = ada.page.locator(ANSWERS)
        assert words.count() == 3
        assert words.evaluate_all(WORDS_THAT_DO_NOT_FIT) == []
        tops = words.evaluate_all(
            "all => new Set(all.map(one => one.getBoundingClientRect().top)).size"
        )
        assert tops == 1, "side by side"
