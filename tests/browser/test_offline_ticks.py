"""Ticks made without a connection: they show at once, and arrive later, in order."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.test_shareables import LIST, box, make, path
from tests.browser.visiting import Visitor
from tests.support.server import Server

pytestmark = pytest.mark.smoke

KEPT = """async (path) => {
  const pages = await (await caches.open("pages-1")).keys();
  return pages.some((request) => new URL(request.url).pathname === path);
}"""
KEPT_TEXT = """async (path) => {
  const kept = await (await caches.open("pages-1")).match(path, { ignoreVary: true });
  return (await kept?.text()) ?? "";
}"""
SENT = "() => Object.keys(localStorage).length === 0"


@pytest.fixture
def ada(chromium: Browser, server: Server) -> Visitor:
    """Ada, in a shop without a connection."""
    return Visitor(chromium, server, phone=True)


def shopping(visitor: Visitor, *, shared: bool) -> str:
    """A list that a browser has seen and kept."""
    page = visitor.go(path(make(visitor, "checklists", {**LIST, "ticks_shared": shared})))
    visitor.wait_for_worker()
    address: str = page.evaluate("location.pathname")
    visitor.go(address)
    page.wait_for_function(KEPT, arg=address)
    return address


def wait_until_kept(visitor: Visitor, address: str, *, ticks: int) -> None:
    """Waits until the page that the browser keeps has so many ticks."""
    for _ in range(600):
        kept: str = visitor.page.evaluate(KEPT_TEXT, address)
        if kept.count('aria-checked="true"') == ticks:
            return
        visitor.page.wait_for_timeout(100)
    raise AssertionError(f"no page with {ticks} ticks is kept")


def ticked(visitor: Visitor) -> dict[str, Any]:
    """Which items are ticked, as somebody sees who comes now."""
    page = visitor.page
    return {
        one: box(page, one).get_attribute("aria-checked") for one in ("Bread", "Oat milk", "Coffee")
    }


@pytest.mark.parametrize("shared", [True, False], ids=["shared", "private"])
def test_they_show_at_once_and_arrive_when_the_connection_is_back(
    ada: Visitor, shared: bool
) -> None:
    address = shopping(ada, shared=shared)
    ada.context.set_offline(True)
    for name in ("Bread", "Coffee"):
        box(ada.page, name).click()
        expect(box(ada.page, name)).to_be_checked()
    expect(ada.page.locator("offline-note")).to_be_visible()
    assert ada.look() == []
    ada.context.set_offline(False)
    ada.page.wait_for_function(SENT)
    ada.go(address)
    assert ticked(ada) == {"Bread": "true", "Oat milk": "false", "Coffee": "true"}


def test_they_survive_that_the_page_is_opened_anew_without_a_connection(ada: Visitor) -> None:
    address = shopping(ada, shared=True)
    ada.context.set_offline(True)
    box(ada.page, "Bread").click()
    expect(box(ada.page, "Bread")).to_be_checked()
    ada.go(address)
    expect(box(ada.page, "Bread")).to_be_checked()
    ada.context.set_offline(False)
    ada.go(address)
    ada.page.wait_for_function(SENT)
    ada.go(address)
    expect(box(ada.page, "Bread")).to_be_checked()


@pytest.mark.parametrize("shared", [True, False], ids=["shared", "private"])
def test_those_that_were_sent_show_when_the_page_is_opened_anew_without_a_connection(
    ada: Visitor, shared: bool
) -> None:
    address = shopping(ada, shared=shared)
    box(ada.page, "Bread").click()
    expect(box(ada.page, "Bread")).to_be_checked()
    wait_until_kept(ada, address, ticks=1)
    ada.context.set_offline(True)
    ada.go(address)
    assert ticked(ada) == {"Bread": "true", "Oat milk": "false", "Coffee": "false"}
    box(ada.page, "Coffee").click()
    expect(box(ada.page, "Coffee")).to_be_checked()
    ada.context.set_offline(False)
    ada.page.wait_for_function(SENT)
    wait_until_kept(ada, address, ticks=2)
    ada.context.set_offline(True)
    ada.go(address)
    assert ticked(ada) == {"Bread": "true", "Oat milk": "false", "Coffee": "true"}


def test_the_last_of_several_presses_counts(ada: Visitor) -> None:
    address = shopping(ada, shared=True)
    ada.context.set_offline(True)
    for state in (True, False, True, False):
        box(ada.page, "Bread").click()
        expect(box(ada.page, "Bread")).to_be_checked(checked=state)
    box(ada.page, "Coffee").click()
    ada.context.set_offline(False)
    ada.page.wait_for_function(SENT)
    ada.go(address)
    assert ticked(ada) == {"Bread": "false", "Oat milk": "false", "Coffee": "true"}


def test_what_can_no_longer_be_ticked_does_not_hold_up_the_rest(
    ada: Visitor, chromium: Browser, server: Server
) -> None:
    made = make(ada, "checklists", {**LIST, "ticks_shared": True})
    address = path(made)
    page = ada.go(address)
    ada.context.set_offline(True)
    for name in ("Bread", "Coffee"):
        box(page, name).click()
        expect(box(page, name)).to_be_checked()
    edited = {**LIST, "ticks_shared": True, "version": made["page"]["version"]}
    edited["items"] = made["page"]["items"][1:]
    other = Visitor(chromium, server)
    answer = other.context.request.put(
        f"{other.base}/api/v1/shareables/{made['page']['short_id']}/checklist",
        data=edited,
        headers={"X-Shareable-Pass": made["pass"]},
    )
    assert answer.ok, answer.text()
    ada.context.set_offline(False)
    page.wait_for_function(SENT)
    ada.go(address)
    expect(box(page, "Coffee")).to_be_checked()
    expect(box(page, "Bread")).to_have_count(0)
