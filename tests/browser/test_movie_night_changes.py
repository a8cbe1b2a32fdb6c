"""What changes its course in a movie night: who watches, what is undone, what comes to nothing."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.test_movie_night import (
    Family,
    film_like,
    heading,
    pick_first,
    say_watched,
    thumb,
)
from tests.browser.visiting import PASSWORD, Visitor
from tests.support.server import Server

SMALL = 320
LONG = "Donaudampfschifffahrtsgesellschaftskapit"
"""A household's name of forty letters without a gap."""


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_people_come_and_go_and_what_was_said_is_undone(
    chromium: Browser, server: Server, scripts: bool
) -> None:
    family = Family(chromium, server, scripts=scripts)
    ada, ben = family.ada.page, family.ben.page
    address = family.round("start")

    family.ada.go(f"{address}/attendees")
    ada.get_by_role("button", name="Remove Ben").click()
    expect(ada.locator("#said")).to_have_text("They are no longer watching.")
    family.ben.go(address)
    expect(ben.locator("main")).to_contain_text("You are not watching,")
    ben.get_by_role("link", name="Who is watching?").click()
    ben.get_by_role("button", name="Add Ben").click()
    expect(ben.locator("#said")).to_have_text("They are now watching.")
    family.ben.go(address)
    thumb(ben, "up").click()
    expect(thumb(ben, "up")).to_have_attribute("aria-pressed", "true")

    family.ada.go(address)
    ada.locator("#results-fold > summary").click()
    asking = ada.locator(".tally > li").first
    asking.locator("summary").click()
    expect(asking).to_contain_text("Not everyone has voted yet: Ada and Mia.")
    asking.get_by_role("button", name="Yes, pick").click()
    expect(ada.locator("#chosen")).to_be_visible()

    ada.locator("#chosen h1 a").click()
    ada.locator("#mark summary").click()
    ada.get_by_role("button", name="Yes, we watched it").click()
    expect(ada.get_by_role("heading", name="How was it?")).to_be_visible()
    assert ada.url.endswith(address), "the same deed as on the evening's page"
    ada.locator("#unwatched summary").click()
    ada.get_by_role("button", name="Yes, undo").click()
    expect(ada.locator("#watched")).to_be_visible()
    say_watched(ada)
    expect(ada.get_by_role("heading", name="How was it?")).to_be_visible()
    family.ada.go("/movie-night/history/films")
    expect(ada.locator(".posters-one")).to_have_count(1)


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_movie_night_is_cancelled(chromium: Browser, server: Server, scripts: bool) -> None:
    family = Family(chromium, server, scripts=scripts)
    page = family.ada.go(family.round("start"))
    page.locator("#abandon summary").click()
    page.get_by_role("button", name="Yes, cancel it").click()
    heading(page, "No film was picked")
    expect(page.locator("#news")).to_have_text("Ada cancelled this movie night.")
    page.get_by_role("link", name="Start a movie night").click()
    heading(page, "Who is watching tonight?")


def test_a_film_that_was_seen_elsewhere_is_listed_and_taken_back(
    chromium: Browser, server: Server
) -> None:
    family = Family(chromium, server, phone=True)
    page = family.ada.go(f"/films/{film_like(family, 'Paddington')}")
    page.locator("#mark summary").click()
    page.get_by_role("button", name="Yes, we watched it").click()
    expect(page.locator("#said")).to_have_text("Marked as watched.")
    family.ada.go("/movie-night/history/films")
    expect(page.locator(".posters-title")).to_have_text("Paddington")
    page.locator(".posters-link").click()
    page.locator("#undo summary").click()
    page.get_by_role("button", name="Yes, undo").click()
    expect(page.locator("#said")).to_have_text("No longer marked as watched.")


def fits(page: Page) -> list[str]:
    """What stands out to the right on a small phone."""
    page.set_viewport_size({"width": SMALL, "height": 600})
    wide: list[str] = page.evaluate(
        """() => document.documentElement.scrollWidth <= innerWidth ? [] :
        [...document.querySelectorAll("main *")]
          .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
          .map((one) => `${one.tagName}.${one.className}`)"""
    )
    return [f"{page.url}: {one}" for one in wide]


def test_a_word_of_forty_letters_breaks_on_a_small_phone(chromium: Browser, server: Server) -> None:
    family = Family(chromium, server, phone=True)
    request = family.ada.context.request
    base = f"{family.ada.base}/api/v1"
    assert request.patch(f"{base}/{family.home}", data={"name": LONG}).ok
    assert request.patch(f"{base}/me", data={"display_name": LONG[:30]}).ok
    address = family.round()
    film = film_like(family, "Paddington")
    page, wide = family.ada.page, list[str]()

    def look(*paths: str) -> None:
        for path in paths:
            family.ada.go(path)
            wide.extend(fits(page))

    look("/", "/movie-night", "/movie-night/household", "/movie-night/household/settings")
    look("/movie-night/rounds/new", address, f"{address}/attendees")
    family.ada.go(address)
    family.ada.press("Start voting")
    heading(page, "Vote for tonight’s film")
    look(address, f"{address}/pass", f"/films/{film}", f"{address}/attendees")
    family.ada.go(address)
    page.locator("#results-fold > summary").click()
    pick_first(page)
    expect(page.locator("#chosen")).to_be_visible()
    look(address, "/movie-night")
    say_watched(family.ada.go(address))
    expect(page.get_by_role("heading", name="How was it?")).to_be_visible()
    look(address, "/movie-night/history", "/movie-night/history/films")
    assert wide == [], wide


def test_the_day_is_that_of_the_device_from_the_first_page_on(
    chromium: Browser, server: Server
) -> None:
    visitor = Visitor(chromium, server)
    visitor.context.close()
    visitor.context = chromium.new_context(timezone_id="Pacific/Auckland")
    visitor.page = visitor.context.new_page()
    visitor.fill_in_set_up("Ada")
    assert Family.call(visitor, "me")["time_zone"] == "Pacific/Auckland"


def test_whoever_has_no_zone_gets_that_of_the_device_once(
    chromium: Browser, server: Server
) -> None:
    visitor = Visitor(chromium, server, scripts=False)
    visitor.set_up("Ada")
    assert Family.call(visitor, "me")["time_zone"] is None
    page = chromium.new_context(timezone_id="Asia/Tokyo").new_page()
    page.goto(f"{visitor.base}/sign-in")
    page.fill("#email", "ada@example.org")
    page.fill("#password", PASSWORD)
    with page.expect_response("**/me/time-zone"):
        page.get_by_role("button", name="Sign in", exact=True).first.click()
    assert Family.call(visitor, "me")["time_zone"] == "Asia/Tokyo"
    page.goto(f"{visitor.base}/movie-night")
    expect(page.locator("time-zone-note")).to_have_count(0)
