"""From where a visitor speaks: the word of a proxy counts where the installation trusts it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.accounts.service.throttle import SIGN_IN_FROM_ADDRESS
from commonroom.http.client_address import forwarded_address
from commonroom.settings.addresses import networks
from tests.support.pages import ADA, PASSWORD, Browser, House, text

PROXY, FURTHER, VISITOR, FORGED = "10.0.0.2", "10.9.9.9", "203.0.113.7", "198.51.100.1"
TRUSTED = networks("10.0.0.0/8, 192.0.2.5, fd00::/8")
HERE = "/me/security"

addresses = st.ip_addresses().map(str)


class TestCameFrom:
    @pytest.mark.parametrize(
        "peer, told, address",
        [
            (VISITOR, [], VISITOR),
            (VISITOR, [FORGED], VISITOR),
            (VISITOR, [PROXY], VISITOR),
            (PROXY, [VISITOR], VISITOR),
            (PROXY, [FORGED, VISITOR], VISITOR),
            (PROXY, [FORGED, VISITOR, FURTHER], VISITOR),
            (PROXY, [FORGED, PROXY, VISITOR, FURTHER, "192.0.2.5"], VISITOR),
            (PROXY, [FURTHER], FURTHER),
            (PROXY, [], PROXY),
            (PROXY, [""], PROXY),
            (PROXY, [VISITOR, "unknown"], PROXY),
            (PROXY, [VISITOR, "unknown", FURTHER], FURTHER),
            (PROXY, [f" {VISITOR}:50123 "], VISITOR),
            (PROXY, ["2001:db8::1"], "2001:db8::1"),
            (PROXY, ["[2001:DB8:0::1]:443"], "2001:db8::1"),
            (f"::ffff:{PROXY}", [VISITOR], VISITOR),
            ("fd00::1", [f"::ffff:{VISITOR}"], VISITOR),
            ("", [FORGED], ""),
            ("a-socket", [FORGED], "a-socket"),
        ],
    )
    def test_is_the_last_in_the_chain_who_is_not_trusted(
        self, peer: str, told: list[str], address: str
    ) -> None:
        assert forwarded_address(peer, told, TRUSTED) == address

    @given(addresses, st.lists(st.text() | addresses))
    def test_is_the_connection_where_nobody_is_trusted(self, peer: str, told: list[str]) -> None:
        assert forwarded_address(peer, told, ()) == peer

    @given(st.lists(st.text() | addresses), st.sampled_from([[], [FURTHER], ["10.1.1.1", FURTHER]]))
    def test_cannot_be_chosen_by_what_the_visitor_writes_before(
        self, forged: list[str], proxies: list[str]
    ) -> None:
        assert forwarded_address(PROXY, [*forged, VISITOR, *proxies], TRUSTED) == VISITOR


class TestPages:
    async def test_a_session_remembers_the_visitor_and_not_the_proxy(
        self, house: House, ada: Browser
    ) -> None:
        house.set(trusted_proxies="10.0.0.0/8")
        browser = await _signed_in(house, address=PROXY, told=f"{FORGED}, {VISITOR}")
        page = text(await browser.get(HERE))
        assert VISITOR in page
        assert FORGED not in page
        assert PROXY not in page

    async def test_several_headers_are_one_chain(self, house: House, ada: Browser) -> None:
        house.set(trusted_proxies="10.0.0.0/8")
        browser = await house.browser(address=PROXY)
        headers = [("x-forwarded-for", FORGED), ("x-forwarded-for", f"{VISITOR}, {FURTHER}")]
        sent = {"email": ADA["email"], "password": PASSWORD}
        await browser.client.post("/sign-in", data=sent, headers=headers)
        assert VISITOR in text(await browser.get(HERE))

    async def test_a_header_counts_for_nothing_from_whoever_is_not_trusted(
        self, house: House, ada: Browser
    ) -> None:
        for trusted in ("", "192.0.2.5"):
            house.set(trusted_proxies=trusted)
            browser = await _signed_in(house, address=PROXY, told=FORGED)
            page = text(await browser.get(HERE))
            assert PROXY in page
            assert FORGED not in page

    async def test_nobody_gets_more_tries_by_forging_it(self, house: House, ada: Browser) -> None:
        house.set(trusted_proxies="10.0.0.0/8")
        direct = await house.browser(address=VISITOR)
        behind = await house.browser(address=PROXY)
        for number in range(SIGN_IN_FROM_ADDRESS.tries):
            forged = f"192.0.2.{number}"
            if number % 2:
                answer = await _try(behind, number, f"{forged}, {VISITOR}")
            else:
                answer = await _try(direct, number, forged)
            assert answer == 401
        assert await _try(behind, 98, f"{FORGED}, {VISITOR}") == 429
        assert await _try(direct, 99, FORGED) == 429
        assert await _try(behind, 100, "203.0.113.8") == 401, "somebody else behind the same proxy"


async def _signed_in(house: House, *, address: str, told: str) -> Browser:
    browser = await house.browser(address=address)
    browser.client.headers["x-forwarded-for"] = told
    await browser.send("/sign-in", email=ADA["email"], password=PASSWORD)
    return browser


async def _try(browser: Browser, number: int, told: str) -> int:
    browser.client.headers["x-forwarded-for"] = told
    email = f"nobody-{number}@example.org"
    return (await browser.send("/sign-in", email=email, password="a guess")).status_code
