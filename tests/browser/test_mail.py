"""With a mail server: confirming an address, moving to another, and a forgotten password."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.visiting import PASSWORD, Visitor
from tests.support.mail import Mailbox, mailbox_apart, words
from tests.support.server import Server, serving
from tests.support.waiting import wait_for

ADA, NEW = "ada@example.org", "countess.of.lovelace@analytical-engine.example"


@pytest.fixture
def box() -> Iterator[Mailbox]:
    """The mail server's letters."""
    with mailbox_apart() as made:
        yield made


@pytest.fixture
def server(tmp_path: Path, box: Mailbox) -> Iterator[Server]:
    """A server that sends mail."""
    sender = "commonroom@home.example"
    with serving(
        tmp_path / "data", COMMONROOM_MAIL_SERVER=box.address, COMMONROOM_MAIL_FROM=sender
    ) as running:
        yield running


def link(box: Mailbox, email: str, kind: str) -> str:
    """The link in a letter, which may still be on its way."""

    def find() -> str | None:
        texts = "\n".join(words(letter) for letter in box.to(email))
        found = re.search(rf"http\S+/{kind}/\S+", texts)
        return found and found[0]

    return wait_for(find, f"a letter to {email} with a link to {kind}")


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_from_the_first_letter_to_a_new_password(
    chromium: Browser, server: Server, box: Mailbox, scripts: bool
) -> None:
    ada = Visitor(chromium, server, phone=True, scripts=scripts)
    ada.set_up("Ada")
    ada.go("/me/security")
    assert "not confirmed yet" in ada.page.inner_text("main")
    ada.go(link(box, ADA, "confirm"))
    ada.press("Yes, confirm it")
    assert "Your e-mail address is confirmed." in ada.page.inner_text("#said")

    ada.page.fill("#email", NEW)
    ada.page.fill("#address-password", PASSWORD)
    ada.press("Change e-mail address")
    assert f"{NEW} becomes your address" in ada.page.inner_text("main")
    ada.go(link(box, NEW, "confirm"))
    ada.press("Yes, confirm it")
    assert ada.page.input_value("#email") == NEW

    guest = Visitor(chromium, server, phone=True, scripts=scripts)
    guest.go("/forgot")
    guest.fill(email=NEW)
    guest.press("Send e-mail")
    assert guest.heading == "Check your e-mail"
    guest.go(link(box, NEW, "reset"))
    guest.fill(password="a candle on the sill")
    guest.press("Save password")
    guest.fill(email=NEW, password="a candle on the sill")
    guest.press("Sign in")
    assert guest.heading.rstrip("?").endswith(", Ada"), "by the hour: “Still up, Ada?” at night"
    ada.go("/me")
    assert "/sign-in" in ada.page.url, "a new password signs everybody else out"


def test_no_page_about_mail_has_a_barrier(chromium: Browser, server: Server, box: Mailbox) -> None:
    ada = Visitor(chromium, server)
    ada.go("/setup")
    wrong = ada.look()
    ada.set_up("Ada")
    for path in ("/me", "/me/security", link(box, ADA, "confirm")):
        ada.go(path)
        wrong += ada.look()
    ada.press("Yes, confirm it")
    wrong += ada.look()
    ada.page.fill("#email", NEW)
    ada.page.fill("#address-password", PASSWORD)
    ada.press("Change e-mail address")
    wrong += ada.look()
    box.refusals["RCPT"] = "451 later"
    ada.press("Send it again")
    wrong += ada.look()
    guest = Visitor(chromium, server)
    for path in ("/forgot", "/forgot/sent"):
        guest.go(path)
        wrong += guest.look()
    assert wrong == []
