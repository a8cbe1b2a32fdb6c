"""A browser without scripts, before a real server: it follows links and sends the page's forms.

For journeys on which nothing visible is checked: it takes a tenth of what Chromium takes. A field
that the page does not have cannot be filled, and a button that it does not have cannot be pressed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

import httpx

from tests.support.html_forms import Element, Field, fields_of, form_of, parsed
from tests.support.server import Server

PASSWORD = "a lamp in the hall"
Files = Mapping[str, tuple[str, bytes, str]]


class PlainBrowser:
    """One window with cookies of its own."""

    def __init__(self, server: Server) -> None:
        self._client = httpx.Client(
            base_url=f"http://127.0.0.1:{server.port}",
            headers={"accept": "text/html", "user-agent": "Mozilla/5.0 Gecko Firefox"},
            follow_redirects=True,
            timeout=60,
        )
        self.page = Element("page", {}, None)
        self.path = "/"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def set_up(self, name: str) -> None:
        """Makes the first account by its form, and is signed in."""
        email = f"{name.lower()}@example.org"
        self.go("/")
        self.press("Create account", display_name=name, email=email, password=PASSWORD)

    def go(self, path: str) -> None:
        """Opens a page."""
        self._show(self._client.get(path))

    def follow(self, text: str) -> None:
        """Follows the first link that says this."""
        found = [one for one in self.page.all("a") if _says(one) == text]
        assert found, f"no link says {text!r} on {self.path}"
        self.go(str(httpx.URL(self._here).join(found[0]["href"])))

    def press(self, text: str, *, files: Files | None = None, **fields: str) -> None:
        """Fills in fields of the first form with a button that says this, and presses it."""
        buttons = [one for one in self.page.all("button") if _says(one) == text]
        assert buttons, f"no button says {text!r} on {self.path}"
        button = buttons[0]
        form = form_of(self.page, button)
        sent = self._filled(form, fields)
        if button["name"]:
            sent.append(Field(button["name"], button["value"]))
        self._send(form, button["formaction"] or form["action"], sent, files)

    def has_link(self, text: str) -> bool:
        """Returns whether the page has a link that says this."""
        return any(_says(one) == text for one in self.page.all("a"))

    def value(self, name: str) -> str:
        """Returns what stands in the field of a name."""
        (found,) = (one for one in self.page.all("input") if one["name"] == name)
        return found["value"]

    @property
    def text(self) -> str:
        """What a person reads on the page."""
        return next(self.page.all("main")).text

    @property
    def _here(self) -> str:
        return str(self._client.base_url.join(self.path))

    def _filled(self, form: Element, fields: Mapping[str, str]) -> list[Field]:
        offered = {one["name"] for one in form.all("input", "select", "textarea")}
        assert fields.keys() <= offered, f"no field {fields.keys() - offered} on {self.path}"
        kept = [one for one in fields_of(self.page, form) if one.name not in fields]
        return [*kept, *(Field(*one) for one in fields.items())]

    def _send(self, form: Element, action: str, sent: list[Field], files: Files | None) -> None:
        address = httpx.URL(self._here).join(action)
        data: dict[str, list[str]] = {}
        for one in sent:
            data.setdefault(one.name, []).append(one.value)
        if form["method"].lower() == "post":
            headers = {"origin": str(self._client.base_url).rstrip("/")}
            self._show(self._client.post(address, data=data, files=files, headers=headers))
        else:
            self._show(self._client.get(address, params=data))

    def _show(self, answer: httpx.Response) -> None:
        assert answer.status_code < 400, f"{answer.status_code} at {answer.url}: {answer.text}"
        self.page, self.path = parsed(answer.text), answer.url.raw_path.decode()


def _says(element: Element) -> str:
    return element["aria-label"] or element.text
