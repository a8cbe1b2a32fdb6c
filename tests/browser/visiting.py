"""Somebody with a browser, and what a person would notice to be wrong on a page."""

from __future__ import annotations

from importlib.resources import files
from typing import Literal

from playwright.sync_api import Browser, Page, Request, ViewportSize

from tests.support.server import Server
from tests.support.waiting import PATIENCE_SECONDS

PHONE: ViewportSize = {"width": 390, "height": 844}
DESK: ViewportSize = {"width": 1280, "height": 900}
LOOKS: tuple[tuple[Literal["light", "dark"], ViewportSize], ...] = (
    ("light", DESK),
    ("dark", PHONE),
)
PASSWORD = "a lamp in the hall"
PATIENCE = PATIENCE_SECONDS * 1000
"""The same in milliseconds, as Playwright has it."""

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text()
BARRIERS = """async () => {
    const found = await axe.run({resultTypes: ["violations"]});
    return found.violations
        .filter(one => ["serious", "critical"].includes(one.impact))
        .map(one => `${one.id}: ${one.nodes[0].html.slice(0, 120)}`);
}"""

EXAMINED: dict[tuple[str, str, int], list[str]] = {}
"""What was found on pages of one shape, in one theme and on one screen."""

# What barriers depend on: what a page is made of, and not what it says or where it leads.
SHAPE = """() => [...document.querySelectorAll("html, html *:not(svg *)")].map(one =>
    one.tagName + (one.childElementCount || one.textContent.trim() ? "" : "-")
    + [...one.attributes].map(({name, value}) =>
        ["id", "for", "href", "src", "action", "value", "datetime", "content", "title", "alt"]
            .includes(name) || /^(hx-|data-|aria-(label|describe|control))/.test(name)
            ? `${name}${value.trim() ? "" : "-"}` : `${name}=${value}`).sort()).join("\\n")
"""


class Visitor:
    """One browser window with cookies of its own."""

    def __init__(
        self,
        browser: Browser,
        server: Server,
        *,
        phone: bool = False,
        scripts: bool = True,
        worker: bool = True,
    ) -> None:
        self.base = f"http://127.0.0.1:{server.port}"
        self.context = browser.new_context(
            viewport=PHONE if phone else DESK,
            java_script_enabled=scripts,
            reduced_motion="reduce",
            # As everybody's browser has it. No test can hold back what a worker fetches: one that
            # holds back a page does without.
            service_workers="allow" if worker else "block",
        )
        self.has_worker = worker and scripts
        self.context.set_default_timeout(PATIENCE)
        self.page: Page = self.context.new_page()
        self.wrong: list[str] = []
        self.page.on("pageerror", lambda error: self.wrong.append(f"script: {error}"))
        self.page.on("request", self._asked)

    def go(self, path: str) -> Page:
        """Opens a page of the house, or a link as it was given."""
        self.page.goto(path if path.startswith("http") else self.base + path)
        return self.page

    def fill(self, **fields: str) -> None:
        """Types into the fields of a form."""
        for name, text in fields.items():
            self.page.fill(f"#{name}", text)

    def press(self, text: str) -> None:
        """Presses the button that says this."""
        self.page.get_by_role("button", name=text, exact=True).first.click()
        self.page.wait_for_load_state()

    def set_up(self, name: str) -> None:
        """Makes the first account, signs in with it, and stands before the home page."""
        known = {"email": f"{name.lower()}@example.org", "password": PASSWORD}
        for path, body in (("setup", known | {"display_name": name}), ("session", known)):
            answer = self.context.request.post(f"{self.base}/api/v1/{path}", data=body)
            assert answer.ok, answer.text()
        self.go("/")
        self.wait_for_worker()

    def fill_in_set_up(self, name: str) -> None:
        """Makes the first account by its form."""
        self.go("/")
        self.fill(display_name=name, email=f"{name.lower()}@example.org", password=PASSWORD)
        self.press("Create account")

    def sign_in(self, name: str) -> None:
        """Signs in."""
        self.go("/sign-in")
        self.fill(email=f"{name.lower()}@example.org", password=PASSWORD)
        self.press("Sign in")
        self.wait_for_worker()

    def wait_for_worker(self) -> None:
        """Waits until the worker of this browser, where it has one, forwards its navigations."""
        if self.has_worker:
            self.page.wait_for_function("() => navigator.serviceWorker.controller !== null")

    @property
    def heading(self) -> str:
        """What the page is about."""
        return self.page.locator("h1").first.inner_text()

    def look(self) -> list[str]:
        """What is wrong with the page as it is: for the eye, the ear, and the small screen."""
        found = list(self.wrong)
        for scheme, size in LOOKS:
            self.page.emulate_media(color_scheme=scheme)
            self.page.set_viewport_size(size)
            found += [f"{scheme}: {one}" for one in self._barriers(scheme, size["width"])]
            if self.page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                found.append(f"{size['width']}: it scrolls sideways")
        return [f"{self.page.url}: {one}" for one in found]

    def _barriers(self, scheme: str, width: int) -> list[str]:
        """What axe finds; a page of the same shape is examined once."""
        place = (self.page.evaluate(SHAPE), scheme, width)
        if place not in EXAMINED:
            EXAMINED[place] = self._examine()
        return EXAMINED[place]

    def _examine(self) -> list[str]:
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE)
        barriers: list[str] = self.page.evaluate(BARRIERS)
        return barriers

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((self.base, "data:", "blob:")):
            self.wrong.append(f"asks another host: {request.url}")
