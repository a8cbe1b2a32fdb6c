"""The page of the API: folded until somebody looks for something, or comes by a link."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.browser.visiting import Visitor
from tests.support.server import Server


def test_operations_are_found_by_words_and_unfolded_by_links(
    chromium: Browser, server: Server
) -> None:
    visitor = Visitor(chromium, server)
    page = visitor.go("/docs")
    operations = page.locator(".api-one")
    everything = operations.count()
    expect(operations.filter(visible=True)).to_have_count(0)

    page.get_by_label("Find an operation").fill("passcode")
    found = operations.filter(visible=True)
    expect(found.first).to_be_visible()
    assert 0 < found.count() < everything
    assert all("passcode" in one.lower() for one in found.locator("summary").all_inner_texts())
    assert visitor.look() == []

    last = operations.last
    name = last.get_attribute("id")
    page.evaluate(f"location.hash = '#{name}'")
    expect(last.locator("div").first).to_be_visible()
    expect(last.locator("summary")).to_be_in_viewport()

    page = Visitor(chromium, server, scripts=False).go("/docs")
    page.locator(".fold > summary").first.click()
    expect(page.locator(".api-one").first).to_be_visible()
