"""One evening through all five rooms: three people and a child, from an idea to a year later.

Nothing is typed twice: the hangout carries the vote for its film, the vote draws on a shelf and a
list, what was lent is brought along, and what was rated is found again.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.test_hangouts import answers, ask_for_a_day, main_of
from tests.browser.test_movie_night import (
    TASTES,
    Family,
    film_like,
    heading,
    say_watched,
    thumb,
    vote_in_turn,
)
from tests.browser.visiting import PASSWORD, PHONE, Visitor
from tests.support.server import Server

IDEA = "What shall we do on Saturday?"


class Evening(Family):
    """The family, and Cleo, who is a friend; a shelf with two films, and a list with two more."""

    def __init__(self, chromium: Browser, server: Server, *, phone: bool, scripts: bool) -> None:
        super().__init__(chromium, server, phone=phone, scripts=scripts)
        self.has_scripts, self.phone = scripts, phone
        mine = f"{self.home}/members/{self.mia}/preferences"
        tastes = {**TASTES, "max_content_rating": "PG"}
        assert self.ada.context.request.put(f"{self.ada.base}/api/v1/{mine}", data=tastes).ok
        self.cleo = Visitor(chromium, server, phone=phone, scripts=scripts)
        invitation = self.call(self.ada, "invitations", {"note": "", "uses": 1})["secret"]
        new = {"display_name": "Cleo", "email": "cleo@example.org", "password": PASSWORD}
        self.call(self.cleo, "accounts", {**new, "invitation": invitation})
        self._meet()

    def _meet(self) -> None:
        group = self.call(self.ada, "groups", {"group_name": "The neighbours"})["group_id"]
        code = self.call(self.ada, f"groups/{group}/codes", {})["code"]
        for friend in (self.ben, self.cleo):
            self.call(friend, "groups/join", {"code": code})
        self.group = f"/groups/{group}"

    @property
    def everybody(self) -> tuple[Visitor, Visitor, Visitor]:
        """All who have a screen."""
        return self.ada, self.ben, self.cleo

    def sees(self, one: Visitor, address: str, words: str) -> None:
        """Somebody's open page comes to say this: by itself where scripts run."""
        if not self.has_scripts:
            one.go(address)
        expect(main_of(one)).to_contain_text(words)

    def looked_at(self) -> list[str]:
        """What is wrong with the pages that are open."""
        if not self.has_scripts:
            return []
        wrong = []
        for one in self.everybody:
            wrong += one.look()
            if self.phone:
                one.page.set_viewport_size(PHONE)
        return wrong


def float_idea(evening: Evening) -> str:
    """Ada asks the group; gives the address of the hangout."""
    ada = evening.ada
    ada.go(evening.group)
    ada.fill(title=IDEA)
    ada.press("Float it")
    ada.page.wait_for_url(re.compile(r"/hangouts/[0-9a-f-]{36}"))
    return "/hangouts/" + ada.page.url.split("/hangouts/")[1][:36]


def vote_for_second_day(one: Visitor) -> None:
    """Says yes to the second of two days: in a table at a desk, on cards on a phone."""
    yes = one.page.get_by_role("button", name=re.compile("^Yes")).nth(1)
    yes.click()
    one.page.wait_for_load_state()
    expect(yes).to_have_attribute("aria-pressed", "true")


def find_a_day(evening: Evening, hangout: str) -> None:
    """Everybody votes for a day, and Ada sets it."""
    ada = evening.ada
    for friend in (evening.ben, evening.cleo):
        friend.go(hangout)
        answers(friend).get_by_role("button", name="Interested").click()
        friend.page.wait_for_load_state()
    evening.sees(ada, hangout, "Cleo")
    ask_for_a_day(ada)
    expect(main_of(ada)).to_contain_text("Decide now")
    for one in evening.everybody:
        if one is not ada:
            one.go(hangout)
        vote_for_second_day(one)
    ada.go(hangout)
    ada.page.get_by_text("Decide now").click()
    ada.page.locator("[id^=close-] .actions button").first.click()
    ada.page.wait_for_load_state()
    for one in evening.everybody:
        one.go(hangout)
        answers(one).get_by_role("button", name="Going", exact=True).click()
        one.page.wait_for_load_state()
    ada.go(hangout)
    ada.page.get_by_text("Bringing anyone?").click()
    ada.page.locator("#company .people-one", has_text="Mia").click()
    ada.page.locator("#company").get_by_role("button", name="Save").click()
    expect(main_of(ada)).to_contain_text("Mia")


def shelve_and_lend(evening: Evening) -> None:
    """Ada has a film on her shelf, and lends another to Cleo."""
    ada, call = evening.ada, evening.call
    call(ada, "libraries", {"library_name": "Discs"})
    page = ada.go(f"/films/{film_like(evening, 'Paddington')}")
    page.locator("#shelve").click()
    expect(page.locator("#shelf")).to_contain_text("On your shelf: Discs")
    page = ada.go(f"/films/{film_like(evening, 'Shrek')}")
    page.locator("#shelve").click()
    expect(page.locator("#shelf")).to_contain_text("On your shelf: Discs")
    page.locator("#shelf a").first.click()
    page.get_by_role("link", name="Lend").first.click()
    page.get_by_text("They have an account here").click()
    page.get_by_label("Lend to").last.fill("Cleo")
    page.get_by_label("E-mail address").fill("cleo@example.org")
    page.get_by_role("button", name="Lend", exact=True).last.click()
    expect(main_of(ada)).to_contain_text("Cleo")


def make_list(evening: Evening) -> None:
    """Ada has a list of films, from which two join the shortlist."""
    made = evening.call(evening.ada, "watchlists", {"title": "Bears and ogres"})
    films = [
        {"content_type": "MOVIE", "content_id": str(film_like(evening, title))}
        for title in ("Paddington 2", "Shrek 2")
    ]
    evening.call(evening.ada, f"watchlists/{made['watchlist_id']}/items", {"items": films})


def pick_film(evening: Evening, hangout: str) -> tuple[str, str]:
    """The household votes for the film of the evening; gives its round and its title."""
    ada, ben = evening.ada, evening.ben
    ada.go(hangout)
    ada.press("Pick a film for this evening")
    ada.page.wait_for_url(re.compile("/movie-night/rounds/"))
    round_ = ada.page.url.removeprefix(ada.base)
    for reason in ("On your shelf", "From a list of yours"):
        expect(main_of(ada)).to_contain_text(reason)
    ada.press("Start voting")
    expect(ada.page.locator("main h1")).to_have_text(re.compile(r"Vote for \w+day’s film"))
    expect(ada.page.get_by_role("link", name="To the hangout")).to_be_visible()
    evening.sees(ben, hangout, "No votes yet.")
    ben.go(round_)
    thumb(ben.page, "up").click()
    ada.page.get_by_role("link", name="Vote on this device").click()
    for words in ("Your turn, Ada", "Now hand it to Mia"):
        heading(ada.page, words)
        vote_in_turn(ada.page)
    heading(ada.page, "Everyone has voted")
    ada.page.get_by_role("link", name="See results").click()
    title = ada.page.locator(".tally-title").first.inner_text()
    ada.page.get_by_role("button", name=f"Pick {title}", exact=True).click()
    heading(ada.page, title)
    return round_, title


def rate_at_home(evening: Evening, round_: str, title: str) -> None:
    """It was watched; the next day everybody rates it on their home, by one tap."""
    ben = evening.ben
    ben.go(round_)
    say_watched(ben.page)
    ben.go("/")
    expect(main_of(ben)).to_contain_text(title)
    ben.page.get_by_role("button", name=re.compile("^Loved it")).first.click()
    ben.page.wait_for_load_state()
    evening.ada.go(round_)
    expect(evening.ada.page.locator("#news")).to_contain_text("Ben loved it.")


def is_found_again(evening: Evening, hangout: str, title: str) -> None:
    """Whoever was there finds the evening and its film by one search."""
    ada = evening.ada
    ada.go("/search?q=Saturday")
    expect(ada.page.locator(f"#found a[href='{hangout}']")).to_be_visible()
    ada.page.fill("#q", title)
    ada.page.keyboard.press("Enter")
    ada.page.wait_for_load_state()
    if evening.has_scripts:  # what is known of films follows the results
        expect(ada.page.locator("#found")).to_contain_text("Watched in")
    ada.page.locator("#found a[href^='/films/']").first.click()
    expect(main_of(ada)).to_contain_text("Watched")


@pytest.mark.parametrize(
    "phone, scripts",
    [(True, True), (False, True), (True, False)],
    ids=["phone", "desk", "phone without scripts"],
)
def test_an_evening_that_all_rooms_share(
    chromium: Browser, server: Server, phone: bool, scripts: bool
) -> None:
    evening = Evening(chromium, server, phone=phone, scripts=scripts)
    shelve_and_lend(evening)
    make_list(evening)
    hangout = float_idea(evening)
    find_a_day(evening, hangout)
    evening.cleo.go(hangout)
    expect(evening.cleo.page.locator("#bring-along")).to_contain_text("You borrowed it from Ada")
    wrong = evening.looked_at()
    round_, title = pick_film(evening, hangout)
    evening.ben.go(hangout)
    expect(evening.ben.page.locator("#along")).to_contain_text(title)
    evening.cleo.go(hangout)
    expect(main_of(evening.cleo)).not_to_contain_text(title)  # it is the household's
    rate_at_home(evening, round_, title)
    evening.ada.go("/notifications")
    expect(main_of(evening.ada)).to_contain_text(IDEA)  # who answered
    is_found_again(evening, hangout, title)
    wrong += evening.looked_at()
    assert wrong == []
