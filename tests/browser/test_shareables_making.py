"""Making and looking after pages on a phone: with scripts and without, and by keyboard."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from commonroom.open_store import open_store
from commonroom.settings import Settings, secrets_of
from commonroom.shareables.rules.checklists import TypedChecklist, TypedChecklistItem
from commonroom.shareables.rules.short_ids import recovery_address
from commonroom.shareables.service import gate
from commonroom.shareables.service.create import Created, create_page
from commonroom.shareables.service.passes import PURPOSE, Passes
from tests.browser.visiting import Visitor
from tests.shareables.furniture import YEAR
from tests.support.server import Server, serving

SCRIPTS = pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])


class Maker(Visitor):
    """Somebody with a phone who makes pages."""

    def __init__(self, browser: Browser, server: Server, *, scripts: bool = True) -> None:
        super().__init__(browser, server, phone=True, scripts=scripts)
        self.scripts = scripts

    def check(self) -> None:
        """Refuses a page that is wrong for the eye, the ear or the small screen."""
        # What looks for barriers is a script itself.
        if self.scripts:
            assert self.look() == []
        else:
            assert not self.page.evaluate("document.documentElement.scrollWidth > innerWidth")


def named(page: Page, name: str) -> Locator:
    """The fields of a name that somebody can type into."""
    return page.locator(f"form [name={name}]:not([type=hidden])")


def typed(page: Page, name: str) -> list[str]:
    """What stands in the fields of a name, without those that are empty."""
    return [text for one in named(page, name).all() if (text := one.input_value())]


def press(page: Page, name: str) -> None:
    """Presses a button that leads to another page."""
    page.get_by_role("button", name=name, exact=True).last.click()
    page.wait_for_load_state()


def made(visitor: Maker) -> str:
    """The address of the page that was just made."""
    expect(visitor.page.get_by_role("heading", name="Your page is ready")).to_be_visible()
    visitor.check()
    return visitor.page.url.removesuffix("/ready")


def make_checklist(visitor: Maker, *items: str) -> str:
    """The address of a new checklist."""
    page = visitor.go("/s/new/checklist")
    visitor.fill(name="Picnic")
    for place, item in enumerate(items):
        if place == named(page, "item").count():
            press(page, "Add item")
        named(page, "item").nth(place).fill(item)
    press(page, "Create checklist")
    return made(visitor)


@SCRIPTS
def test_a_checklist_is_made_in_one_screen(
    chromium: Browser, server: Server, scripts: bool
) -> None:
    guest = Maker(chromium, server, scripts=scripts)
    guest.go("/s").get_by_role("link", name="Checklist").click()
    guest.check()
    address = make_checklist(guest, "Bread", "Cheese", "Apples", "Blanket", "Corkscrew")
    page = guest.go(address)
    for item in ("Bread", "Cheese", "Apples", "Blanket", "Corkscrew"):
        expect(page.get_by_text(item, exact=True)).to_be_visible()
    assert guest.wrong == []


@SCRIPTS
def test_an_event_is_made_in_one_screen(chromium: Browser, server: Server, scripts: bool) -> None:
    guest = Maker(chromium, server, scripts=scripts)
    page = guest.go("/s/new/event")
    guest.fill(name="Lea’s birthday", start_time=f"{YEAR}-07-01T15:00", location="The garden")
    if not scripts:
        page.select_option("#time_zone", "Europe/Paris")
    guest.check()
    press(page, "Create event")
    address = made(guest)
    expect(guest.go(address).get_by_role("heading", name="Lea’s birthday")).to_be_visible()
    expect(guest.page.get_by_text("15:00").first).to_be_visible()


@SCRIPTS
def test_a_poll_is_made_in_one_screen(chromium: Browser, server: Server, scripts: bool) -> None:
    guest = Maker(chromium, server, scripts=scripts)
    page = guest.go("/s/new/poll")
    guest.fill(name="Summer")
    named(page, "title").fill("Where to?")
    for place, option in enumerate(("The sea", "The hills")):
        named(page, "option").nth(place).fill(option)
    page.get_by_role("button", name="Add question").click()
    expect(named(page, "title")).to_have_count(2)
    named(page, "title").nth(1).fill("When?")
    second = page.locator(".asks").nth(1)
    for place, option in enumerate(("June", "July")):
        second.locator("[name=option]").nth(place).fill(option)
    second.get_by_label("Multiple answers").check()
    guest.check()
    press(page, "Create poll")
    page = guest.go(made(guest))
    for words in ("Where to?", "When?", "The hills", "July"):
        expect(page.get_by_text(words).first).to_be_visible()


def test_rows_come_as_one_types_and_the_keyboard_goes_on_in_them(
    chromium: Browser, server: Server
) -> None:
    guest = Maker(chromium, server)
    page = guest.go("/s/new/checklist")
    guest.fill(name="Picnic")
    rows = named(page, "item")
    rows.first.focus()
    for item in ("Bread", "Cheese", "Apples", "Blanket", "Corkscrew", "Figs"):
        page.keyboard.type(item)
        page.keyboard.press("Enter")
    expect(rows).to_have_count(7)
    expect(rows.nth(6)).to_be_focused()
    page.keyboard.press("Backspace")
    expect(rows.nth(5)).to_be_focused()
    assert typed(page, "item") == ["Bread", "Cheese", "Apples", "Blanket", "Corkscrew", "Figs"]
    assert page.url.endswith("/s/new/checklist")


def test_lines_that_are_pasted_become_rows(chromium: Browser, server: Server) -> None:
    guest = Maker(chromium, server)
    page = guest.go("/s/new/checklist")
    named(page, "item").nth(1).fill("Salt")
    named(page, "item").first.focus()
    page.evaluate(
        """text => {
          const data = new DataTransfer();
          data.setData("text", text);
          document.activeElement.dispatchEvent(
            new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
        }""",
        "Bread\r\nCheese\n\n  Apples ",
    )
    assert typed(page, "item") == ["Bread", "Cheese", "Apples", "Salt"]


@SCRIPTS
def test_rows_are_moved_and_removed_by_buttons(
    chromium: Browser, server: Server, scripts: bool
) -> None:
    guest = Maker(chromium, server, scripts=scripts)
    page = guest.go("/s/new/checklist")
    for place, item in enumerate(("Bread", "Cheese", "Apples")):
        named(page, "item").nth(place).fill(item)
    for place, button, after in (
        (2, "Up", ["Bread", "Apples", "Cheese"]),
        (0, "Down", ["Apples", "Bread", "Cheese"]),
        (1, "Remove", ["Apples", "Cheese"]),
    ):
        row = page.locator(".line").nth(place)
        if not row.get_by_role("button", name=button).is_visible():
            row.locator("summary").click()
        row.get_by_role("button", name=button).click()
        page.wait_for_load_state()
        assert typed(page, "item") == after
    guest.check()


def test_rows_are_moved_by_keyboard_and_it_is_said_where_they_are(
    chromium: Browser, server: Server
) -> None:
    guest = Maker(chromium, server)
    address = make_checklist(guest, "Bread", "Cheese", "Apples")
    page = guest.go(f"{address}/edit")
    ids = [one.input_value() for one in page.locator("[name=item_id]").all()]
    grip = page.locator(".line .grip").nth(2)
    grip.focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    assert typed(page, "item") == ["Apples", "Bread", "Cheese"]
    expect(page.locator(".line .grip").first).to_be_focused()
    expect(page.locator("row-list > [role=status]")).to_have_text("Place 1 of 4")
    named(page, "item").nth(1).focus()
    page.keyboard.press("Alt+ArrowDown")
    assert typed(page, "item") == ["Apples", "Cheese", "Bread"]
    press(page, "Save")
    expect(page.locator("#said")).to_contain_text("Saved")
    guest.go(f"{address}/edit")
    assert typed(page, "item") == ["Apples", "Cheese", "Bread"]
    after = [one.input_value() for one in page.locator("[name=item_id]").all()]
    assert after[:3] == [ids[2], ids[1], ids[0]]


def test_rows_are_dragged(chromium: Browser, server: Server) -> None:
    guest = Maker(chromium, server)
    page = guest.go("/s/new/checklist")
    for place, item in enumerate(("Bread", "Cheese", "Apples")):
        named(page, "item").nth(place).fill(item)
    grip = page.locator(".line .grip")
    held, below = grip.nth(0).bounding_box(), grip.nth(2).bounding_box()
    assert held is not None
    assert below is not None
    page.mouse.move(held["x"] + 10, held["y"] + 20)
    page.mouse.down()
    page.mouse.move(held["x"] + 10, below["y"] + 40, steps=12)
    page.mouse.up()
    assert typed(page, "item") == ["Cheese", "Apples", "Bread"]


@SCRIPTS
def test_two_windows_that_edit_one_page_lose_nothing(
    chromium: Browser, server: Server, scripts: bool
) -> None:
    guest = Maker(chromium, server, scripts=scripts)
    address = make_checklist(guest, "Bread", "Cheese")
    mine, theirs = guest.go(f"{address}/edit"), guest.context.new_page()
    theirs.goto(f"{address}/edit")
    theirs.fill("#name", "Picnic on Sunday")
    named(theirs, "item").first.fill("Rolls")
    named(theirs, "item").nth(2).fill("Salt")
    press(theirs, "Save")

    named(mine, "item").first.fill("Baguette")
    press(mine, "Save")
    expect(mine.get_by_role("alert")).to_contain_text("Someone else saved this page")
    expect(mine.get_by_text("On the page now: Rolls")).to_be_visible()
    expect(mine.get_by_text("On the page now: Picnic on Sunday")).to_be_visible()
    assert typed(mine, "item") == ["Baguette", "Cheese", "Salt"]
    guest.check()
    press(mine, "Save anyway")
    expect(mine.locator("#said")).to_contain_text("Saved")
    for item in ("Baguette", "Cheese", "Salt"):
        expect(mine.get_by_text(item, exact=True)).to_be_visible()


@SCRIPTS
def test_a_passcode_that_is_set_and_changed_is_asked_of_the_other_window(
    chromium: Browser, server: Server, scripts: bool
) -> None:
    guest = Maker(chromium, server, scripts=scripts)
    other = Maker(chromium, server, scripts=scripts)
    address = make_checklist(guest, "Bread")
    expect(other.go(address).get_by_text("Bread", exact=True)).to_be_visible()
    for passcode in ("fig tree", "plum tree"):
        page = guest.go(f"{address}/admin")
        guest.check()
        page.fill("#view-passcode", passcode)
        page.locator(".lock").first.get_by_role("button").first.click()
        expect(page.locator("#said")).to_contain_text("Passcode saved.")
        if not scripts:  # with them, it notices by itself
            other.go(address)
        expect(other.page.locator("h1")).to_have_text("This page needs a passcode")
        other.fill(passcode=passcode)
        other.press("Open page")
        expect(other.page.get_by_text("Bread", exact=True)).to_be_visible()
    expect(guest.go(address).get_by_text("Bread", exact=True)).to_be_visible()


def test_what_people_chose_is_dropped_only_when_that_is_confirmed(
    chromium: Browser, server: Server
) -> None:
    guest = Maker(chromium, server)
    page = guest.go("/s/new/poll")
    guest.fill(name="Sea or hills?")
    for place, option in enumerate(("The sea", "The hills", "A lake")):
        named(page, "option").nth(place).fill(option)
    press(page, "Create poll")
    address = made(guest)
    page = guest.go(address)
    page.get_by_label("The sea").check()
    page.get_by_role("button", name="Send vote").click()
    expect(page.locator("#said")).to_contain_text("Your vote is counted")

    page = guest.go(f"{address}/edit")
    first = page.locator(".line").first
    expect(first).to_contain_text("1 vote")
    first.locator("summary").click()
    first.get_by_role("button", name="Remove").click()
    press(page, "Save")
    expect(page.get_by_role("alert")).to_contain_text("The sea")
    guest.check()
    page.get_by_role("button", name="Save and delete them").click()
    expect(page.locator("#said")).to_contain_text("Saved")
    guest.go(f"{address}/edit")
    assert typed(page, "option") == ["The hills", "A lake"]


def test_a_page_is_made_once_more_listed_and_deleted(chromium: Browser, server: Server) -> None:
    ada = Maker(chromium, server)
    ada.set_up("Ada")
    made_at = make_checklist(ada, "Bread")
    page = ada.go(f"{made_at}/admin")
    page.get_by_role("button", name="Duplicate").click()
    expect(page.get_by_role("heading", name="Your new page is ready")).to_be_visible()
    new = page.url.removesuffix("/ready")
    assert new != made_at
    expect(ada.go("/s").locator(".page-row")).to_have_count(2)
    ada.check()
    page = ada.go(f"{new}/admin")
    page.get_by_text("Delete page", exact=True).click()
    page.get_by_role("button", name="Yes, delete").click()
    expect(page.locator("#said")).to_contain_text("Page deleted")
    expect(page.locator(".page-row")).to_have_count(1)


def made_a_week_ago(data: Path) -> str:
    """The way back in to a page whose time is over, in an installation that is to be started."""

    async def make_it() -> Created:
        settings = Settings(data=data)
        async with open_store(settings, create=True) as store:
            passes = Passes(secrets_of(settings).derived(PURPOSE))
            typed = TypedChecklist(name="Picnic", items=[TypedChecklistItem(name="Bread")])
            return await create_page(
                gate.ShareableVisitor(store, passes, time.time() - 8 * 24 * 3600),
                typed,
                expires_after=7,
            )

    # Playwright has a loop running in this thread.
    with ThreadPoolExecutor(1) as elsewhere:
        made = elsewhere.submit(asyncio.run, make_it()).result()
    return recovery_address(made.page.short_id, made.token)


def test_a_page_whose_time_is_over_is_made_anew(chromium: Browser, tmp_path: Path) -> None:
    way_back = made_a_week_ago(tmp_path / "data")
    with serving(tmp_path / "data") as server:
        guest, other = Maker(chromium, server), Maker(chromium, server)
        old = way_back.partition("/recover")[0]
        page = guest.go(way_back)
        page.locator("main form button").first.click()
        page.wait_for_load_state()
        page = guest.go(f"{old}/edit")
        expect(page.locator("#said")).to_contain_text("has expired")
        guest.check()
        page.get_by_role("button", name="Duplicate").click()
        expect(page.get_by_role("heading", name="Your new page is ready")).to_be_visible()
        guest.check()
        new = page.url.removesuffix("/ready")
        expect(other.go(new).get_by_text("Bread", exact=True)).to_be_visible()
        other.go(old)
        assert "expired" in other.heading


def test_times_of_a_guest_are_on_the_clock_of_their_device(
    chromium: Browser, server: Server
) -> None:
    base = f"http://127.0.0.1:{server.port}"
    abroad = chromium.new_context(timezone_id="Asia/Tokyo")
    poll = {
        "name": "Summer",
        "closes_at": f"{YEAR}-07-01T18:00:00Z",
        "questions": [{"title": "Where?", "options": [{"label": "Sea"}, {"label": "Hills"}]}],
    }
    answer = abroad.request.post(f"{base}/api/v1/shareables/polls", data=poll).json()
    page = abroad.new_page()
    page.goto(base + answer["recovery_path"])
    page.locator("main form button").first.click()
    expect(page.get_by_role("heading", name="Summer")).to_be_visible()
    page.goto(f"{base}{answer['page']['path']}/edit")
    expect(page.locator("#closes_at")).to_have_value(f"{YEAR}-07-02T03:00")
    expect(page.locator("#time_zone")).to_have_value("Asia/Tokyo")
