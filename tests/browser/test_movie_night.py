"""Movie night as a household lives it: two people in two windows, a child, and one evening."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.visiting import PASSWORD, Visitor
from tests.support.server import Server

TASTES = {"genre_likes": ["35", "16", "12"], "genre_dislikes": ["27"], "max_content_rating": "R"}

# A page that was loaded anew would have forgotten it.
MARK = "window.wasHere = true"
MARKED = "window.wasHere === true"


class Family:
    """Ada and Ben with a window each, and Mia, Ada's child."""

    def __init__(self, chromium: Browser, server: Server, **options: bool) -> None:
        self.ada = Visitor(chromium, server, **options)
        self.ada.set_up("Ada")
        self.ben = Visitor(chromium, server, **options)
        invitation = self.call(self.ada, "invitations", {"note": "", "uses": 1})["secret"]
        new = {"display_name": "Ben", "email": "ben@example.org", "password": PASSWORD}
        self.call(self.ben, "accounts", {**new, "invitation": invitation})
        self._move_in()

    def _move_in(self) -> None:
        group = self.call(self.ada, "households", {"name": "Home"})["group_id"]
        self.home = f"households/{group}"
        invite = self.call(self.ada, f"{self.home}/invites", {})["invite_token"]
        self.call(self.ben, f"invites/{invite}/join", {})
        self.mia = self.call(self.ada, f"{self.home}/members", {"display_name": "Mia"})["user_id"]
        ids = [self.call(one, "me")["user_id"] for one in (self.ada, self.ben)]
        for visitor, member in zip((self.ada, self.ben), ids, strict=True):
            address = f"{visitor.base}/api/v1/{self.home}/members/{member}/preferences"
            assert visitor.context.request.put(address, data=TASTES).ok

    @staticmethod
    def call(visitor: Visitor, path: str, body: Any = None) -> Any:
        """What the API answers to somebody."""
        address = f"{visitor.base}/api/v1/{path}"
        asked = visitor.context.request
        answer = asked.get(address) if body is None else asked.post(address, data=body)
        assert answer.ok, answer.text()
        return answer.json() if answer.body() else None

    def round(self, *steps: str) -> str:
        """The address of a round that Ada began, some steps on."""
        made = self.call(self.ada, f"{self.home}/rounds", {})
        for step in steps:
            first = {"tmdb_movie_id": made["films"][0]["tmdb_movie_id"]}
            body = first | {"even_if_votes_are_missing": True} if step == "pick" else {}
            self.call(self.ada, f"{self.home}/rounds/{made['round_id']}/{step}", body)
        return f"/movie-night/rounds/{made['round_id']}"


def heading(page: Page, words: str) -> None:
    """Waits until a page is about this."""
    expect(page.locator("main h1")).to_have_text(words)


def thumb(page: Page, vote: str, number: int = 0) -> Any:
    """The button with which somebody votes on one of the films."""
    return page.locator(f".films .thumb-{vote}").nth(number)


def pick_first(page: Page) -> None:
    """Picks the film that is ahead, though somebody has not voted."""
    asking = page.locator(".tally > li").first
    asking.locator("summary").click()
    asking.get_by_role("button", name="Yes, pick").click()


def say_watched(page: Page) -> None:
    """Says that the film was watched, and that this is meant."""
    page.locator("#watched summary").click()
    page.get_by_role("button", name="Yes, we watched it").click()
    expect(page.locator("#watched")).to_have_count(0)


def vote_in_turn(page: Page) -> None:
    """Whoever has the screen votes on every film."""
    page.get_by_role("link", name="I am").click()
    while True:
        number = page.locator("#pass-number").inner_text()
        _, place, _, all_ = number.split()
        page.get_by_role("button", name="Yes, please").click()
        if place == all_:
            return
        expect(page.locator("#pass-number")).not_to_have_text(number)


@pytest.mark.smoke(phone=True)
@pytest.mark.parametrize("phone", [True, False], ids=["phone", "desk"])
def test_an_evening_from_the_shortlist_to_how_it_was_with_nobody_loading_a_page_anew(
    chromium: Browser, server: Server, phone: bool
) -> None:
    family = Family(chromium, server, phone=phone)
    ada, ben = family.ada.page, family.ben.page

    family.ada.go("/movie-night/rounds/new")
    ada.get_by_role("button", name="Find films").click()
    heading(ada, "Tonight’s shortlist")
    family.ben.go(ada.url)
    ben.evaluate(MARK)
    expect(ben.locator("#news")).to_contain_text("Ada is choosing films")

    ada.get_by_role("button", name="Start voting").click()
    heading(ada, "Vote for tonight’s film")
    heading(ben, "Vote for tonight’s film")

    thumb(ben, "up").click()
    expect(thumb(ben, "up")).to_have_attribute("aria-pressed", "true")
    expect(ada.locator("#news")).to_have_text("1 of 3 have voted.")
    expect(thumb(ada, "up")).to_have_attribute("aria-pressed", "false")

    ada.get_by_role("link", name="Vote on this device").click()
    for words in ("Your turn, Ada", "Now hand it to Mia"):
        heading(ada, words)
        vote_in_turn(ada)
    heading(ada, "Everyone has voted")
    expect(ben.locator("#news")).to_have_text("Everyone has voted.")

    ada.get_by_role("link", name="See results").click()
    heading(ada, "Tonight’s film")
    ada.evaluate(MARK)
    title = ada.locator(".tally-title").first.inner_text()
    ada.get_by_role("button", name=f"Pick {title}", exact=True).click()
    for page in (ada, ben):
        heading(page, title)
        expect(page.locator("#news")).to_contain_text("Picked by Ada")

    say_watched(ben)
    expect(ada.locator("#chosen .above")).to_contain_text("Watched")
    ben.get_by_role("button", name="Loved it Ben").click()
    expect(ada.locator("#news")).to_have_text("Ben loved it. Not rated yet: Ada and Mia.")
    for name in ("Ada", "Mia"):
        liked = ada.get_by_role("button", name=f"Liked it {name}", exact=True)
        liked.click()
        expect(liked).to_have_attribute("aria-pressed", "true")
    expect(ben.locator("#news")).to_have_text("Ben loved it. Ada and Mia liked it.")

    assert ada.evaluate(MARKED)
    assert ben.evaluate(MARKED)
    assert family.ada.wrong + family.ben.wrong == []


def test_a_press_that_waits_for_its_turn_is_not_lost(chromium: Browser, server: Server) -> None:
    family = Family(chromium, server, phone=True)
    family.ada.go(family.round("start", "pick", "watched"))
    page = family.ada.page
    slow = []

    def hold(route: Route) -> None:
        slow.append(route)
        if len(slow) > 1:
            route.continue_()

    page.route("**/rate", hold)
    for name in ("Ada", "Mia"):
        page.get_by_role("button", name=f"Liked it {name}", exact=True).click()
    slow[0].continue_()

    expect(page.locator("#news")).to_have_text("Ada and Mia liked it. Not rated yet: Ben.")


def test_what_somebody_is_doing_stays_while_others_vote(chromium: Browser, server: Server) -> None:
    family = Family(chromium, server, phone=True)
    address = family.round("start")
    ada = family.ada.go(address)
    family.ben.go(address)
    fold = ada.locator("#results-fold")
    fold.locator("> summary").click()
    thumb(ada, "down", 3).focus()
    scrolled = ada.evaluate("scrollY")
    assert scrolled > 0
    for number in range(3):
        thumb(family.ben.page, "up", number).click()
        expect(ada.locator(".votes-up", has_text="1")).to_have_count(number + 1)
    expect(ada.locator("#news")).to_have_text("1 of 3 have voted.")
    expect(fold).to_have_attribute("open", "")
    expect(thumb(ada, "down", 3)).to_be_focused()
    assert ada.evaluate("scrollY") == scrolled
    thumb(ada, "down", 3).press("Enter")
    expect(thumb(ada, "down", 3)).to_have_attribute("aria-pressed", "true")
    expect(thumb(ada, "down", 3)).to_be_focused()

    rows = ada.locator(".tally > li")
    behind = rows.last.get_attribute("id") or ""
    film = behind.removeprefix("stand-")
    ada.locator(f"#pick-{film} summary").focus()
    family.ben.page.locator(f"#up-{film}").click()
    expect(rows.last).not_to_have_id(behind)
    expect(ada.locator(f"#pick-{film} summary")).to_be_focused()


def test_whoever_loses_what_they_had_the_focus_on_goes_on_at_the_heading(
    chromium: Browser, server: Server
) -> None:
    family = Family(chromium, server, phone=True)
    address = family.round("start")
    ben = family.ben.go(address)
    thumb(ben, "up", 2).focus()
    ada = family.ada.go(address)
    ada.locator("#results-fold > summary").click()
    pick_first(ada)
    expect(ben.locator("#chosen h1")).to_be_focused()


def test_what_comes_too_late_is_said_in_place(chromium: Browser, server: Server) -> None:
    family = Family(chromium, server)
    address = family.round("start")
    # Ben's window hears of nothing, as on a bad connection.
    family.ben.context.route("**/live", lambda route: route.abort())
    ben = family.ben.go(address)
    ben.evaluate(MARK)
    ada = family.ada.go(address)
    ada.locator("#results-fold > summary").click()
    pick_first(ada)
    expect(ada.locator("#chosen")).to_be_visible()
    thumb(ben, "up").click()
    expect(ben.locator("#refused")).to_contain_text("A film has already been picked.")
    expect(ben.locator("#chosen")).to_be_visible()
    assert ben.evaluate(MARKED)


def test_whoever_comes_back_sees_what_they_missed(chromium: Browser, server: Server) -> None:
    family = Family(chromium, server)
    address = family.round("start")
    ada = family.ada.go(address)
    ada.evaluate(MARK)
    ada.evaluate("Object.defineProperty(document, 'hidden', {value: true, configurable: true})")
    ada.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    ben = family.ben.go(address)
    thumb(ben, "up").click()
    expect(ben.locator("#news")).to_have_text("1 of 3 have voted.")
    expect(ada.locator("#news")).to_have_text("No votes yet.")
    ada.evaluate("Object.defineProperty(document, 'hidden', {value: false})")
    ada.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(ada.locator("#news")).to_have_text("1 of 3 have voted.")
    assert ada.evaluate(MARKED)


def test_a_window_that_was_turned_away_listens_again_later(
    chromium: Browser, server: Server
) -> None:
    family = Family(chromium, server)
    address = family.round("start")
    ada, live = family.ada.page, f"**{address}/live"
    ada.clock.install()
    ada.route(live, lambda route: route.fulfill(status=503))
    with ada.expect_response(live):
        family.ada.go(address)
    ada.unroute(live)
    ben = family.ben.go(address)
    thumb(ben, "up").click()
    expect(ben.locator("#news")).to_have_text("1 of 3 have voted.")
    expect(ada.locator("#news")).to_have_text("No votes yet.")
    ada.clock.fast_forward("01:00")
    expect(ada.locator("#news")).to_have_text("1 of 3 have voted.")


def test_a_film_is_found_while_one_types_and_joins_the_vote_of_all(
    chromium: Browser, server: Server
) -> None:
    family = Family(chromium, server, phone=True)
    address = family.round("start")
    ada = family.ada.go(address)
    ben = family.ben.go(address)
    before = ada.locator(".film").count()
    ben.get_by_role("link", name="Propose another film").click()
    field = ben.locator("main").get_by_role("searchbox")
    expect(field).to_be_focused()
    field.press_sequentially("padding")
    found = ben.locator("#found li", has_text="Paddington").first
    expect(found).to_be_visible()
    expect(ben.locator("#found-number")).to_contain_text("film")
    expect(field).to_be_focused()
    expect(field).to_have_value("padding")
    found.get_by_role("button").click()
    expect(ada.locator(".film")).to_have_count(before + 1)
    expect(ada.locator(".film").last).to_contain_text("Proposed by Ben")


def test_a_wish_is_made_and_taken_back_in_place(chromium: Browser, server: Server) -> None:
    family = Family(chromium, server)
    ada = family.ada.go("/movie-night/wishes")
    ada.evaluate(MARK)
    ada.locator("main").get_by_role("searchbox").press_sequentially("paddington")
    ada.locator("#found").get_by_role("button").first.click()
    expect(ada.locator("#said")).to_have_text("Added to the wish list.")
    expect(ada.locator(".posters-one")).to_have_count(1)
    ada.get_by_role("button", name="Remove").click()
    expect(ada.locator(".posters-one")).to_have_count(0)
    assert ada.evaluate(MARKED)


def test_without_scripts_everything_is_there(chromium: Browser, server: Server) -> None:
    family = Family(chromium, server, phone=True, scripts=False)
    ada = family.ada.go("/movie-night/rounds/new")
    family.ada.press("Find films")
    family.ada.press("Shuffle")
    expect(ada.locator("#said")).to_have_text("New films suggested.")
    family.ada.press("Start voting")
    heading(ada, "Vote for tonight’s film")
    thumb(ada, "up").click()
    expect(thumb(ada, "up")).to_have_attribute("aria-pressed", "true")
    thumb(ada, "up").click()
    expect(thumb(ada, "up")).to_have_attribute("aria-pressed", "false")
    ada.get_by_role("link", name="Propose another film").click()
    family.ada.fill(title="paddington")
    family.ada.press("Search")
    ada.locator("#found").get_by_role("button").first.click()
    expect(ada.locator(".film").last).to_contain_text("Proposed by Ada")
    ada.get_by_role("link", name="Vote on this device").click()
    for words in ("Your turn, Ada", "Now hand it to Mia"):
        heading(ada, words)
        vote_in_turn(ada)
    ada.get_by_role("link", name="See results").click()
    pick_first(ada)
    say_watched(ada)
    for name in ("Ada", "Mia"):
        button = ada.get_by_role("button", name=f"Loved it {name}", exact=True)
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")
    expect(ada.locator("#news")).to_have_text("Ada and Mia loved it. Not rated yet: Ben.")
    family.ada.go("/movie-night/history")
    expect(ada.locator(".past")).to_have_count(1)


def test_no_page_has_a_barrier_in_any_state(chromium: Browser, server: Server) -> None:
    family = Family(chromium, server)
    ada = family.ada
    wrong: list[str] = []

    def looked(*paths: str, who: Visitor = ada) -> None:
        for path in paths:
            who.go(path)
            wrong.extend(who.look())

    looked("/movie-night/rounds/new", "/movie-night/history", "/movie-night/history/films")
    looked("/movie-night/wishes", "/movie-night/films", "/movie-night/films?title=toy")
    draft = family.round()
    looked(draft)
    looked(draft, who=family.ben)
    ada.go(draft)
    ada.press("Start voting")
    heading(ada.page, "Vote for tonight’s film")
    thumb(ada.page, "up").click()
    thumb(ada.page, "down", 1).click()
    ada.page.locator("#results-fold > summary").click()
    wrong += ada.look()
    looked(f"{draft}/propose", f"{draft}/propose?title=toy", f"{draft}/propose?title=qqqqq")
    looked(f"{draft}/pass", f"{draft}/pass/{family.mia}", f"{draft}/attendees")
    film = family.call(ada, f"{family.home}/rounds/{draft.rpartition('/')[2]}")["films"][0]
    looked(f"/films/{film['tmdb_movie_id']}", draft)
    ada.page.locator("#results-fold > summary").click()
    pick_first(ada.page)
    expect(ada.page.locator("#chosen")).to_be_visible()
    for fold in ("#rate", "#record", "#reopen"):
        ada.page.locator(f"{fold} summary").first.click()
    wrong += ada.look()
    say_watched(ada.page)
    expect(ada.page.get_by_role("heading", name="How was it?")).to_be_visible()
    ada.page.get_by_role("button", name="Loved it Ada").click()
    expect(ada.page.locator("#news")).to_contain_text("Ada loved it.")
    wrong += ada.look()
    family.call(ada, f"{family.home}/wishes", {"tmdb_movie_id": film_like(family, "Paddington")})
    looked("/movie-night/history", "/movie-night/history/films", "/movie-night/wishes")
    assert wrong == []


def film_like(family: Family, title: str) -> int:
    """A film's number, by its title."""
    found = family.call(family.ada, f"films?title={title}")["items"]
    return int(found[0]["tmdb_movie_id"])
