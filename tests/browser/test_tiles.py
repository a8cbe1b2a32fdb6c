"""The rooms' cards: however many there are, and however wide the page, no row has a hole."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.visiting import Visitor
from tests.support.server import Server

WIDTHS = {390: 1, 820: 2, 1280: 3}
"""Widths of the window, and how many columns there are then for five rooms."""

ROWS = """() => {
  const list = document.querySelector(".tiles"), frame = list.getBoundingClientRect();
  const rows = {};
  for (const tile of list.children) {
    const at = tile.getBoundingClientRect();
    (rows[Math.round(at.top)] ??= []).push([at.left - frame.left, frame.right - at.right]);
  }
  return Object.values(rows);
}"""


def rows(page: Page) -> list[list[list[float]]]:
    """The rows of cards: how far each card is from the left and from the right."""
    found: list[list[list[float]]] = page.evaluate(ROWS)
    return found


@pytest.mark.parametrize("width", WIDTHS)
def test_every_row_is_full(chromium: Browser, server: Server, width: int) -> None:
    Visitor(chromium, server).set_up("Ada")
    page = Visitor(chromium, server).go("/")
    page.set_viewport_size({"width": width, "height": 900})
    assert max(map(len, rows(page))) == WIDTHS[width]
    for number in (5, 4, 3, 2, 1):
        shown = rows(page)
        assert sum(map(len, shown)) == number
        for row in shown:
            assert abs(row[0][0]) < 1, (number, shown)
            assert abs(row[-1][1]) < 1, (number, shown)
        page.evaluate("document.querySelector('.tiles').lastElementChild.remove()")


def test_nowhere_is_as_much_at_home_as_anywhere(chromium: Browser, server: Server) -> None:
    ada = Visitor(chromium, server)
    ada.set_up("Ada")
    ada.go("/nowhere")
    assert ada.page.get_by_role("link", name="Notifications").first.is_visible()
    assert ada.look() == []
