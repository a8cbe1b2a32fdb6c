"""Attacks by guessing: passwords, passcodes of pages, and who has an account.

Each is given a server's host and port (which takes a proxy's word for addresses from loopback),
does a bounded number of requests, and returns figures. What takes hours is simulated on a clock.
"""

from __future__ import annotations

import http.client
import json
from collections import Counter
from collections.abc import Iterable
from contextlib import closing, suppress
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

from commonroom.accounts.service.throttle import Counted, GuessLimits, guessing
from commonroom.accounts.tables import tables
from commonroom.errors import RateLimited
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine

V1 = "/api/v1"
SECONDS = 60
HOUR = 3600
NEW_ADDRESS = "192.0.2.77"
WRONG_PASSWORD = "not the right one"


def ask(
    host: str,
    port: int,
    path: str,
    body: Any,
    *,
    address: str | None = None,
    cookies: dict[str, str] | None = None,
) -> tuple[int, dict[str, str], Any]:
    """Posts to the API as if from an address: the status, the cookies, and what was answered."""
    headers = {"Content-Type": "application/json"}
    if address is not None:
        headers["X-Forwarded-For"] = address
    if cookies:
        headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
    with closing(http.client.HTTPConnection(host, port, timeout=SECONDS)) as connection:
        connection.request("POST", f"{V1}{path}", json.dumps(body), headers)
        answer = connection.getresponse()
        given = SimpleCookie()
        for cookie in answer.headers.get_all("Set-Cookie") or ():
            given.load(cookie)
        text = answer.read().decode(errors="replace")
        kept = {name: one.value for name, one in given.items()}
        return answer.status, kept, json.loads(text) if text else None


def of_one_home(count: int) -> Iterable[str]:
    """Addresses of one /64: a single visitor who takes another for every guess."""
    return (f"2001:db8:1:1::{number:x}" for number in range(count))


def of_one_customer(count: int) -> Iterable[str]:
    """Addresses of as many /64s, all out of the /48 that one customer was given."""
    return (f"2001:db8:2:{number:x}::1" for number in range(count))


def lock_an_owner_out(
    host: str, port: int, owner: dict[str, str], guesses: int = 120
) -> dict[str, int]:
    """Guesses at a password until refused, and sees whether its owner still gets in."""
    known = {"email": owner["email"], "password": owner["password"]}
    wrong = known | {"password": WRONG_PASSWORD}
    _, cookies, _ = ask(host, port, "/session", known, address="198.51.100.9")
    device = {name: value for name, value in cookies.items() if name.endswith("device")}
    half = guesses // 2
    came = Counter(
        ask(host, port, "/session", wrong, address=address)[0]
        for address in (*of_one_home(half), *of_one_customer(half))
    )
    # The owner's browser asks from where the guesses came from, too.
    home = next(iter(of_one_home(1)))
    return {
        "guesses": sum(came.values()),
        "looked at": came[401],
        "told to wait": came[429],
        "owner on a known device": ask(host, port, "/session", known, address=home, cookies=device)[
            0
        ],
        "owner at a new address": ask(host, port, "/session", known, address=NEW_ADDRESS)[0],
    }


def guess_a_passcode(host: str, port: int, guesses: int = 120) -> dict[str, int]:
    """Guesses at a page's passcode from one home and one customer, while a guest knows it."""
    content = {"name": "Shopping", "items": [{"name": "Milk"}], "ticks_shared": True}
    kept = {"expires_after": 30, "view_passcode": "fig tree"}
    made = ask(host, port, "/shareables/checklists", content | kept)
    passes = f"/shareables/{made[2]['page']['short_id']}/passes"
    half = guesses // 2
    came = Counter(
        ask(host, port, passes, {"passcode": f"guess {address}"}, address=address)[0]
        for address in (*of_one_home(half), *of_one_customer(half))
    )
    return {
        "guesses": sum(came.values()),
        "looked at": came[403],
        "told to wait": came[429],
        "right one from a new address": ask(
            host, port, passes, {"passcode": "fig tree"}, address=NEW_ADDRESS
        )[0],
    }


def find_out_who_is_here(host: str, port: int, taken: str, tries: int = 20) -> dict[str, int]:
    """Signs up with an address that has an account, where everybody may and no mail is sent."""
    new = {"email": taken, "display_name": "Somebody", "password": "a lamp in the attic"}
    came = Counter(
        ask(host, port, "/accounts", new, address=address)[0] for address in of_one_home(tries)
    )
    return {"tries": tries, "told": came[409], "told to wait": came[429]}


async def guesses_let_through(
    folder: Path, limits: GuessLimits, addresses: Iterable[str], *, hours: int, every: int = 60
) -> dict[str, int]:
    """How many wrong guesses are looked at where every address guesses as often as it may."""
    now = 10.0**10
    store = Store(
        EmbeddedEngine(folder / "guesses.db", tables, durability="OFF", clock=lambda: now)
    )
    by_hour: Counter[int] = Counter()
    networks = list(addresses)
    try:
        for step in range(hours * HOUR // every):
            for address in networks:
                counted = limits.of("secret", address, group="guest")
                through = await _as_many_as_it_may(store, now, counted)
                by_hour[step * every // HOUR] += through
            now += every
    finally:
        await store.close()
    return {"networks": len(networks), "first hour": by_hour[0], "last hour": by_hour[hours - 1]}


async def _as_many_as_it_may(store: Store, now: float, counted: tuple[Counted, ...]) -> int:
    """Guesses wrong until told to wait; how many were looked at."""
    through = 0
    with suppress(RateLimited):
        while True:
            with suppress(KeyError):
                async with guessing(store, now, *counted, wrong=KeyError):
                    through += 1
                    raise KeyError
    return through
