"""A browser whose password was given long ago is led to give it again, and back."""

from __future__ import annotations

import re
import time
from html import unescape

import httpx
import pytest

from commonroom.accounts.secrets import digest
from commonroom.accounts.service.account_data import CONFIRMATION
from commonroom.accounts.service.sessions import CONFIRMED_SECONDS
from commonroom.accounts.tables import Password, Session, tokens_of
from commonroom.moments import iso
from commonroom.store import delete, update
from tests.support.pages import ADA, BEN, PASSWORD, Browser, House, tag, text, value, wrong

CONFIRM = "/me/confirm-password"
TOKEN = {"name": "kitchen & tablet", "read": "true", "write": "true", "days": "30"}


@pytest.fixture
async def stale(house: House, ada: Browser) -> Browser:
    """Ada's browser, some time after she signed in."""
    session = Session.at(digest=digest(ada.client.cookies["session"]))
    at = iso(time.time() - CONFIRMED_SECONDS - 1)
    await house.store.write(update(session, confirmed_at=at))
    return ada


def hidden(page: httpx.Response) -> dict[str, str]:
    """The hidden fields of a page's form."""
    found = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', page.text)
    return {unescape(name): unescape(given) for name, given in found}


async def tokens(house: House) -> list[tuple[str, list[str]]]:
    """The tokens that Ada has."""
    person = await house.person(ADA["email"])
    found = await house.store.page(tokens_of(user_id=person.user_id))
    return [(one.name, list(one.scopes)) for one in found.items]


async def test_a_form_is_kept_until_the_password_is_given_and_then_one_press_away(
    house: House, stale: Browser
) -> None:
    asked = await stale.client.post(
        "/me/tokens", data=TOKEN, headers={"referer": "http://house.example/me/tokens"}
    )
    assert asked.status_code == 403
    assert "Confirm your password" in text(asked)
    assert await tokens(house) == []

    fields = hidden(asked)
    assert fields["next"] == "/me/tokens"
    refused = await stale.send(CONFIRM, **fields, password="a guess or two")
    assert refused.status_code == 422
    assert wrong(refused, "password") == "Wrong password."
    assert hidden(refused) == fields

    thanks = await stale.send(CONFIRM, **fields, password=PASSWORD)
    assert thanks.status_code == 200
    assert 'action="/me/tokens"' in thanks.text
    assert hidden(thanks) == TOKEN
    made = await stale.send("/me/tokens", **hidden(thanks))
    assert value(made, "secret").startswith("cr_")
    assert await tokens(house) == [("kitchen & tablet", ["read", "write"])]

    again = await stale.send("/me/tokens", **TOKEN)
    assert again.status_code == 200, "for a while it is not asked again"


async def test_no_password_is_carried_along(stale: Browser) -> None:
    asked = await stale.send("/me/data/delete", typed=CONFIRMATION, password="a secret of mine")
    assert asked.status_code == 403
    assert hidden(asked)["typed"] == "typed=delete+my+account"
    assert "a secret of mine" not in asked.text


async def test_an_administrators_deed_is_led_there_and_back(
    house: House, ada: Browser, ben: Browser, stale: Browser
) -> None:
    person = await house.person(BEN["email"])
    at = f"/admin/people/{person.user_id}"
    asked = await stale.send(f"{at}/reset-link")
    assert asked.status_code == 403
    thanks = await stale.send(CONFIRM, **hidden(asked), password=PASSWORD)
    assert f'action="{at}/reset-link"' in thanks.text
    link = await stale.send(f"{at}/reset-link")
    assert value(link, "share").startswith("http://house.example/reset/")


async def test_the_page_by_itself_leads_to_where_one_wants_to_go(stale: Browser) -> None:
    page = await stale.get(f"{CONFIRM}?next=/me/tokens")
    assert 'autocomplete="current-password"' in tag(page, "password")
    answer = await stale.send(CONFIRM, **hidden(page), password=PASSWORD)
    assert (answer.status_code, answer.headers["location"]) == (303, "/me/tokens")


@pytest.mark.parametrize("elsewhere", ["//evil.example", "https://evil.example/x", "/\\evil"])
async def test_it_never_leads_elsewhere(stale: Browser, elsewhere: str) -> None:
    page = await stale.get(CONFIRM, params={"next": elsewhere})
    assert "evil" not in page.text
    answer = await stale.send(CONFIRM, next=elsewhere, password=PASSWORD)
    assert answer.headers["location"] == "/"
    answer = await stale.send(CONFIRM, action=elsewhere, typed="a=b", password=PASSWORD)
    assert 'action="/"' in answer.text
    assert "evil" not in answer.text


async def test_who_has_no_password_is_told_to_sign_in_anew(house: House, stale: Browser) -> None:
    person = await house.person(ADA["email"])
    await house.store.write(delete(Password.at(user_id=person.user_id)))
    page = await stale.get(CONFIRM)
    assert "Your account has no password here. Sign out, sign in again" in text(page)
    refused = await stale.send(CONFIRM, password="")
    assert refused.status_code == 422
    assert "has no password here" in text(refused)
