"""A library in a browser: made, filled, arranged, shared."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.visiting import PASSWORD, Visitor
from tests.support.server import Server

ROOM = "/library"
CAMERA = """
  navigator.mediaDevices.getUserMedia = async () => {
    const canvas = document.createElement("canvas");
    const pen = canvas.getContext("2d");
    setInterval(() => pen.fillRect(0, 0, 9, 9), 20);
    return canvas.captureStream();
  };
  window.BarcodeDetector = class {
    static async getSupportedFormats() { return ["ean_13"]; }
    async detect() { return [{ rawValue: "4006381333931" }, { rawValue: "9780261103252" }]; }
  };
"""
"""A camera that sees a pencil and a book, for a browser that cannot read barcodes."""


SIDEWAYS = "document.documentElement.scrollWidth > innerWidth"


def said(visitor: Visitor) -> str:
    """What the page says happened."""
    return visitor.page.locator("#said").inner_text().strip()


def follow(visitor: Visitor, text: str) -> None:
    """Follows the link that says this."""
    visitor.page.get_by_role("link", name=text, exact=True).first.click()
    visitor.page.wait_for_load_state()


def make_library(visitor: Visitor, name: str = "Home") -> str:
    """Makes a library; gives its address."""
    visitor.go(ROOM)
    visitor.fill(library_name=name)
    visitor.press("Create library")
    return visitor.page.url


def add_book(visitor: Visitor, shelf: str, title: str, **fields: str) -> str:
    """Types a book in; gives its address."""
    visitor.go(f"{shelf}/add")
    visitor.fill(title=title, **fields)
    visitor.press("Add to library")
    assert said(visitor).startswith("Added to the library")
    return visitor.page.url


def titles(visitor: Visitor) -> list[str]:
    """What stands on the shelf, in order."""
    return visitor.page.locator("#shelf .standing-title").all_inner_texts()


@pytest.fixture
def owner(chromium: Browser, server: Server) -> Callable[..., Visitor]:
    """Makes Ada, who has just set everything up."""

    def make(**options: bool) -> Visitor:
        ada = Visitor(chromium, server, **options)
        ada.set_up("Ada")
        return ada

    return make


@pytest.mark.smoke(phone=True, scripts=True)
@pytest.mark.parametrize("phone", [True, False], ids=["phone", "desk"])
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_from_an_empty_room_to_a_shelf_in_order(
    owner: Callable[..., Visitor], phone: bool, scripts: bool
) -> None:
    ada = owner(phone=phone, scripts=scripts)
    shelf = make_library(ada)
    assert ada.heading == "Home"
    follow(ada, "Add item")
    ada.fill(
        title="The Tombs of Atuan", authors="Ursula K. Le Guin", collection="Earthsea", order="2"
    )
    ada.press("Add to library")
    assert said(ada) == "Added to the library."
    add_book(ada, shelf, "A Wizard of Earthsea", collection="earthsea", order="1")
    add_book(ada, shelf, "Emma", authors="Jane Austen")

    ada.go(shelf)
    assert titles(ada) == ["1. A Wizard of Earthsea", "2. The Tombs of Atuan", "Emma"]
    follow(ada, "List")
    rows = ada.page.locator("#shelf .row-name").all_inner_texts()
    assert [row.strip() for row in rows] == ["A Wizard of Earthsea", "The Tombs of Atuan", "Emma"]
    follow(ada, "Earthsea")
    assert ada.heading == "Earthsea"
    first = ada.page.get_by_label("Number of A Wizard of Earthsea", exact=True)
    first.fill("3")
    ada.press("Save the number of A Wizard of Earthsea")
    expect(ada.page.locator("#said")).to_contain_text("Order saved.")
    expect(ada.page.locator("#members .row-name").first).to_contain_text("The Tombs of Atuan")

    follow(ada, "The Tombs of Atuan")
    assert "2 of 2 in Earthsea" in ada.page.locator(".item-place").inner_text()
    follow(ada, "Edit")
    ada.fill(title="The Tombs")
    ada.press("Save")
    assert said(ada) == "Saved."
    assert ada.heading == "The Tombs"
    ada.page.locator("summary", has_text="Delete").click()
    ada.press("Yes, delete")
    assert said(ada) == "Deleted."


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_film_is_looked_up_chosen_and_added(owner: Callable[..., Visitor], scripts: bool) -> None:
    ada = owner(phone=True, scripts=scripts)
    shelf = make_library(ada)
    ada.go(f"{shelf}/add?kind=film")
    ada.fill(collection="Bears", sought="Paddington")
    ada.page.press("#sought", "Enter")
    expect(ada.page.locator("#offers")).to_contain_text("Which one is it?")
    ada.press("Choose Paddington")
    expect(ada.page.locator("#offers")).to_contain_text("Found. Check the details, then save.")
    assert ada.page.input_value("#title") == "Paddington"
    assert ada.page.input_value("#release_year") == "2014"
    assert ada.page.input_value("#collection") == "Bears", "what was typed stays"
    ada.page.press("#title", "Enter")
    ada.page.wait_for_url("**/items/*")
    assert ada.heading == "Paddington"
    assert "directed by Paul King" in ada.page.locator("#item").inner_text()


def test_a_double_press_adds_one_book(owner: Callable[..., Visitor]) -> None:
    ada = owner(phone=True)
    shelf = make_library(ada)
    ada.go(f"{shelf}/add")
    ada.fill(title="Emma")
    ada.page.get_by_role("button", name="Add to library").dblclick()
    ada.page.wait_for_url("**/items/*")
    assert ada.heading == "Emma"
    ada.go(shelf)
    assert titles(ada) == ["Emma"]


def test_a_word_without_an_end_stays_on_the_screen(owner: Callable[..., Visitor]) -> None:
    ada = owner()
    shelf = make_library(ada)
    book = add_book(ada, shelf, "W" * 100, authors="A" * 100, collection="C" * 100)
    lent = {"lent_to": "B" * 50, "due_date": "2026-01-01", "past_due": True}
    lend = book.replace(ROOM, "/api/v1/libraries", 1) + "/lend"
    assert ada.context.request.post(lend, data=lent).ok
    for address in (book, f"{book}/due", f"{book}/history", f"{book}/edit", f"{shelf}?look=list"):
        ada.go(address)
        for width in (320, 390, 600, 768, 1024, 1280):
            ada.page.set_viewport_size({"width": width, "height": 800})
            assert not ada.page.evaluate(SIDEWAYS), (address, width)


def test_more_of_a_long_shelf_joins_it_and_a_cut_collection_goes_on(
    owner: Callable[..., Visitor],
) -> None:
    ada = owner()
    shelf = make_library(ada)
    for number in range(1, 50):
        answer = ada.context.request.post(
            f"{shelf}/add",
            form={"kind": "book", "title": f"Moomin {number:02}", "collection": "Moomins"},
            headers={"Origin": ada.base},
        )
        assert answer.ok
    ada.go(shelf)
    assert len(titles(ada)) == 47
    ada.page.get_by_role("link", name="Show more").click()
    expect(ada.page.locator("#shelf .standing-title")).to_have_count(49)
    assert titles(ada)[-1] == "49. Moomin 49"
    expect(ada.page.get_by_text("continued")).to_be_hidden()
    expect(ada.page.get_by_role("link", name="Show more")).to_have_count(0)


def test_a_barcode_is_read_with_the_camera(owner: Callable[..., Visitor]) -> None:
    ada = owner(phone=True)
    shelf = make_library(ada)
    ada.go(f"{shelf}/add")
    assert ada.page.locator("isbn-scanner").is_hidden(), "this browser reads no barcodes"
    ada.context.add_init_script(CAMERA)
    ada.go(f"{shelf}/add")
    with ada.page.expect_request(lambda request: "/look-up" in request.url) as asked:
        ada.page.get_by_role("button", name="the barcode with the camera").click()
    assert "sought=9780261103252" in (asked.value.post_data or ""), "books alone count"


def test_at_a_desk_the_shelf_stands_beside_the_item(owner: Callable[..., Visitor]) -> None:
    ada = owner()
    shelf = make_library(ada)
    add_book(ada, shelf, "Dune")
    add_book(ada, shelf, "Emma")
    beside = ada.page.get_by_role("complementary")
    expect(beside).to_contain_text("Dune")
    beside.get_by_role("link", name="Dune").click()
    assert ada.heading == "Dune"
    assert beside.locator("[aria-current=page]").inner_text().strip() == "Dune"


def test_it_is_shared_looked_at_and_left(
    chromium: Browser, server: Server, owner: Callable[..., Visitor]
) -> None:
    ada = owner()
    shelf = make_library(ada)
    book = add_book(ada, shelf, "Emma")
    ada.go("/admin/invitations")
    ada.press("Create invitation")
    link = ada.page.input_value("#link")
    ben = Visitor(chromium, server, phone=True)
    ben.go(link)
    ben.fill(display_name="Ben", email="ben@example.org", password=PASSWORD)
    ben.press("Create account")

    ada.go(f"{shelf}/settings")
    ada.fill(email="ben@example.org")
    ada.press("Share")
    assert said(ada) == "Library shared."

    ben.go(ROOM)
    assert "from Ada" in ben.page.locator("#shared").inner_text()
    assert ben.look() == []
    ben.go(shelf)
    assert "shared by Ada" in ben.page.locator("main").inner_text()
    assert ben.look() == []
    ben.go(book)
    assert ben.page.get_by_role("link", name="Edit", exact=True).count() == 0
    assert ben.look() == []
    ben.go(shelf)
    ben.page.locator("summary", has_text="Leave library").click()
    ben.press("Yes, leave")
    assert said(ben) == "The library is no longer shared with you."


def test_two_windows_edit_one_book_and_nothing_is_lost(owner: Callable[..., Visitor]) -> None:
    ada = owner()
    shelf = make_library(ada)
    book = add_book(ada, shelf, "Emma", summary="A match.")
    here, there = ada.page, ada.context.new_page()
    for window in (here, there):
        window.goto(f"{book}/edit")
        window.locator("summary", has_text="Notes, tags").click()
    there.fill("#review", "Theirs.")
    there.fill("#tags", "irony, classic")
    there.get_by_role("button", name="Save", exact=True).last.click()
    expect(there.locator("#yours")).to_contain_text("Theirs.")

    here.fill("#title", "Emma!")
    here.fill("#review", "Mine.")
    here.get_by_role("button", name="Save", exact=True).last.click()
    expect(here.locator(".meanwhile")).to_contain_text("Theirs.")
    assert here.input_value("#review") == "Mine."
    assert here.input_value("#tags") == "irony, classic"
    assert ada.look() == []
    here.get_by_role("button", name="Save anyway").click()
    expect(here.locator("#yours")).to_contain_text("Mine.")
    expect(here.locator(".facts").last).to_contain_text("irony")
    assert ada.heading == "Emma!"
    assert ada.look() == []


def test_every_page_can_be_used_by_everybody(owner: Callable[..., Visitor]) -> None:
    ada = owner()
    ada.go(ROOM)
    assert ada.look() == []
    shelf = make_library(ada)
    assert ada.look() == []
    add_book(ada, shelf, "A Wizard of Earthsea", collection="Earthsea", isbn="9780261103252")
    add_book(ada, shelf, "The Tombs of Atuan", collection="Earthsea", summary="A ring.\n\nA maze.")
    book = add_book(ada, shelf, "Twice", isbn="9780261103252")
    assert ada.look() == []
    ada.go(f"{shelf}?look=list")
    collection = ada.page.locator(".collection-name").first.get_attribute("href") or ""
    for address in (
        ROOM,
        f"{shelf}?look=list",
        f"{shelf}?look=covers",
        f"{shelf}?letter=z",
        f"{shelf}/add",
        f"{shelf}/add?kind=film",
        f"{book}/edit",
        f"{shelf}/collections",
        collection,
        f"{shelf}/settings",
    ):
        ada.go(address)
        assert ada.look() == []
    ada.go(f"{shelf}/add")
    ada.fill(title="x", isbn="12")
    ada.press("Add to library")
    assert "not a valid ISBN" in ada.page.locator("#isbn-wrong").inner_text()
    assert ada.look() == []
