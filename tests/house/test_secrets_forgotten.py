"""Secrets in addresses: neither the log nor any cache of the process holds them afterwards."""

from __future__ import annotations

import functools
import gc
import logging
from pathlib import Path
from typing import Any

import pytest

from tests.house.whole import HOST, Whole, whole

SECRET = "Kw7-violet-otter-lane-9fQ"
CODE = "kmnpqr23"
ADDRESSES = [
    f"/setup?code={SECRET}",
    f"/sign-up?invitation={SECRET}",
    f"/sign-in?next=/reset/{SECRET}",
    f"/s/AbCdEfGh/recover/{SECRET}",
    f"/reset/{SECRET}",
    f"/join/{SECRET}",
    f"/h/{SECRET}",
    f"/h/{SECRET}/guest-1.{SECRET}",
    f"/lists/abc/join/{SECRET}",
    f"/lists/abc?key={SECRET}",
    f"/calendar/ada/{SECRET}.ics",
    f"/api/v1/invites/{SECRET}",
    f"/api/v1/guest-links/{SECRET}",
    f"/api/v1/guest-links/{SECRET}/rsvps/mine",
    f"/api/v1/group-codes/{SECRET}",
]


def remembered(secret: str) -> list[str]:
    """The caches of this process that hold a secret, in a key or in what was made of it."""
    gc.unfreeze()  # what was there when tests were collected would not be listed
    caches = [one for one in gc.get_objects() if isinstance(one, functools._lru_cache_wrapper)]
    return [f"{one.__module__}.{one.__qualname__}" for one in caches if _holds(one, secret)]


def _holds(cache: Any, secret: str) -> bool:
    # What the function belongs to, such as its module, is not what it remembers.
    waiting: list[Any] = [one for one in gc.get_referents(cache) if one is not vars(cache)]
    for _level in range(5):
        if any(isinstance(one, str | bytes) and secret in str(one) for one in waiting):
            return True
        waiting = [inner for one in waiting for inner in _inside(one)]
    return False


def _inside(one: Any) -> list[Any]:
    match one:
        case dict():
            return [*one.keys(), *one.values()]
        case list() | tuple():
            return list(one)
    return []


async def ask(house: Whole, address: str) -> None:
    """A browser and a program ask for it: past no client, which might remember it, too."""
    browser = await house.browser()
    cookie = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    referer = f"http://{HOST}{address}"
    for method in ("GET", "HEAD"):
        await call(house, method, address, accept="text/html", cookie=cookie, referer=referer)
        await call(house, method, address, accept="application/json")


async def call(house: Whole, method: str, address: str, **headers: str) -> None:
    """One request, as a server hands it over."""
    path, _, query = address.partition("?")
    asked = {"host": HOST, **headers}
    scope: Any = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in asked.items()],
        "client": ("127.0.0.1", 1),
        "server": (HOST, 80),
    }

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(_message: Any) -> None:
        pass

    await house.app(scope, receive, send)


@pytest.mark.parametrize("address", ADDRESSES)
async def test_no_cache_holds_what_stood_in_an_address(tmp_path: Path, address: str) -> None:
    @functools.lru_cache
    def kept(text: str) -> str:
        return text

    kept(SECRET)
    assert remembered(SECRET), "what looks for it finds it"
    kept.cache_clear()
    async with whole(tmp_path) as house:
        await ask(house, address)
        assert remembered(SECRET) == []


async def test_nothing_is_kept_of_any_other_address_either(tmp_path: Path) -> None:
    async with whole(tmp_path) as house:
        await ask(house, "/lists/plain-list-of-lamps?look=plain-list-of-lamps")
        assert remembered("plain-list-of-lamps") == []


@pytest.mark.parametrize("address", [f"/g/{CODE}", f"/api/v1/group-codes/{CODE}", f"/g/{CODE}/"])
async def test_the_log_does_not_hold_a_groups_code(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, address: str
) -> None:
    async with whole(tmp_path) as house:
        with caplog.at_level(logging.INFO):
            await ask(house, address)
    ours = [one.getMessage() for one in caplog.records if one.name.startswith("commonroom.")]
    assert len(ours) >= 4
    assert [one for one in ours if CODE in one] == []
