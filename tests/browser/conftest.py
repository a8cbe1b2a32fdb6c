"""A real browser before a real server: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.visiting import PATIENCE
from tests.support.server import Server, serving

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

# A busy machine takes its time; what never comes fails all the same.
expect.set_options(timeout=PATIENCE)


# For a file at most: while it lasts, Playwright keeps an event loop running, and the tests that a
# worker takes next may start loops of their own.
@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """The browser; without one, these tests are skipped and say so."""
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if found is None:
        pytest.skip("There is no Chromium on this machine, so nothing is tested in a browser.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(autouse=True)
def closed_windows(request: pytest.FixtureRequest) -> Iterator[None]:
    """Closes every window after the test that opened it; one of a wider fixture stays open."""
    if "chromium" not in request.fixturenames:
        yield
        return
    browser: Browser = request.getfixturevalue("chromium")
    before = list(browser.contexts)
    yield
    for context in browser.contexts:
        if context not in before:
            context.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server that was never started before."""
    with serving(tmp_path / "data") as running:
        yield running
