"""Notifications as people meet them: the bell, the list, the switch, and a push on the device."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from commonroom.accounts.service.administration import person_with
from commonroom.model import MODEL
from commonroom.movienight.notifications import NEW_ROUND
from commonroom.notifications import tell
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from tests.browser.visiting import Visitor
from tests.support.plain_browser import PlainBrowser
from tests.support.server import Server, serving

FACTS = {"who": "Ben", "household": "The Foxes"}


class House:
    """A server, and whatever happens in its house while people look."""

    def __init__(self, data: Path, server: Server) -> None:
        self.server = server
        self._file = data / "commonroom.db"

    def tell_ada(self, about: str, link: str = "/me") -> None:
        """Tells Ada that there is a vote."""
        # The browser has an event loop of its own in this thread.
        telling = threading.Thread(target=lambda: asyncio.run(self._tell(about, link)))
        telling.start()
        telling.join()

    async def _tell(self, about: str, link: str) -> None:
        store = Store(EmbeddedEngine(self._file, MODEL.tables))
        ada = await person_with(store, "ada@example.org")
        await tell(store, time.time(), [ada], NEW_ROUND, facts=FACTS, link=link, id=about, by=None)
        await store.close()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    data = tmp_path / "data"
    with serving(data) as running:
        yield House(data, running)


@pytest.mark.smoke(phone=True)
@pytest.mark.parametrize("phone", [True, False], ids=["phone", "desk"])
def test_the_bell_counts_while_the_page_is_open_and_the_list_leads_on(
    chromium: Browser, house: House, phone: bool
) -> None:
    ada = Visitor(chromium, house.server, phone=phone)
    ada.set_up("Ada")
    number = ada.page.locator("notice-bell:not([room]):visible [data-number]")
    for count, link in (("1", "/me/data"), ("2", "/me")):
        house.tell_ada(count, link)
        number.get_by_text(count, exact=True).wait_for()
        in_room = ada.page.locator("notice-bell[room=movienight] [data-number]").first
        expect(in_room).to_have_text(count)
    expect(ada.page.locator("notice-bell[room=library]").first).to_be_hidden()
    number.click()
    ada.page.wait_for_url("**/notifications")
    assert ada.page.locator(".row-name").count() == 2
    assert ada.page.locator(".row-link .tag").count() == 2
    ada.page.locator(".row-link").first.click()
    ada.page.wait_for_url("**/me")
    number.get_by_text("1", exact=True).wait_for()
    ada.go("/notifications")
    ada.press("Mark all read")
    ada.page.locator(".row-link .tag").first.wait_for(state="detached")
    number.wait_for(state="hidden")
    assert ada.wrong == []


def test_what_is_about_the_page_that_is_open_is_read_with_it(
    chromium: Browser, house: House
) -> None:
    ada = Visitor(chromium, house.server)
    ada.set_up("Ada")
    number = ada.page.locator("notice-bell:not([room]):visible [data-number]")
    for about, link in (("1", "/me#a"), ("2", "/me#b"), ("3", "/me/data")):
        house.tell_ada(about, link)
    number.get_by_text("2", exact=True).wait_for()
    ada.go("/me")
    number.get_by_text("1", exact=True).wait_for()
    ada.go("/notifications")
    assert ada.page.locator(".row-link .tag").count() == 1
    assert ada.wrong == []


def test_without_scripts_a_group_unfolds_and_is_read_as_one(
    chromium: Browser, house: House
) -> None:
    ada = Visitor(chromium, house.server, scripts=False)
    ada.set_up("Ada")
    for about in ("1", "2", "3"):
        house.tell_ada(about, "/me")
    ada.go("/notifications")
    assert ada.page.locator(".row-link").count() == 1
    assert "and 2 more" in ada.page.inner_text("main")
    ada.page.get_by_text("Show all 3").click()
    assert ada.page.locator(".notice-each li a:visible").count() == 3
    ada.page.locator(".row-link").click()
    ada.page.wait_for_url("**/me")
    ada.go("/notifications")
    assert ada.page.locator(".tag-lamp:visible").count() == 0


def test_without_scripts_the_list_is_all_there(house: House) -> None:
    with PlainBrowser(house.server) as ada:
        ada.set_up("Ada")
        house.tell_ada("1")
        ada.go("/")
        ada.follow("Notifications")
        assert "Vote for tonight’s film" in ada.text
        ada.press("Mark all read")
        assert not any("tag" in one["class"].split() for one in ada.page.all("span"))
        ada.go("/me/notifications")
        assert "This needs JavaScript" in ada.text


def test_no_page_of_it_has_a_barrier(chromium: Browser, house: House) -> None:
    ada = Visitor(chromium, house.server)
    ada.set_up("Ada")
    ada.go("/notifications")
    wrong = ada.look()
    house.tell_ada("1")
    ada.go("/notifications")
    ada.page.locator("notice-bell:not([room]):visible").wait_for()
    wrong += ada.look()
    ada.go("/me/notifications")
    ada.page.get_by_role("button", name="Turn on notifications").wait_for()
    wrong += ada.look()
    assert wrong == []


class TestTheSwitch:
    def test_says_what_to_do_where_the_browser_blocks_it(
        self, chromium: Browser, house: House
    ) -> None:
        ada = Visitor(chromium, house.server)
        ada.set_up("Ada")
        ada.context.add_init_script(
            "Notification.requestPermission = async () => 'denied'",
        )
        ada.go("/me/notifications")
        ada.page.get_by_role("button", name="Turn on notifications").click()
        ada.page.get_by_text("Your browser blocks notifications from this site.").wait_for()

    def test_says_so_where_the_browser_cannot(self, chromium: Browser, house: House) -> None:
        ada = Visitor(chromium, house.server)
        ada.set_up("Ada")
        ada.context.add_init_script("delete window.PushManager")
        ada.go("/me/notifications")
        ada.page.get_by_text("This browser does not support notifications here.").wait_for()
        assert ada.page.get_by_role("button", name="Turn on notifications").count() == 0

    def test_goes_on_and_off_and_stays_as_it_was_left(
        self, chromium: Browser, house: House
    ) -> None:
        ada = Visitor(chromium, house.server)
        ada.set_up("Ada")
        with_a_push_service(ada)
        ada.go("/me/notifications")
        ada.page.get_by_role("button", name="Turn on notifications").click()
        ada.page.get_by_text("Notifications are on.").wait_for()
        ada.go("/me/notifications")
        ada.page.get_by_text("Notifications are on.").wait_for()
        ada.page.get_by_role("button", name="Turn off").click()
        ada.page.get_by_role("button", name="Turn on notifications").wait_for()
        assert ada.wrong == []


def with_a_push_service(visitor: Visitor) -> None:
    """Lets a browser subscribe that has no push service: headless ones have none."""
    visitor.context.grant_permissions(["notifications"], origin=visitor.base)
    visitor.context.add_init_script(Path(__file__).with_name("push_manager.js").read_text())


MESSAGE = {"title": "Vote", "text": "Now.", "link": "/notifications/x", "tag": "x"}

SHOWN = """async () => {
  const all = await (await navigator.serviceWorker.ready).getNotifications();
  return all.map((one) => [one.title, one.body, one.tag, one.data.link]);
}"""

# Where no window is open; a browser lets only a person's own press open one.
PRESSED = """async () => {
  const opened = [];
  self.clients.matchAll = async () => [];
  self.clients.openWindow = async (address) => { opened.push(address); };
  const soon = () => new Promise((resolve) => setTimeout(resolve, 10));
  let notification;  // for a moment a browser may say that there is none
  while (!([notification] = await self.registration.getNotifications({ tag: "x" })).length) {
    await soon();
  }
  self.dispatchEvent(new NotificationEvent("notificationclick", { notification }));
  while (opened.length === 0) await soon();
  return opened;
}"""


def test_a_push_is_shown_once_however_often_it_comes_and_opens_its_page(
    chromium: Browser, house: House
) -> None:
    ada = Visitor(chromium, house.server)
    ada.set_up("Ada")
    ada.context.grant_permissions(["notifications"], origin=ada.base)
    page = ada.go("/me")
    page.evaluate("navigator.serviceWorker.register('/service-worker.js').then(() => null)")
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    # Each is waited for: while one takes the place of another, both are there for a moment.
    for message in (MESSAGE, MESSAGE | {"text": "Still now."}):
        deliver(page, ada.base, json.dumps(message))
        wait_until_shown(page, message["text"])
    deliver(page, ada.base, "not json")
    wait_until_all_shown(
        page,
        ["Commonroom", "", "commonroom", "/notifications"],
        ["Vote", "Still now.", "x", "/notifications/x"],
    )
    [worker] = ada.context.service_workers
    assert worker.evaluate(PRESSED) == [f"{ada.base}/notifications/x"]


def wait_until_shown(page: Page, text: str) -> None:
    page.wait_for_function(
        f"(text) => ({SHOWN})().then((all) => all.length < 3 && all.some((it) => it[1] === text))",
        arg=text,
    )


def wait_until_all_shown(page: Page, *shown: list[str]) -> None:
    """While one takes the place of another, a browser may show neither for a moment."""
    page.wait_for_function(
        f"(wanted) => ({SHOWN})().then((all) => JSON.stringify(all.sort()) === wanted)",
        arg=json.dumps(shown, separators=(",", ":")),
    )


def deliver(page: Page, origin: str, data: str) -> None:
    """Pushes something, as a push service would."""
    session = page.context.new_cdp_session(page)
    known: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: known.extend(one["registrationId"] for one in told["registrations"]),
    )
    session.send("ServiceWorker.enable")
    while not known:
        page.evaluate("null")  # lets what the browser says come in
    session.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": origin, "registrationId": known[0], "data": data},
    )
    session.detach()
