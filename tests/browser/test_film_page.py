"""The page of a film, where all rooms meet, in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.test_movie_night import Family, film_like
from tests.support.server import Server


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_film_is_wished_for_shelved_listed_and_proposed_on_its_page(
    chromium: Browser, server: Server, scripts: bool
) -> None:
    family = Family(chromium, server, phone=True, scripts=scripts)
    ada, call = family.ada, family.call
    library = call(ada, "libraries", {"library_name": "Discs"})
    evening = family.round("start")  # before it is on a list, from which it might come
    call(ada, "watchlists", {"title": "Rainy days", "is_public": False})
    page = ada.go(f"/films/{film_like(family, 'Paddington')}")

    page.locator("#wish").click()
    expect(page.locator("#household")).to_contain_text("On the wish list: Ada")
    page.locator("#shelve").click()
    expect(page.locator("#shelf")).to_contain_text("On your shelf: Discs")
    page.locator("#add-to-list").click()
    expect(page.locator("#own-lists")).to_contain_text("Rainy days")
    expect(page.locator("#own-lists").get_by_role("button", name="Remove")).to_be_visible()
    assert not scripts or ada.look() == []

    item = page.locator("#shelf a").get_attribute("href") or ""
    place = f"libraries/{library['library_id']}/items/{item.rpartition('/')[2]}"
    call(ada, f"{place}/lend", {"lent_to": "Tom"})
    page.reload()
    expect(page.locator("#shelf")).to_contain_text("Lent to Tom: Discs")
    page.locator("#propose").click()
    expect(page).to_have_url(f"{ada.base}{evening}")
    page.locator(".film-title a", has_text="Paddington").first.click()
    expect(page.locator("#tally")).to_contain_text("In the current vote")
    assert not scripts or ada.look() == []
