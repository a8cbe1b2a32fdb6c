"""Three visits to watchlists: a stranger's, a curator's day, a follower's evening."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from typing import Any, TypeAlias

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.visiting import DESK, PASSWORD, Visitor
from tests.support.server import Server, run_command, serving
from tests.support.waiting import wait_for

Arrive: TypeAlias = Callable[..., Visitor]

NUMBERS = count(1)
DESK_WITHOUT_SCRIPTS = pytest.param(False, False, id="desk without scripts")
WAYS = [
    pytest.param(False, True, id="desk"),
    pytest.param(True, True, id="phone"),
    pytest.param(True, False, id="phone without scripts"),
]


def lists_heists(server: Server, path: str) -> bool:
    """Returns whether a list of the demonstration is found."""
    return "Heists that hold up" in server.get(f"/api/v1/{path}")[2]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The demonstration, whose curators have lists that one wants to read; anybody may join."""
    data = tmp_path_factory.mktemp("watchlists") / "data"
    run_command("demo", "--data", str(data))
    with serving(data, COMMONROOM_SIGN_UP="open") as server:
        # What lists are found by is worked out once it runs, within seconds.
        for path in ("watchlists?film=161", "watchlists?genre=crime", "search?q=heists"):
            wait_for(partial(lists_heists, server, path), path)
        yield server


@pytest.fixture
def arrive(chromium: Browser, house: Server) -> Arrive:
    """Opens a window of a guest, of Maya who runs the house, or of somebody who has just joined."""

    def opened(name: str = "", **options: Any) -> Visitor:
        visitor = Visitor(chromium, house, **options)
        if name == "Maya":
            known = {"email": "maya@home.example", "password": "a sofa for everyone"}
            call(visitor, "post", "session", known)
        elif name:
            email = f"{name.lower()}{next(NUMBERS)}@example.org"
            new = {"email": email, "password": PASSWORD, "display_name": name}
            call(visitor, "post", "accounts", new)
            call(visitor, "post", "session", {"email": email, "password": PASSWORD})
        return visitor

    return opened


def call(visitor: Visitor, method: str, path: str, body: Any = None) -> Any:
    """Asks the API as whoever visits."""
    answer = visitor.context.request.fetch(
        f"{visitor.base}/api/v1/{path}", method=method, data=body
    )
    assert answer.ok, answer.text()
    return answer.json() if answer.status != 204 else None


def examine(visitor: Visitor, wrong: list[str], *, at_all: bool) -> None:
    """Notes what is wrong with the page, in both themes and on both screens; once for all ways."""
    if at_all:
        wrong += visitor.look()
        visitor.page.set_viewport_size(DESK)


def follow(visitor: Visitor, name: str, within: str = "main") -> None:
    """Follows the link that says this."""
    visitor.page.locator(within).get_by_role("link", name=name).first.click()
    visitor.page.wait_for_load_state()


def words(visitor: Visitor) -> str:
    """What the page says."""
    return " ".join(visitor.page.locator("main").inner_text().split())


def order(visitor: Visitor) -> list[str]:
    """The titles of a list that is being arranged, as they stand."""
    return visitor.page.locator("#order .row-name").all_inner_texts()


def has_order(visitor: Visitor, *titles: str) -> None:
    """Waits until the titles stand so."""
    expect(visitor.page.locator("#order .row-name")).to_have_text(list(titles))


@pytest.mark.parametrize("phone,scripts", [*WAYS, DESK_WITHOUT_SCRIPTS])
def test_a_strangers_visit(arrive: Arrive, phone: bool, scripts: bool) -> None:
    guest = arrive(phone=phone, scripts=scripts)
    wrong: list[str] = []
    look = partial(examine, guest, wrong, at_all=scripts and not phone)

    guest.go("/watchlists")
    assert guest.heading == "Watchlists"
    look()
    guest.page.locator(".browse-more > summary").click()
    follow(guest, "Crime", ".browse-choices")
    assert guest.heading == "Lists of Crime"
    look()

    follow(guest, "Heists that hold up")
    assert guest.heading == "Heists that hold up"
    assert "8 titles" in words(guest)
    assert guest.page.locator(".note").count() > 0, "a list says why its titles are on it"
    look()
    follow(guest, "Posters")
    expect(guest.page.locator(".poster-grid > li")).to_have_count(8)
    assert "1. Ocean's Eleven" in words(guest)
    look()
    guest.page.get_by_text("Share or copy").click()
    address = guest.page.locator("#share").input_value()
    assert address == guest.page.url.partition("?")[0]

    follow(guest, "ines")
    assert guest.heading == "ines"
    follow(guest, "Heists that hold up")
    look()

    follow(guest, "Ocean's Eleven")
    assert guest.heading == "Ocean's Eleven"
    assert "On these lists" in words(guest)
    assert "Your opinion" not in words(guest)
    look()
    follow(guest, "Heists that hold up")
    follow(guest, "Search", "header")
    guest.fill(q="heists")
    guest.page.keyboard.press("Enter")
    found = guest.page.locator("[data-result]", has_text=re.compile("Heists that hold up"))
    found.first.click()
    assert guest.heading == "Heists that hold up"
    follow(guest, "Sign in to follow")
    assert "/sign-in?next=/lists/" in guest.page.url.replace("%2F", "/")
    assert wrong == []


@pytest.mark.smoke(phone=True, scripts=True)
@pytest.mark.parametrize("phone,scripts", WAYS)
def test_a_curators_day(arrive: Arrive, phone: bool, scripts: bool) -> None:
    cleo, maya = arrive("Cleo", phone=phone, scripts=scripts), arrive("Maya", scripts=scripts)
    wrong: list[str] = []
    look = partial(examine, wrong=wrong, at_all=scripts and not phone)

    cleo.go("/watchlists/mine")
    follow(cleo, "Profile")
    cleo.fill(motivation="I have seen too many films.")
    look(cleo)
    cleo.press("Ask to become a curator")
    assert "You asked to become a curator." in words(cleo)
    maya.go("/admin/curators")
    look(maya)
    maya.page.locator("#curators .row", has_text="I have seen too many films.").get_by_role(
        "button", name="Approve"
    ).first.click()
    maya.page.wait_for_load_state()

    cleo.go("/watchlists/new")
    cleo.fill(title="Doors and what is behind", tags="doors")
    expect(cleo.page.get_by_label("Everyone")).to_be_checked()
    look(cleo)
    cleo.press("Create list")
    assert cleo.heading == "Add and arrange"
    add_in_a_row(cleo, ("matrix", "alien", "godfather", "hugo"), scripts=scripts)
    has_order(cleo, "The Matrix", "Alien", "The Godfather", "Hugo")
    look(cleo)

    say_why(cleo, "Alien", "The kitchen scene.")
    expect(cleo.page.locator(".note-below")).to_have_text("The kitchen scene.")
    press_step(cleo, "Move Hugo up")
    has_order(cleo, "The Matrix", "Alien", "Hugo", "The Godfather")
    press_step(cleo, "Move Hugo up")
    has_order(cleo, "The Matrix", "Hugo", "Alien", "The Godfather")
    if scripts and not phone:
        drag(cleo, "The Godfather", above="The Matrix")
        has_order(cleo, "The Godfather", "The Matrix", "Hugo", "Alien")
        cleo.page.reload()
        has_order(cleo, "The Godfather", "The Matrix", "Hugo", "Alien")
    look(cleo)

    follow(cleo, "Done")
    here = cleo.page.url
    maya.go(here)
    maya.press("Follow this list")
    expect(maya.page.get_by_role("button", name="Following", exact=True)).to_be_visible()
    maya.fill(text="The third one!")
    maya.press("Comment")
    maya.go("/watchlists")
    assert "Doors and what is behind" in words(maya)

    cleo.go(here)
    shown = words(cleo)
    assert "4 titles · 1 follower" in shown
    assert "The third one!" in shown
    look(cleo)
    assert wrong == []


def add_in_a_row(visitor: Visitor, sought: tuple[str, ...], *, scripts: bool) -> None:
    """Adds the first that is found for each text: typed and taken with Enter, where that works."""
    for number, text in enumerate(sought, 1):
        if scripts:
            expect(visitor.page.locator("#q")).to_be_focused()
            visitor.page.keyboard.type(text)
            visitor.page.keyboard.press("Enter")
        else:
            visitor.fill(q=text)
            visitor.press("Search")
            visitor.page.locator("#found form button").first.click()
        expect(visitor.page.locator("#order > li")).to_have_count(number)


def row_of(visitor: Visitor, title: str) -> Locator:
    """A title on the list that is being arranged."""
    return visitor.page.locator("#order > li", has_text=title)


def say_why(visitor: Visitor, title: str, note: str) -> None:
    """Writes a note."""
    row = row_of(visitor, title)
    row.locator("summary").click()
    row.get_by_label("Why is it on the list?").fill(note)
    row.get_by_role("button", name="Save note").click()
    expect(row.locator("details")).not_to_have_attribute("open", "")


def press_step(visitor: Visitor, name: str) -> None:
    """Moves a title by the keyboard."""
    button = visitor.page.get_by_role("button", name=name, exact=True)
    button.focus()
    visitor.page.keyboard.press("Enter")


def drag(visitor: Visitor, title: str, *, above: str) -> None:
    """Moves a title with the mouse."""
    mouse = visitor.page.mouse
    row_of(visitor, title).locator("[data-grip]").hover()  # which waits until nothing moves
    mouse.down()
    expect(row_of(visitor, title)).to_have_class(re.compile("is-dragged"))
    target = row_of(visitor, above).bounding_box()
    assert target is not None
    mouse.move(target["x"] + 20, target["y"] + 5, steps=5)
    with visitor.page.expect_response("**/items/move"):
        mouse.up()


@pytest.mark.parametrize("phone,scripts", WAYS)
def test_a_followers_evening(arrive: Arrive, phone: bool, scripts: bool) -> None:
    finn, maya = arrive("Finn", phone=phone, scripts=scripts), arrive("Maya", scripts=False)
    wrong: list[str] = []
    look = partial(examine, finn, wrong, at_all=scripts and not phone)
    made = call(maya, "post", "watchlists", {"title": f"Late shows {next(NUMBERS)}"})
    call(maya, "post", f"watchlists/{made['watchlist_id']}/items", {"items": titles(603, 348)})
    here = f"/lists/{made['watchlist_id']}"

    finn.go(here)
    finn.press("Follow this list")
    expect(finn.page.get_by_role("button", name="Following", exact=True)).to_be_visible()
    call(maya, "post", f"watchlists/{made['watchlist_id']}/items", {"items": titles(238)})
    finn.go("/watchlists/following")
    assert "1 new title" in words(finn)
    look()
    follow(finn, made["title"])
    assert finn.page.locator("li", has_text="The Godfather").locator(".new-mark").count() == 1
    look()

    assert "0 of 3 seen" in words(finn)
    finn.press("Seen: Alien")
    expect(finn.page.locator("#progress-words")).to_have_text("1 of 3 seen")
    follow(finn, "Hide what I have seen")
    expect(finn.page.locator(".list-items ol > li")).to_have_count(2)
    follow(finn, "Show what I have seen")
    finn.press("Seen: Alien")
    expect(finn.page.locator("#progress-words")).to_have_text("0 of 3 seen")

    follow(finn, "The Matrix")
    rate(finn, phone=phone)
    expect(finn.page.locator(".rate-said")).to_have_text("3½ stars")
    assert "You have seen it" in words(finn)
    finn.page.get_by_text("Write a review").click()
    finn.fill(review="Still holds up.")
    finn.press("Save review")
    expect(finn.page.locator(".review-text").first).to_have_text("Still holds up.")
    look()

    finn.go(here)
    assert "1 of 3 seen" in words(finn)
    finn.fill(text="What about the sequels?")
    finn.press("Comment")
    expect(finn.page.locator(".comment-text")).to_have_text("What about the sequels?")
    look()
    finn.go("/watchlists/following")
    assert "new title" not in words(finn)
    assert wrong == []


def titles(*films: int) -> list[dict[str, str]]:
    """Films as the API takes them."""
    return [{"content_type": "MOVIE", "content_id": str(one)} for one in films]


def rate(visitor: Visitor, *, phone: bool) -> None:
    """Gives three and a half stars: with a mouse at once; with a finger four, then half less."""
    stars = visitor.page.get_by_role("group", name="Your rating")
    stars.get_by_role("button", name="4 stars" if phone else "3½ stars", exact=True).click()
    if phone:
        visitor.press("½ less")
