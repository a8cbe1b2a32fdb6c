"""Forms as a browser without scripts fills and sends them: every field in its place."""

from __future__ import annotations

import time
from html.parser import HTMLParser
from typing import Any
from urllib.parse import urlencode

import httpx
from msgspec import Struct

from commonroom.shareables.service.create import Created
from commonroom.shareables.service.gate import ShareableVisitor, open_page
from tests.shareables.furniture import YEAR
from tests.shareables.pages.site import HOST, Site, at
from tests.support.pages import Browser


class Control(Struct):
    """A field or a button of a form."""

    name: str
    value: str
    is_button: bool = False
    is_on: bool = True
    """Whether it is sent: a box that is not ticked is not."""


class Form(HTMLParser):
    """The form of a page whose address begins so, to be filled in and sent."""

    def __init__(self, answer: httpx.Response, action: str) -> None:
        super().__init__()
        self.action, self.controls = action, list[Control]()
        self._inside, self._inert, self._text = False, 0, list[Control]()
        self._choice = ""
        self.feed(answer.text)
        assert self.controls, f"there is no form for {action}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Takes a control of the form."""
        has = dict(attrs)
        if tag == "form":
            self._inside = has.get("action") == self.action
        elif tag == "template":
            self._inert += 1
        if not self._inside or self._inert:
            return
        name, value = has.get("name") or "", has.get("value") or ""
        match tag:
            case "input":
                boxes = has.get("type") in ("checkbox", "radio")
                self.controls.append(Control(name, value, is_on=not boxes or "checked" in has))
            case "button":
                self.controls.append(Control(name, value, is_button=True))
            case "textarea":
                self._text = [Control(name, "")]
            case "select":
                self._choice = name
                self.controls.append(Control(name, ""))
            case "option" if "selected" in has:
                self.controls[-1].value = value
            case _:
                pass

    def handle_endtag(self, tag: str) -> None:
        """Ends the form, or a field in it."""
        if tag == "form":
            self._inside = False
        elif tag == "template":
            self._inert -= 1
        elif tag == "textarea":
            self.controls += self._text
            self._text = []

    def handle_data(self, data: str) -> None:
        """Takes the text of a field."""
        for one in self._text:
            one.value += data

    def values(self, name: str) -> list[str]:
        """What stands in all fields of a name."""
        return [one.value for one in self._named(name) if one.is_on]

    def type(self, name: str, text: str, place: int = 0) -> Form:
        """Types into a field; the first of its name, unless another is meant."""
        self._named(name)[place].value = text
        return self

    def fill(self, name: str, *texts: str) -> Form:
        """Types into fields of one name, one after the other."""
        for place, text in enumerate(texts):
            self.type(name, text, place)
        return self

    def choose(self, name: str, value: str) -> Form:
        """Chooses one of several."""
        for one in self._named(name):
            one.is_on = one.value == value
        return self

    def tick(self, name: str, place: int = 0, *, on: bool = True) -> Form:
        """Ticks a box."""
        self._named(name)[place].is_on = on
        return self

    def sheet(self, button: str = "", value: str = "", place: int = 0) -> list[tuple[str, str]]:
        """What is sent when a button is pressed; the one that saves, where none is named."""
        pressed = None
        if button:
            same = [one for one in self.controls if (one.name, one.value) == (button, value)]
            pressed = same[place]
        return [
            (one.name, one.value)
            for one in self.controls
            if one.name and one.is_on and (not one.is_button or one is pressed)
        ]

    async def send(self, browser: Browser, *button: Any) -> httpx.Response:
        """Sends it."""
        return await post(browser, self.action, self.sheet(*button))

    def _named(self, name: str) -> list[Control]:
        return [one for one in self.controls if one.name == name and not one.is_button]


async def post(browser: Browser, path: str, sheet: list[tuple[str, str]]) -> httpx.Response:
    """A form that is sent, its fields in this order."""
    headers = {"content-type": "application/x-www-form-urlencoded"}
    return await browser.client.post(path, content=urlencode(sheet), headers=headers)


async def new_form(browser: Browser, kind: str) -> Form:
    """The empty form of a kind."""
    path = f"/s/new/{kind}"
    return Form(await browser.get(path), path)


async def edit_form(browser: Browser, made: Created) -> Form:
    """The form of a page, filled with it."""
    return Form(await browser.get(at(made, "/edit")), at(made, "/edit"))


def again(answer: httpx.Response, form: Form) -> Form:
    """The same form as it came back."""
    return Form(answer, form.action)


def hold(browser: Browser, made: Created, token: str = "", standing: str = "creator") -> Browser:
    """The same browser, with a pass for a page: its creator's, unless another is given."""
    name = f"pass-{standing}"
    browser.client.cookies.set(name, token or made.token, domain=HOST, path=at(made))
    return browser


def filled(form: Form, kind: str) -> Form:
    """The form of a kind with as little as it needs."""
    form.type("name", "Summer")
    match kind:
        case "checklist":
            form.type("item", "Bread")
        case "event":
            form.type("start_time", f"{YEAR}-07-01T18:00").choose("type", "inPerson")
            form.type("time_zone", "Europe/Paris")
        case "poll":
            form.fill("option", "The sea", "The hills")
    return form


async def stored(site: Site, answer: httpx.Response, browser: Browser) -> Any:
    """The page that was made."""
    assert answer.status_code == 303, answer.text
    address = answer.headers["location"].removesuffix("/ready")
    held = browser.client.cookies.get("pass-creator", path=address) or ""
    gate = await open_page(
        ShareableVisitor(site.store, site.passes, time.time(), tokens=(held,)),
        address.removeprefix("/s/"),
        want="admin",
    )
    return gate.page
