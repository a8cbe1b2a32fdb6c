"""As a newcomer would: the first account, others by invitation, tokens, members; phone and desk."""

from __future__ import annotations

import json
import urllib.request

import pytest
from playwright.sync_api import Browser

from tests.browser.visiting import PASSWORD, Visitor
from tests.support.server import Server


@pytest.mark.smoke(phone=True, scripts=True)
@pytest.mark.parametrize("phone", [True, False], ids=["phone", "desk"])
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_from_the_first_visit_to_a_household(
    chromium: Browser, server: Server, phone: bool, scripts: bool
) -> None:
    ada = Visitor(chromium, server, phone=phone, scripts=scripts)
    ada.fill_in_set_up("Ada")
    assert ada.heading.rstrip("?").endswith(", Ada"), "by the hour: “Still up, Ada?” at night"

    ada.go("/me/security")
    ada.context.clear_cookies()
    ada.go("/me")
    assert "/sign-in" in ada.page.url
    ada.fill(email="ada@example.org", password=PASSWORD)
    ada.press("Sign in")
    assert ada.page.url == f"{ada.base}/me", "one goes on to where one was going"

    ada.go("/me/tokens")
    ada.fill(name="kitchen tablet")
    ada.press("Create token")
    secret = ada.page.locator("input[readonly]").first.input_value()
    assert called(server, "/api/v1/me", secret)["display_name"] == "Ada"

    ada.go("/me/members")
    ada.fill(display_name="Mia")
    ada.press("Add")
    ada.go("/act-as")
    ada.page.locator("button:has-text('Mia')").first.click()
    ada.page.wait_for_load_state()
    assert "Mia" in ada.page.locator("body").inner_text()
    ada.go("/act-as")
    ada.page.locator("button:has-text('Ada')").first.click()

    ada.go("/admin/invitations")
    ada.press("Create invitation")
    link = ada.page.locator("#link").input_value()
    bob = Visitor(chromium, server, phone=phone, scripts=scripts)
    bob.go(link)
    bob.fill(display_name="Bob", email="bob@example.org", password="knitting by the fire")
    bob.press("Create account")
    assert bob.heading.rstrip("?").endswith(", Bob")
    bob.go("/admin/people")
    assert "Not allowed" in bob.heading.lower() or "administrator" in bob.page.inner_text("body")


def called(server: Server, path: str, secret: str) -> dict[str, object]:
    request = urllib.request.Request(
        f"http://127.0.0.1:{server.port}{path}", headers={"Authorization": f"Bearer {secret}"}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        found: dict[str, object] = json.load(answer)
    return found


GUESTS = ("/sign-in", "/sign-up", "/forgot", "/reset/nothing", "/docs", "/nowhere")
PERSONS = (
    "/",
    "/me",
    "/me/notifications",
    "/me/security",
    "/me/tokens",
    "/me/members",
    "/me/data",
    "/act-as",
    "/admin/people",
    "/admin/invitations",
)


def test_no_page_has_a_barrier(chromium: Browser, server: Server) -> None:
    ada = Visitor(chromium, server)
    ada.go("/setup")
    wrong = ada.look()
    ada.set_up("Ada")
    for path in PERSONS:
        ada.go(path)
        wrong += ada.look()
    guest = Visitor(chromium, server)
    for path in GUESTS:
        guest.go(path)
        wrong += guest.look()
    assert wrong == []


def test_a_refused_form_says_why_beside_the_field_and_keeps_what_was_typed(
    chromium: Browser, server: Server
) -> None:
    visitor = Visitor(chromium, server, phone=True)
    visitor.go("/setup")
    visitor.fill(display_name="Ada", email="ada@example.org", password="password123")
    visitor.press("Create account")
    field = visitor.page.locator("#password")
    described = field.get_attribute("aria-describedby") or ""
    texts = [visitor.page.locator(f"#{one}").inner_text() for one in described.split()]
    assert any("This password is too common" in text for text in texts)
    assert field.get_attribute("aria-invalid") == "true"
    assert visitor.page.input_value("#email") == "ada@example.org"
    assert field.input_value() == ""
    assert visitor.look() == []
