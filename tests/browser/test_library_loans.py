"""Lending in two taps, finding while one types, and bringing in a file, in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.visiting import PASSWORD, Visitor
from tests.support.server import Server

EXPORT = Path(__file__).parents[1] / "library" / "rules" / "formats" / "exports" / "goodreads.csv"
TITLES = ("Emma", "Middlemarch", "Moominland Midwinter")

# A page that was loaded anew would have forgotten it.
MARK = "window.wasHere = true"
MARKED = "window.wasHere === true"


class Shelf:
    """Ada's window, and a library with a few books."""

    def __init__(self, chromium: Browser, server: Server, **options: bool) -> None:
        self.ada = Visitor(chromium, server, **options)
        self.ada.set_up("Ada")
        self.page = self.ada.page
        self.library = self.call("libraries", {"library_name": "Home"})["library_id"]
        self.items = {title: self.add(title) for title in TITLES}

    def call(self, path: str, body: Any, who: Visitor | None = None) -> Any:
        """What the API answers to something that is sent."""
        asked = (who or self.ada).context.request
        answer = asked.post(f"{self.ada.base}/api/v1/{path}", data=body)
        assert answer.ok, answer.text()
        return answer.json() if answer.body() else None

    def add(self, title: str) -> str:
        """Puts a book on the shelf."""
        book = {"kind": "book", "title": title}
        return str(self.call(f"libraries/{self.library}/items", book)["item"]["item_id"])

    def lend(self, title: str, to: str, **more: str) -> None:
        """Lends a book, also until a day that is over."""
        path = f"libraries/{self.library}/items/{self.items[title]}/lend"
        self.call(path, {"lent_to": to, "past_due": True, **more})

    def invite(self, browser: Browser, server: Server, name: str) -> Visitor:
        """The window of somebody else."""
        invitation = self.call("invitations", {"note": "", "uses": 1})["secret"]
        other = Visitor(browser, server)
        new = {"display_name": name, "email": f"{name.lower()}@example.org", "password": PASSWORD}
        self.call("accounts", {**new, "invitation": invitation}, other)
        return other

    @property
    def home(self) -> str:
        """The address of the shelf."""
        return f"/library/{self.library}"

    def place(self, title: str) -> str:
        """The address of a book."""
        return f"{self.home}/items/{self.items[title]}"


def loan(page: Page) -> Locator:
    """The part of a page that says who has an item."""
    return page.locator("#loan-heading")


def tap_back(page: Page) -> None:
    """Takes back what is shown first, in two taps."""
    page.locator("summary", has_text="Mark returned").first.click()
    page.get_by_role("button", name="Yes, mark returned").first.click()


@pytest.mark.parametrize("phone", [True, False], ids=["phone", "desk"])
def test_a_book_is_lent_in_two_taps_and_taken_back_without_loading_a_page_anew(
    chromium: Browser, server: Server, phone: bool
) -> None:
    shelf = Shelf(chromium, server, phone=phone)
    shelf.lend("Emma", "Grandma Dora")
    page = shelf.ada.go(shelf.place("Middlemarch"))
    page.evaluate(MARK)

    page.get_by_role("link", name="Lend", exact=True).click()
    page.get_by_role("button", name="Lend to Grandma Dora").click()
    expect(loan(page)).to_have_text("Grandma Dora has it")
    expect(loan(page)).to_be_focused()
    expect(page.locator("#said")).to_contain_text("Lent.")

    page.get_by_role("link", name="Set due date").click()
    page.get_by_text("2 weeks", exact=True).click()
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#loan")).to_contain_text("due in 14 days")

    tap_back(page)
    expect(loan(page)).to_have_text("Available")
    assert page.evaluate(MARKED)
    assert shelf.ada.wrong == []


def test_the_return_key_lends_to_whoever_was_typed(chromium: Browser, server: Server) -> None:
    shelf = Shelf(chromium, server, phone=True)
    shelf.lend("Emma", "Grandma Dora")
    page = shelf.ada.go(shelf.place("Middlemarch"))
    page.get_by_role("link", name="Lend", exact=True).click()
    field = page.get_by_label("Someone else")
    field.fill("Carl")
    field.press("Enter")
    expect(loan(page)).to_have_text("Carl has it")


def test_what_is_wrong_is_said_in_place_and_whoever_thinks_again_keeps_it(
    chromium: Browser, server: Server
) -> None:
    shelf = Shelf(chromium, server)
    page = shelf.ada.go(shelf.place("Middlemarch"))
    page.evaluate(MARK)
    page.get_by_role("link", name="Lend", exact=True).click()
    page.get_by_label("Lend to").fill("Carl")
    page.get_by_text("They have an account here").click()
    page.get_by_label("E-mail address").fill("carl@example.org")
    page.get_by_role("button", name="Lend", exact=True).click()
    expect(page.locator("#email-wrong")).to_contain_text("No account here has this e-mail address")
    expect(page.locator("#lent_to")).to_have_value("Carl")
    page.get_by_role("link", name="Cancel").click()
    expect(loan(page)).to_have_text("Available")
    assert page.evaluate(MARKED)


def test_from_the_list_it_is_two_taps_and_no_script_is_needed(
    chromium: Browser, server: Server
) -> None:
    shelf = Shelf(chromium, server, phone=True, scripts=False)
    shelf.lend("Emma", "Grandma Dora")
    page = shelf.ada.go(f"{shelf.home}?look=list")
    page.get_by_role("link", name="Lend Middlemarch").click()
    shelf.ada.press("Lend to Grandma Dora")
    row = page.locator(f"#item-{shelf.items['Middlemarch']}")
    expect(row).to_contain_text("with Grandma Dora")
    expect(page.locator("#said")).to_contain_text("Lent.")
    row.get_by_role("link", name="Middlemarch").click()
    expect(loan(page)).to_have_text("Grandma Dora has it")
    page.get_by_role("link", name="Set due date").click()
    page.get_by_text("Choose a date", exact=True).click()
    page.get_by_label("Date", exact=True).fill("2020-02-01")
    shelf.ada.press("Save")
    expect(page.locator("#loan")).to_contain_text("This date is in the past")
    shelf.ada.press("Yes, save this date")
    expect(page.locator("#loan")).to_contain_text("days overdue")

    shelf.ada.go("/library/loans")
    expect(page.locator(".sheaf-overdue")).to_contain_text("Middlemarch")
    tap_back(page)
    expect(page.locator("#said")).to_have_text("Welcome back! Marked as returned.")
    expect(page.locator("#loans")).not_to_contain_text("Middlemarch")
    shelf.ada.go(f"{shelf.place('Middlemarch')}/history")
    expect(page.locator(".timeline-one")).to_contain_text("Grandma Dora")
    page.locator("summary", has_text="Clear history").click()
    shelf.ada.press("Yes, clear it")
    expect(page.locator("#history")).to_contain_text("Never lent")


def test_what_is_taken_back_in_a_list_changes_there(chromium: Browser, server: Server) -> None:
    shelf = Shelf(chromium, server, phone=True)
    for path, row in ((f"{shelf.home}?look=list", "item"), ("/library/search?q=emma", "hit")):
        shelf.lend("Emma", "Carl")
        page = shelf.ada.go(path)
        page.evaluate(MARK)
        place = page.locator(f"#{row}-{shelf.items['Emma']}")
        expect(place).to_contain_text("with Carl")
        tap_back(page)
        expect(place.get_by_role("link", name="Lend Emma")).to_be_visible()
        expect(page.locator("#said")).to_contain_text("Welcome back! Marked as returned.")
        assert page.evaluate(MARKED)
    assert shelf.ada.wrong == []


def test_more_loans_join_the_list_under_one_heading(chromium: Browser, server: Server) -> None:
    shelf = Shelf(chromium, server)
    for number in range(51):
        title = f"Book {number}"
        shelf.items[title] = shelf.add(title)
        shelf.lend(title, "Carl")
    page = shelf.ada.go("/library/loans")
    expect(page.locator(".item-row")).to_have_count(50)
    page.get_by_role("link", name="Show more").click()
    expect(page.locator(".item-row")).to_have_count(51)
    expect(page.get_by_role("heading", name="No due date")).to_have_count(1)
    expect(page.get_by_role("link", name="Show more")).to_have_count(0)
    assert shelf.ada.look() == []


def test_a_pile_of_books_comes_back_on_one_page(chromium: Browser, server: Server) -> None:
    shelf = Shelf(chromium, server, phone=True)
    for title in TITLES:
        shelf.lend(title, "Carl")
    page = shelf.ada.go("/library/loans")
    page.evaluate(MARK)
    for left in (2, 1, 0):
        tap_back(page)
        expect(page.locator(".item-row")).to_have_count(left)
    expect(page.locator("#loans")).to_contain_text("Nothing is lent out")
    assert page.evaluate(MARKED)


def test_a_book_is_found_while_one_types_in_spite_of_a_slip(
    chromium: Browser, server: Server
) -> None:
    shelf = Shelf(chromium, server, phone=True)
    page = shelf.ada.go("/library/search")
    page.evaluate(MARK)
    field = page.locator("main").get_by_role("searchbox")
    expect(field).to_be_focused()
    field.press_sequentially("midlemarsh")
    expect(page.locator("#hits li")).to_have_count(1)
    expect(page.locator("#hits")).to_contain_text("Middlemarch")
    expect(page.locator("#found-number")).to_have_text("1 found")
    expect(field).to_be_focused()
    expect(field).to_have_value("midlemarsh")
    assert page.url.endswith("?q=midlemarsh")
    field.fill("zzzz")
    expect(page.locator("#found-number")).to_have_text("Nothing found")
    assert page.evaluate(MARKED)
    assert shelf.ada.wrong == []


def test_too_many_words_are_said_while_one_types(chromium: Browser, server: Server) -> None:
    shelf = Shelf(chromium, server, phone=True)
    page = shelf.ada.go("/library/search")
    field = page.locator("main").get_by_role("searchbox")
    field.fill("a b c d e f g h i j k l m")
    expect(page.locator("#q-says")).to_contain_text("Use at most 12 words.")
    assert shelf.ada.look() == []
    field.fill("emma")
    expect(page.locator("#hits")).to_contain_text("Emma")
    expect(page.locator("#q-says")).to_be_empty()


def test_what_is_typed_next_ends_the_search_before(chromium: Browser, server: Server) -> None:
    shelf = Shelf(chromium, server)
    page = shelf.ada.go("/library/search")
    page.route("**/search?q=emma", lambda route: None)  # it takes for ever
    field = page.locator("main").get_by_role("searchbox")
    with page.expect_request("**/search?q=emma") as slow:
        field.fill("emma")
    with page.expect_event("requestfailed", lambda one: one == slow.value):
        field.fill("moomin")
    expect(page.locator("#hits")).to_contain_text("Moominland Midwinter")
    expect(page.locator("#found-number")).to_have_text("1 found")


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
def test_a_file_is_looked_at_and_brought_in_to_the_end(
    chromium: Browser, server: Server, scripts: bool
) -> None:
    shelf = Shelf(chromium, server, phone=True, scripts=scripts)
    page = shelf.ada.go("/library/import")
    page.get_by_role("link", name="Import into Home").click()
    page.get_by_label("File", exact=True).set_input_files(EXPORT)
    shelf.ada.press("Preview")
    expect(page.locator("#import")).to_contain_text("The Fellowship of the Ring")
    shelf.ada.press("Import")
    report = page.locator("#report")
    if not scripts:
        while not report.is_visible():
            shelf.ada.go(f"{shelf.home}/import")
    expect(report).to_have_text("Import finished")
    page.get_by_role("link", name="Open library").click()
    expect(page.locator("#shelf")).to_contain_text("The Fellowship of the Ring")
    shelf.ada.go("/library/import")
    for kind in ("CSV", "JSON"):
        with page.expect_download() as taken:
            page.get_by_role("link", name=f"Export Home as {kind}").click()
        assert "The Fellowship of the Ring" in taken.value.path().read_text()
    assert shelf.ada.wrong == []


def test_an_import_says_what_it_will_do_and_is_undone(chromium: Browser, server: Server) -> None:
    shelf = Shelf(chromium, server)
    page = shelf.ada.go(f"{shelf.home}/import")
    page.get_by_label("File", exact=True).set_input_files(EXPORT)
    shelf.ada.press("Preview")
    outcome = page.locator("#outcome")
    expect(outcome).to_contain_text("5 will be added")
    expect(outcome).to_contain_text("2 skipped: by shelf")
    assert shelf.ada.look() == []
    page.locator(".chip", has_text="to-read").click()
    expect(outcome).to_contain_text("7 will be added")
    page.locator(".chip", has_text="to-read").click()
    expect(outcome).to_contain_text("5 will be added")
    shelf.ada.press("Import")
    expect(page.locator("#report")).to_have_text("Import finished")
    page.get_by_text("Undo this import").click()
    assert shelf.ada.look() == []
    shelf.ada.press("Yes, undo")
    expect(page.locator("#report")).to_have_text("Import undone")
    expect(page.locator(".numbers").first).to_contain_text("5 removed again")
    assert shelf.ada.look() == []
    shelf.ada.go(shelf.home)
    expect(page.locator("#shelf")).not_to_contain_text("The Fellowship of the Ring")


def test_a_due_date_in_the_past_is_asked_about(chromium: Browser, server: Server) -> None:
    shelf = Shelf(chromium, server, phone=True)
    page = shelf.ada.go(shelf.place("Emma"))
    page.get_by_role("link", name="Lend", exact=True).click()
    page.get_by_label("Choose a date").check()
    page.fill("#due_date", "2020-05-31")
    page.fill("#lent_to", "Carl")
    page.locator("#loan").get_by_role("button", name="Lend", exact=True).last.click()
    expect(page.locator("#due_date-wrong")).to_contain_text("in the past")
    assert shelf.ada.look() == []
    page.get_by_role("button", name="Yes, lend until that day").click()
    expect(page.locator("#loan")).to_contain_text("Carl has it")


def test_no_page_has_a_barrier_in_any_state(chromium: Browser, server: Server) -> None:
    shelf = Shelf(chromium, server)
    page, wrong = shelf.page, list[str]()

    def looked(*paths: str) -> None:
        for path in paths:
            shelf.ada.go(path)
            wrong.extend(shelf.ada.look())

    emma, middlemarch = shelf.place("Emma"), shelf.place("Middlemarch")
    looked("/library/loans", f"{emma}/lend", f"{emma}/history", emma)
    shelf.invite(chromium, server, "Ben")
    shelf.lend("Emma", "Ben", email="ben@example.org", due_date="2020-01-01")
    shelf.lend("Moominland Midwinter", "Carl")
    looked("/library/loans", emma, f"{emma}/due", f"{emma}/history", f"{middlemarch}/lend")
    looked(f"{shelf.home}?look=list")
    page.locator("summary", has_text="Mark returned").first.click()
    wrong.extend(shelf.ada.look())
    looked("/library/search", "/library/search?q=emma", "/library/search?q=zzzz")
    looked("/library/import", f"{shelf.home}/import")
    page.get_by_label("File", exact=True).set_input_files(EXPORT)
    shelf.ada.press("Preview")
    wrong.extend(shelf.ada.look())
    shelf.ada.press("Import")
    wrong.extend(shelf.ada.look())
    expect(page.locator("#report")).to_be_visible()
    wrong.extend(shelf.ada.look())
    assert wrong == []
