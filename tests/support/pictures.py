"""Screenshots of the demonstration for the README: `python -m tests.support.pictures`.

All have the same size and frame; text is in the fonts of this machine.
"""

from __future__ import annotations

import io
import shutil
import tempfile
from pathlib import Path

from PIL import Image, ImageDraw
from playwright.sync_api import Page, ViewportSize, sync_playwright

from commonroom.accounts.demo import PASSWORD
from tests.support.server import run_command, serving
from tests.support.waiting import wait_for

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
WINDOW: ViewportSize = {"width": 1200, "height": 800}
SCALE = 1.25
QUALITY = 64
INVITATIONS = 3
"""How many hangouts of the demonstration wait for an answer of its first person."""
CORNER, BORDER, EDGE = 20, 2, "#d9d0bd"
ROOMS = {
    "movie-night": ("/movie-night",),
    "library": ("/library", "Home shelves"),
    "shareables": ("/s", "Lea’s birthday"),
    "watchlists": ("/watchlists",),
    "hangouts": ("/hangouts",),
    # Last, when consumers are done with the demonstration's writes.
    "home": ("/",),
}
"""For each picture the address of its page, or of one that has a link to it, and that link."""


def take() -> None:
    """Takes every picture of a fresh demonstration."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        run_command("demo", "--data", folder)
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        with serving(Path(folder)) as server:
            page = browser.new_context(
                base_url=f"http://127.0.0.1:{server.port}",
                viewport=WINDOW,
                device_scale_factor=SCALE,
                color_scheme="light",
                reduced_motion="reduce",
                locale="en-GB",
                timezone_id="Europe/Paris",
            ).new_page()
            sign_in(page)
            wait_for(lambda: has_caught_up(page), "the hangouts on the home page")
            for name, way in ROOMS.items():
                go(page, *way)
                framed(page.screenshot()).save(PICTURES / f"{name}.webp", quality=QUALITY, method=6)
        browser.close()


def sign_in(page: Page) -> None:
    """Signs in as the first person of the demonstration."""
    page.goto("/sign-in")
    page.fill("#email", "maya@home.example")
    page.fill("#password", PASSWORD)
    page.press("#password", "Enter")
    page.wait_for_url("/")


def has_caught_up(page: Page) -> bool | None:
    """Returns whether consumers have added all hangouts to the home page."""
    go(page, "/")
    return page.get_by_role("button", name="Can’t go").count() >= INVITATIONS or None


def go(page: Page, address: str, link: str = "") -> None:
    """Opens a page, or the one behind a link of it, and waits for its fonts."""
    page.goto(address, wait_until="load")
    if link:
        page.get_by_role("link", name=link).first.click()
        page.wait_for_load_state("load")
    page.evaluate("document.fonts.ready")


def framed(screenshot: bytes) -> Image.Image:
    """Returns a screenshot with round corners and a thin border."""
    picture = Image.open(io.BytesIO(screenshot)).convert("RGBA")
    box = (0, 0, picture.width - 1, picture.height - 1)
    ImageDraw.Draw(picture).rounded_rectangle(box, CORNER, outline=EDGE, width=BORDER)
    corners = Image.new("L", picture.size)
    ImageDraw.Draw(corners).rounded_rectangle(box, CORNER, fill=255)
    picture.putalpha(corners)
    return picture


if __name__ == "__main__":
    take()
