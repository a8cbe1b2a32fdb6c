"""Search in a browser: as one types, by keyboard, and without scripts."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.visiting import Visitor
from tests.support.server import Server, serving
from tests.support.waiting import wait_for

FOCUSED = "document.activeElement.getAttribute('href') ?? document.activeElement.id"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that has built its index, as it does by itself within seconds."""
    with serving(tmp_path_factory.mktemp("search") / "data") as running:
        wait_for(lambda: '"603"' in running.get("/api/v1/search?q=matrix")[2], "the index")
        yield running


@pytest.fixture
def guest(chromium: Browser, house: Server) -> Callable[..., Visitor]:
    """Opens a window of somebody without an account."""
    return lambda **options: Visitor(chromium, house, **options)


def results(visitor: Visitor) -> list[str]:
    """Where results lead."""
    links = visitor.page.locator("[data-result]")
    return [link.get_attribute("href") or "" for link in links.all()]


def test_results_come_as_one_types_and_the_address_follows(guest: Callable[..., Visitor]) -> None:
    visitor = guest()
    visitor.go("/search")
    expect(visitor.page.locator("#q")).to_be_focused()
    visitor.page.keyboard.type("godfat")
    expect(visitor.page.locator("[data-result]").first).to_have_attribute("href", "/films/238")
    expect(visitor.page).to_have_url(f"{visitor.base}/search?q=godfat")
    visitor.page.keyboard.type("er")  # a letter is missing
    expect(visitor.page).to_have_url(f"{visitor.base}/search?q=godfater")
    assert results(visitor)[0] == "/films/238"
    expect(visitor.page.locator("#q")).to_be_focused()


def test_up_and_down_walk_through_results_and_enter_opens_one(
    guest: Callable[..., Visitor],
) -> None:
    visitor = guest()
    visitor.go("/search?q=star")
    visitor.page.locator("#q").focus()
    first, *_ = results(visitor)
    stops = []
    for key in ("ArrowUp", "ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp"):
        visitor.page.keyboard.press(key)
        stops.append(visitor.page.evaluate(FOCUSED))
    assert stops[:2] == ["q", first]
    assert stops[3:] == [first, "q"]
    visitor.page.keyboard.press("ArrowDown")
    visitor.page.keyboard.press("Escape")
    assert visitor.page.evaluate(FOCUSED) == "q"
    visitor.page.keyboard.press("ArrowDown")
    visitor.page.keyboard.press("Enter")
    expect(visitor.page).to_have_url(f"{visitor.base}{first}")


def test_filters_stay_while_one_types(guest: Callable[..., Visitor]) -> None:
    visitor = guest()
    visitor.go("/search?q=star&kind=film&year_from=1970&year_to=1979")
    assert results(visitor)[0] == "/films/11"
    visitor.page.locator("#q").press("End")
    visitor.page.keyboard.type(" wars")
    expect(visitor.page).to_have_url(
        f"{visitor.base}/search?q=star+wars&kind=film&year_from=1970&year_to=1979"
    )
    assert results(visitor) == ["/films/11"]


@pytest.mark.parametrize("scripts", [True, False])
def test_the_form_finds_without_scripts_too(guest: Callable[..., Visitor], scripts: bool) -> None:
    visitor = guest(scripts=scripts, phone=True)
    visitor.go("/search")
    visitor.fill(q="amelie")
    visitor.press("Search")
    expect(visitor.page.locator("[data-result]").first).to_have_attribute("href", "/films/194")
    visitor.page.get_by_role("link", name="Shows", exact=True).click()
    expect(visitor.page).to_have_url(f"{visitor.base}/search?q=amelie&kind=show")


def test_every_state_of_the_page_can_be_used_by_everybody(
    chromium: Browser, house: Server, guest: Callable[..., Visitor]
) -> None:
    visitor = guest()
    wrong = []
    for path in ("/search", "/search?q=the", "/search?q=xqzjkw", "/search?q=nolan&year_from=1990"):
        visitor.go(path)
        wrong += visitor.look()
    ada = Visitor(chromium, house)
    ada.set_up("Ada")
    for path in ("/search?q=the&kind=film", "/search?q=invite", "/search?q=ada"):
        ada.go(path)
        wrong += ada.look()
    assert wrong == []
    _what_is_known_of_a_film_comes_by_itself(ada)


def _what_is_known_of_a_film_comes_by_itself(ada: Visitor) -> None:
    ada.go("/films/603")
    ada.press("Mark as seen")
    expect(ada.page.get_by_text("You have seen it")).to_be_visible()
    ada.go("/search")
    expect(ada.page.get_by_role("main").get_by_role("searchbox")).to_be_focused()
    ada.page.keyboard.type("matri")
    marks = ada.page.locator("#marks-film-603")
    expect(marks).to_have_text("Seen")
    row = marks.bounding_box()
    ada.page.keyboard.type("x")
    expect(ada.page).to_have_url(f"{ada.base}/search?q=matrix")
    expect(marks).to_have_text("Seen")
    assert row == marks.bounding_box(), "nothing jumps"
