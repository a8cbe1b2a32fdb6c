"""Signing up: the first account with the code that was printed, and invites of rooms."""

from __future__ import annotations

from typing import Any

import pytest

from commonroom.accounts.errors import LinkExpired
from commonroom.accounts.signup import (
    ALPHABET,
    CODE_FROM_ADDRESS,
    LENGTH,
    find_signup_invite,
    first_account_code,
    setup_path,
)
from commonroom.accounts.tables import Installation
from commonroom.errors import NotFound
from commonroom.http.application import App, State
from commonroom.http.request import Request
from commonroom.joins.rooms import Room
from commonroom.joins.signup_invites import InviteLookup, SignupInvites
from commonroom.settings import Settings
from commonroom.store import Store, Write, check, stored
from commonroom.store.errors import Unavailable
from tests.support.first_account import CODE
from tests.support.pages import ADA, Browser, House, tag, text, value, wrong

AT_HOME = {"host": "localhost:8400"}


async def sent(browser: Browser, headers: dict[str, str], **fields: Any) -> int:
    """How the form for the first account is answered."""
    answer = await browser.client.post("/setup", data=ADA | fields, headers=headers)
    return answer.status_code


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"])
@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8400", "[::1]:8400"])
async def test_whoever_sits_at_the_machine_needs_no_code(
    house: House, address: str, host: str
) -> None:
    browser = await house.browser(address=address)
    page = await browser.get("/setup", headers={"host": host})
    assert 'name="code"' not in page.text
    assert await sent(browser, {"host": host}) == 303


@pytest.mark.parametrize(
    "headers",
    [
        AT_HOME | {"x-forwarded-for": "203.0.113.7"},
        AT_HOME | {"forwarded": "for=203.0.113.7"},
        AT_HOME | {"x-real-ip": "203.0.113.7"},
        AT_HOME | {"via": "1.1 proxy"},
        {"host": "home.example"},
        {"host": "localhost.evil.example"},
    ],
)
async def test_whoever_comes_through_a_proxy_needs_it(
    house: House, headers: dict[str, str]
) -> None:
    browser = await house.browser()
    assert 'name="code"' in (await browser.get("/setup", headers=headers)).text
    assert await sent(browser, headers) == 422
    assert await sent(browser, headers, code="22222-22222") == 422
    assert await sent(browser, headers, code=CODE) == 303


async def test_whoever_comes_from_elsewhere_needs_it(house: House) -> None:
    browser = await house.browser(address="192.0.2.1")
    assert await sent(browser, AT_HOME) == 422
    assert await sent(browser, AT_HOME, code=CODE) == 303


async def test_everybody_needs_it_where_people_use_a_public_address(house: House) -> None:
    house.set(public_address="http://home.example")
    browser = await house.browser()
    assert await sent(browser, AT_HOME) == 422
    assert await sent(browser, AT_HOME, code=CODE) == 303


async def test_the_page_says_where_to_find_it_and_what_is_wrong(house: House) -> None:
    browser = await house.browser(address="192.0.2.1")
    page = await browser.get(f"/setup?code={CODE}")
    assert value(page, "code") == CODE, "the printed link brings it along"
    assert "Commonroom printed it when it started" in text(page)
    assert "required" in tag(page, "code")
    assert page.headers["cache-control"] == "no-store"
    refused = await browser.send("/setup", **ADA, code="22222-22222")
    assert wrong(refused, "code").startswith("Wrong code. Enter the code that Commonroom printed")
    assert value(refused, "email") == ADA["email"]


@pytest.mark.parametrize("typed", [CODE.upper(), f" {CODE.replace('-', ' ')} "])
async def test_it_may_be_typed_in_capitals_and_with_spaces(house: House, typed: str) -> None:
    browser = await house.browser(address="192.0.2.1")
    assert (await browser.send("/setup", **ADA, code=typed)).status_code == 303


@pytest.mark.parametrize("odd", ["\x00", "é", "x" * 900, "-----", "\N{FULLWIDTH DIGIT TWO}" * 10])
async def test_anything_else_is_simply_wrong(house: House, odd: str) -> None:
    browser = await house.browser(address="192.0.2.1")
    assert (await browser.send("/setup", **ADA, code=odd)).status_code == 422


async def test_it_is_not_guessed_for_long_and_nobody_else_has_to_wait(house: House) -> None:
    # Of one network, whatever its addresses.
    for number in range(CODE_FROM_ADDRESS.tries):
        browser = await house.browser(address=f"2001:db8::{number:x}")
        assert (await browser.send("/setup", **ADA, code="22222-22222")).status_code == 422
    stranger = await house.browser(address="2001:db8::ffff")
    assert (await stranger.send("/setup", **ADA, code=CODE)).status_code == 429
    owner = await house.browser(address="2001:db8:1::1")
    assert (await owner.send("/setup", **ADA, code=CODE)).status_code == 303


async def test_it_is_good_for_one_account(house: House, ada: Browser) -> None:
    stranger = await house.browser(address="192.0.2.1")
    for code in (CODE, "22222-22222"):
        answer = await stranger.send("/setup", **ADA | {"email": "eve@example.org"}, code=code)
        assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in")


async def test_it_is_told_while_there_is_no_account(house: House) -> None:
    settings = house.app.state.settings
    assert await setup_path(house.store, settings) == f"/setup?code={CODE}"
    await house.administrator()
    assert await setup_path(house.store, settings) is None


def test_it_is_another_one_in_every_installation_and_easy_to_read() -> None:
    codes = [first_account_code(Settings(secret_key=f"a secret key {n}")) for n in range(200)]
    assert len(set(codes)) == 200
    assert first_account_code(Settings(secret_key="a secret key 0")) == codes[0]
    assert set("".join(codes)) == {*ALPHABET, "-"}
    assert not set(ALPHABET) & set("0o1il")
    assert len(ALPHABET) ** LENGTH > 2**49


HELD = check(Installation.at(), if_=stored)


def asking(*rooms: InviteLookup) -> Request:
    """A request to a house with these rooms."""
    opened = tuple(
        Room(key=f"room{n}", name="", sentence="", offers=[SignupInvites(one)])
        for n, one in enumerate(rooms)
    )
    app = App([], state=State({"store": None, "rooms": opened}))
    return Request({"type": "http", "app": app, "state": {}})


async def knows(_store: Store, _now: float, link: str) -> list[Write]:
    """A room with a link called ours."""
    if link != "ours":
        raise NotFound("There is no such link.")
    return [HELD]


async def knew(_store: Store, _now: float, _link: str) -> list[Write]:
    """A room whose links have all run out."""
    raise LinkExpired("This link has run out.")


async def sleeps(_store: Store, _now: float, _link: str) -> list[Write]:
    """A room that cannot look."""
    raise Unavailable("The store does not answer.")


async def test_a_link_that_a_room_knows_is_vouched_for() -> None:
    shown = await find_signup_invite(asking(knows, knew), "ours")
    assert (shown["invitation"], list(shown["vouchers"])) == (None, [HELD])


async def test_a_link_that_no_room_knows_is_an_administrators() -> None:
    shown = await find_signup_invite(asking(knows, knows), "theirs")
    assert (shown["invitation"], list(shown["vouchers"])) == ("theirs", [])


async def test_no_room_is_asked_where_there_is_no_link() -> None:
    shown = await find_signup_invite(asking(knew), "")
    assert (shown["invitation"], list(shown["vouchers"])) == (None, [])


async def test_a_link_that_has_run_out_says_so_in_the_rooms_words() -> None:
    with pytest.raises(LinkExpired, match=r"This link has run out\."):
        await find_signup_invite(asking(knows, knew), "theirs")


async def test_a_room_that_cannot_look_does_not_count_as_not_knowing() -> None:
    with pytest.raises(Unavailable):
        await find_signup_invite(asking(sleeps, knows), "ours")
