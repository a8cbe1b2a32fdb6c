"""Bringing lists along in a browser: looked up, previewed, imported, settled by hand, undone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, FilePayload, expect

from tests.browser.visiting import Visitor
from tests.support.plain_browser import PlainBrowser
from tests.support.server import Server
from tests.watchlists.import_files import LETTERBOXD

FILE: FilePayload = {
    "name": "letterboxd.zip",
    "mimeType": "application/zip",
    "buffer": LETTERBOXD,
}


@pytest.fixture
def ada(chromium: Browser, server: Server) -> Visitor:
    """Ada, on her phone."""
    visitor = Visitor(chromium, server, phone=True)
    visitor.set_up("Ada")
    return visitor


def test_a_file_comes_in_is_settled_by_hand_and_undone(ada: Visitor) -> None:
    ada.go("/watchlists/mine")
    ada.page.get_by_role("link", name="Import from Letterboxd, IMDb or Trakt").click()
    assert ada.look() == []
    ada.page.set_input_files("#file", files=[FILE])
    ada.press("Preview")
    # Scripts ask until the titles were looked up; nobody has to load the page anew.
    expect(ada.page.get_by_role("heading", name="In this file")).to_be_visible()
    assert ada.look() == []
    ada.page.get_by_label("Keep for later").check()
    expect(ada.page.locator("#outcome")).to_contain_text("3 rows without a match, for later")
    ada.press("Import")
    expect(ada.page.get_by_role("heading", name="Import finished")).to_be_visible()
    assert ada.look() == []

    ada.page.get_by_role("link", name="Find title").first.click()
    ada.page.fill("#q", "matrix")
    expect(ada.page.locator("#found-MOVIE-603")).to_be_visible()
    assert ada.look() == []
    ada.page.locator("#found-MOVIE-603").get_by_role("button").click()
    expect(ada.page.get_by_text("2 rows left")).to_be_visible()

    ada.go("/watchlists/import")
    ada.page.get_by_text("Undo this import").click()
    ada.press("Yes, undo")
    expect(ada.page.get_by_role("heading", name="Import undone")).to_be_visible()
    ada.go("/watchlists/mine")
    expect(ada.page.get_by_text("No list yet")).to_be_visible()


def test_it_works_without_scripts(server: Server) -> None:
    file = (FILE["name"], LETTERBOXD, FILE["mimeType"])
    with PlainBrowser(server) as ada:
        ada.set_up("Ada")
        ada.go("/watchlists/import")
        ada.press("Preview", files={"file": file})
        while ada.has_link("Refresh"):
            ada.follow("Refresh")
        ada.press("Update preview", unknown="leave")
        assert "3 rows without a match, for later" in ada.text
        ada.press("Import")
        while ada.has_link("Refresh"):
            ada.follow("Refresh")
        assert "Import finished" in ada.text
