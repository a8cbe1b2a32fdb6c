"""What is pressed on a phone is large enough for a thumb: 44 pixels each way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.visiting import Visitor
from tests.support.server import run_command, serving

# What is too small on a page. A link in a sentence is as high as its line, as it should be. What is
# small itself may be pressed with something larger: a thumb that comes 21 pixels beside its middle
# still finds it then.
MEASURE = """() => {
  const least = 43.5;
  const words = (node) => node.textContent.replace(/\\s+/g, " ").trim();
  const isInSentence = (one) => {
    const block = one.closest("p, dd, li, h1, h2, h3");
    const isInline = one.localName === "a" && getComputedStyle(one).display === "inline";
    return isInline && block !== null && words(block) !== words(one);
  };
  const isFoundBeside = (one) => {
    one.scrollIntoView({ block: "center" });
    const { left, top, width, height } = one.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const around = [[x - 21, y], [x + 21, y], [x, y - 21], [x, y + 21]];
    return around.every(([x, y]) => one.contains(document.elementFromPoint(x, y)));
  };
  const small = [];
  const pressed = "a[href], button, summary, select, textarea, input:not([type=hidden])";
  for (const one of document.querySelectorAll(pressed)) {
    const isSeen = one.checkVisibility({ visibilityProperty: true });
    if (!isSeen || one.closest(".visually-hidden, .skip") || isInSentence(one)) continue;
    const target = one.closest("label") ?? one;
    const { width, height } = target.getBoundingClientRect();
    if ((width >= least && height >= least) || isFoundBeside(target)) continue;
    const size = `${Math.round(width)} by ${Math.round(height)}`;
    small.push(`${one.localName} “${words(target)}”: ${size}`);
  }
  return small;
}"""


@pytest.fixture(scope="module")
def maya(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """Somebody with a phone in the demonstration, where every room is furnished."""
    data: Path = tmp_path_factory.mktemp("targets") / "data"
    run_command("demo", "--data", str(data))
    with serving(data) as server:
        visitor = Visitor(chromium, server, phone=True)
        visitor.go("/sign-in")
        visitor.fill(email="maya@home.example", password="a sofa for everyone")
        visitor.press("Sign in")
        yield visitor
        visitor.context.close()


def too_small(page: Page) -> list[str]:
    """What a thumb would miss."""
    small: list[str] = page.evaluate(MEASURE)
    return [f"{page.url}: {one}" for one in small]


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/notifications", "/act-as", "/docs", "/admin/people", "/admin/invitations"),
        *(
            "/me",
            "/me/members",
            "/me/notifications",
            "/me/calendar",
            "/me/security",
            "/me/tokens",
            "/me/data",
        ),
        *("/movie-night", "/movie-night/wishes", "/movie-night/films?title=the"),
        *("/movie-night/history", "/movie-night/history/films", "/movie-night/preferences"),
        *("/movie-night/household", "/movie-night/household/settings"),
        *("/library", "/library/loans", "/library/search?q=the", "/library/import"),
        *("/watchlists", "/watchlists/following", "/watchlists/mine", "/watchlists/new"),
        *("/watchlists/profile", "/admin/curators", "/admin/titles", "/admin/titles/shows/new"),
        *("/s", "/s/new/checklist", "/s/new/event", "/s/new/poll"),
    ],
)
def test_everything_on_a_page_can_be_pressed(maya: Visitor, path: str) -> None:
    assert too_small(maya.go(path)) == []


@pytest.mark.parametrize(
    "path,link",
    [
        ("/movie-night", "#tonight .button"),
        ("/movie-night", ".posters-link"),
        ("/library", ".bookcase"),
        ("/library/search?q=the", ".row-name a"),
        ("/watchlists", ".list-card-link"),
        ("/watchlists/mine", ".list-card-link"),
        ("/search?q=godfather", "[data-result]"),
        ("/s", ".page-link >> nth=0"),
        ("/s", ".page-link >> nth=1"),
        ("/s", ".page-link >> nth=2"),
    ],
)
def test_so_can_everything_on_the_page_behind_a_link(maya: Visitor, path: str, link: str) -> None:
    maya.go(path)
    maya.page.locator(link).first.click()
    maya.page.wait_for_load_state()
    assert too_small(maya.page) == []
    shelf = maya.page.get_by_role("link", name="List", exact=True)
    if shelf.count():
        shelf.click()
        assert too_small(maya.page) == []
