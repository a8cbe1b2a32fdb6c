"""What every answer tells browsers and proxies: what pages may do, who may keep them, and https."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from httpx import Response

from tests.house.whole import Whole, whole
from tests.support.application import application_without_store

PASSWORD = "a lamp in the hall"
BY_HTTPS = {"x-forwarded-proto": "https"}
FOR_EVERYBODY = re.compile(
    r"/(static/.*|favicon\.ico|manifest\.webmanifest|service-worker\.js|openapi\.json)"
)
PRIVATE = re.compile("no-store|private, ")


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[Whole]:
    async with whole(tmp_path) as made:
        yield made


class TestEveryAnswer:
    @pytest.mark.parametrize(
        "path", ["/me", "/nowhere", "/api/v1/me", "/static/commonroom.css", "/health/live"]
    )
    async def test_says_what_a_page_may_do(self, house: Whole, path: str) -> None:
        headers = (await (await house.browser()).get(path)).headers
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert headers["x-content-type-options"] == "nosniff"
        features = headers["permissions-policy"].split(", ")
        assert "camera=(self)" in features, "the scanner of ISBNs needs it"
        assert {"microphone=()", "geolocation=()"} <= set(features)

    async def test_says_who_may_keep_it_and_strangers_only_what_is_the_same_for_all(
        self, house: Whole
    ) -> None:
        browser = await house.browser()
        paths = [re.sub(r"\{[^}]*\}", "1", path) for path in _reads()]
        assert len(paths) > 100
        # By HEAD, because some are streams that would go on.
        kept = {path: (await browser.head(path)).headers.get("cache-control") for path in paths}
        private = {path: how for path, how in kept.items() if not FOR_EVERYBODY.fullmatch(path)}
        assert [path for path, how in private.items() if not PRIVATE.match(str(how))] == []
        assert kept["/favicon.ico"] == "public, no-cache"

    async def test_a_page_can_still_be_read_offline(self, house: Whole) -> None:
        answer = await (await house.browser()).get("/me")
        assert answer.headers["cache-control"] == "private, no-cache"
        assert answer.headers["kept-for"]

    async def test_a_redirect_is_not_kept(self, house: Whole) -> None:
        answer = await (await house.guest()).get("/me")
        assert answer.status_code == 303
        assert answer.headers["cache-control"] == "no-store"


class TestHttps:
    async def test_is_asked_for_once_the_public_address_has_it(self, tmp_path: Path) -> None:
        async with whole(tmp_path, public_address="https://commonroom.test") as house:
            headers = (await (await house.guest()).get("/sign-in")).headers
        assert headers["strict-transport-security"] == "max-age=31536000"

    async def test_is_not_asked_for_otherwise(self, tmp_path: Path) -> None:
        async with whole(tmp_path, trusted_proxies="127.0.0.1") as house:
            guest = await house.guest()
            for headers in ({}, BY_HTTPS):
                answer = await guest.get("/sign-in", headers=headers)
                assert "strict-transport-security" not in answer.headers


class TestCookies:
    async def test_are_secure_where_a_trusted_proxy_says_https(self, tmp_path: Path) -> None:
        async with whole(tmp_path, trusted_proxies="127.0.0.0/8") as house:
            answer = await sign_in(house, **BY_HTTPS)
            cookie = session_cookie(answer)
            assert cookie.startswith("__Host-session=")
            assert "; secure" in cookie.lower()
            shown = {"cookie": cookie.partition(";")[0]}
            guest = await house.guest()
            assert (await guest.get("/me", headers=shown | BY_HTTPS)).status_code == 200
            assert (await guest.get("/me", headers=shown)).status_code == 303

    async def test_are_secure_all_of_them(self, tmp_path: Path) -> None:
        async with whole(tmp_path, trusted_proxies="127.0.0.1") as house:
            answer = await (await house.guest()).post("/sign-out", headers=BY_HTTPS)
        cookies = answer.headers.get_list("set-cookie")
        assert len(cookies) > 1
        assert [one for one in cookies if "; secure" not in one.lower()] == []

    @pytest.mark.parametrize(
        "trusted, headers",
        [
            ("", BY_HTTPS),
            ("192.0.2.0/24", BY_HTTPS),
            ("127.0.0.1", {}),
            ("127.0.0.1", {"x-forwarded-proto": "http"}),
            ("127.0.0.1", {"x-forwarded-proto": "http, https"}),
            ("127.0.0.1", {"x-forwarded-proto": "\xff"}),
        ],
    )
    async def test_are_not_secure_where_nobody_who_is_trusted_says_so(
        self, tmp_path: Path, trusted: str, headers: dict[str, str]
    ) -> None:
        async with whole(tmp_path, trusted_proxies=trusted) as house:
            cookie = session_cookie(await sign_in(house, **headers))
        assert cookie.startswith("session=")
        assert "; secure" not in cookie.lower()


async def sign_in(house: Whole, **headers: str) -> Response:
    """Signs Ada in with a browser that shows these headers, too."""
    guest = await house.guest()
    encoded = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
    form = {"email": "ada@example.org", "password": PASSWORD}
    return await guest.post("/sign-in", data=form, headers=encoded)


def session_cookie(answer: Response) -> str:
    """The header that keeps the session."""
    found = [one for one in answer.headers.get_list("set-cookie") if "session=" in one]
    assert len(found) == 1
    return found[0]


def _reads() -> list[str]:
    return sorted(one.path for one in application_without_store().routes if one.method == "GET")
