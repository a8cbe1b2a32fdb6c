"""The way through the house, by hand and by keyboard: bar and side, sheet, menus, shortcuts."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.test_targets import too_small
from tests.browser.visiting import Visitor
from tests.support.server import Server


@pytest.fixture
def ada(chromium: Browser, server: Server) -> Visitor:
    """Ada at her desk."""
    visitor = Visitor(chromium, server)
    visitor.set_up("Ada")
    return visitor


@pytest.fixture
def phone(chromium: Browser, server: Server) -> Visitor:
    """Ada with her phone."""
    visitor = Visitor(chromium, server, phone=True)
    visitor.set_up("Ada")
    return visitor


class TestTheSheet:
    def test_opens_over_the_page_and_escape_leads_back(self, ada: Visitor) -> None:
        page = ada.go("/library")
        opener = page.get_by_role("link", name="New", exact=True)
        opener.focus()
        opener.press("Enter")
        sheet = page.get_by_role("dialog", name="New")
        expect(sheet.get_by_role("link", name="Movie night")).to_be_focused()
        assert page.url.endswith("/library")
        page.keyboard.press("ArrowUp")
        expect(sheet.get_by_role("link", name="Hangout")).to_be_focused()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        expect(sheet.get_by_role("link", name="Book or film")).to_be_focused()
        page.keyboard.press("Escape")
        expect(sheet).to_be_hidden()
        expect(opener).to_be_focused()
        opener.click()
        assert ada.look() == []

    def test_a_touch_beside_it_closes_it(self, phone: Visitor) -> None:
        page = phone.page
        page.locator(".bar [data-new]").click()
        sheet = page.get_by_role("dialog", name="New")
        sheet.wait_for()
        assert too_small(page) == []
        page.mouse.click(195, 20)
        expect(sheet).to_be_hidden()

    def test_leads_to_the_form_and_back_to_the_page_without_it(self, phone: Visitor) -> None:
        page = phone.page
        page.locator(".bar [data-new]").click()
        page.get_by_role("dialog").get_by_role("link", name="Checklist").click()
        page.wait_for_url("**/s/new/checklist")
        page.go_back()
        expect(page.locator("dialog[open]")).to_have_count(0)
        assert phone.wrong == []

    def test_without_a_connection_the_link_leads_to_the_page(self, ada: Visitor) -> None:
        page = ada.page
        refused = page.url.rstrip("/") + "/new"
        asked: list[str] = []

        def refuse_once(route: object) -> None:
            asked.append("")
            getattr(route, "abort" if len(asked) == 1 else "continue_")()

        page.route(refused, refuse_once)
        page.locator(".side [data-new]").dispatch_event("click")
        page.wait_for_url(refused)
        assert ada.heading == "New"


@pytest.mark.parametrize("phone", [True, False], ids=["phone", "desk"])
def test_without_scripts_every_menu_opens_and_leads_on(
    chromium: Browser, server: Server, phone: bool
) -> None:
    ada = Visitor(chromium, server, phone=phone, scripts=False)
    ada.set_up("Ada")
    page = ada.page
    page.locator(".account:visible > summary").click()
    page.get_by_role("link", name="Administration").locator("visible=true").click()
    page.wait_for_url("**/admin/people")
    page.locator("[data-new]:visible").click()
    page.wait_for_url("**/new")
    page.locator("main").get_by_role("link", name="Poll").click()
    page.wait_for_url("**/s/new/poll")
    if phone:
        page.locator(".bar summary").click()
    page.get_by_role("link", name="Library").locator("visible=true").click()
    page.wait_for_url("**/library")
    if phone:
        page.locator(".bar").get_by_role("link", name="Search").click()
    else:
        page.get_by_role("searchbox", name="Search").fill("moomin")
        page.get_by_role("searchbox", name="Search").press("Enter")
    page.wait_for_url("**/search*")
    page.locator(".account:visible > summary").click()
    page.get_by_role("button", name="Sign out").locator("visible=true").click()
    page.wait_for_url(f"{ada.base}/")
    assert page.locator(".bar, .side").count() == 0


class TestMenus:
    def test_the_rooms_open_above_the_bar_and_mark_where_one_is(self, phone: Visitor) -> None:
        page = phone.go("/hangouts")
        rooms = page.locator(".bar summary")
        expect(rooms).to_have_text("Rooms: Hangouts")
        rooms.click()
        here = page.locator(".bar .sheet a[aria-current]")
        expect(here).to_have_text("Hangouts", use_inner_text=True)
        assert too_small(page) == []
        page.keyboard.press("Escape")
        expect(here).to_be_hidden()
        expect(rooms).to_be_focused()
        rooms.click()
        page.mouse.click(195, 100)
        expect(here).to_be_hidden()
        rooms.click()
        assert phone.look() == []

    def test_a_face_opens_a_menu_that_closes_when_the_focus_goes_on(self, ada: Visitor) -> None:
        page = ada.page
        face = page.locator(".side .account > summary")
        face.focus()
        face.press("Enter")
        profile = page.locator(".side .account").get_by_role("link", name="Profile")
        expect(profile).to_be_visible()
        face.press("ArrowDown")
        expect(profile).to_be_focused()
        page.keyboard.press("End")
        expect(
            page.locator(".side .account").get_by_role("button", name="Sign out")
        ).to_be_focused()
        page.keyboard.press("Tab")
        expect(profile).to_be_hidden()
        face.click()
        assert ada.look() == []

    def test_a_child_has_a_bar_of_five_places_too(self, phone: Visitor) -> None:
        page = phone.go("/me/members")
        phone.fill(display_name="Mia")
        phone.press("Add")
        phone.press("Switch to Mia")
        expect(page.locator(".bar > *")).to_have_text(
            ["Home", "Search", "New", "Switch", "Rooms"], use_inner_text=True
        )
        page.locator(".account:visible > summary").click()
        assert phone.look() == []


class TestTheShortcut:
    @pytest.mark.parametrize("key", ["/", "Control+k"])
    def test_goes_to_the_box_beside_the_page(self, ada: Visitor, key: str) -> None:
        page = ada.page
        page.keyboard.press(key)
        box = page.get_by_role("searchbox", name="Search")
        expect(box).to_be_focused()
        expect(box).to_have_value("")
        page.keyboard.type("a/b")
        expect(box).to_have_value("a/b")
        page.keyboard.press("Enter")
        page.wait_for_url("**/search?q=a%2Fb")

    def test_what_is_found_shows_below_the_box_and_leads_on_by_keyboard(self, ada: Visitor) -> None:
        page = ada.go("/library")
        page.keyboard.press("/")
        page.keyboard.type("moonrise")
        found = page.locator(".quick-found")
        expect(found.get_by_role("link", name="Moonrise Kingdom")).to_be_visible()
        page.keyboard.press("ArrowDown")
        expect(found.get_by_role("link", name="Moonrise Kingdom")).to_be_focused()
        page.keyboard.press("Escape")
        expect(found).to_be_hidden()
        box = page.get_by_role("searchbox", name="Search")
        expect(box).to_be_focused()
        box.fill("zzzz")
        expect(found).to_contain_text("No match found")
        box.fill("moonris")
        found.get_by_role("link", name="Moonrise Kingdom").click()
        page.wait_for_url("**/films/*")
        assert ada.wrong == []

    def test_goes_to_the_box_of_the_search_page_where_that_is_open(self, ada: Visitor) -> None:
        page = ada.go("/search?q=owl")
        page.keyboard.press("/")
        expect(page.locator("main input[type=search]")).to_be_focused()

    def test_leads_to_the_search_page_where_there_is_no_box(self, phone: Visitor) -> None:
        phone.page.keyboard.press("/")
        phone.page.wait_for_url("**/search")
        expect(phone.page.locator("main input[type=search]")).to_be_focused()


def test_the_links_for_keyboards_lead_past_the_menus_and_to_them(phone: Visitor) -> None:
    page = phone.go("/library")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator(".bar a").first).to_be_focused()


def test_nothing_of_it_is_on_paper(ada: Visitor) -> None:
    page = ada.page
    page.emulate_media(media="print")
    for part in (".side", ".top", ".bar", ".skip"):
        expect(page.locator(part).first).to_be_hidden()
