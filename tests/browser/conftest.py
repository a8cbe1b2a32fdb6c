"""A real browser before a real server: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Generator, Iterator
from contextlib import ExitStack
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


class SharedBrowser:
    """One Chromium for all tests in a row that need it.

    While it runs, Playwright keeps an event loop running, and tests of other folders start loops
    of their own: it ends before the next of those.
    """

    def __init__(self) -> None:
        self._running = ExitStack()
        self._browser: Browser | None = None

    def started(self) -> Browser:
        """Returns the browser; where there is none, the test is skipped and says so."""
        if self._browser is None or not self._browser.is_connected():
            self.close()
            self._browser = self._start()
        return self._browser

    def close(self) -> None:
        """Ends the browser, if it runs."""
        self._running.close()
        self._browser = None

    def _start(self) -> Browser:
        found = (
            os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
        )
        if found is None:
            pytest.skip("There is no Chromium on this machine, so nothing is tested in a browser.")
        playwright = self._running.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        self._running.callback(browser.close)
        return browser


SHARED = SharedBrowser()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(
    item: pytest.Item, nextitem: pytest.Item | None
) -> Generator[None, object, object]:
    try:
        return (yield)
    finally:
        # A test of the same file that needs no browser leaves it to those that come after it.
        is_of_file = nextitem is not None and nextitem.path == item.path
        if not is_of_file and "chromium" not in getattr(nextitem, "fixturenames", ()):
            SHARED.close()


@pytest.fixture(scope="module")
def chromium() -> Browser:
    """The browser."""
    return SHARED.started()


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
