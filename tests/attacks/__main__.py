"""All attacks, one after the other, each on a server of its own: `python -m tests.attacks`.

With `--write`, their figures go into docs/security.md. Everything is on loopback, and bounded.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from tests.attacks import connections, content, edges, guessing, guests, imports, processor, signin
from tests.house.test_edges import furnish
from tests.support.application import every_route
from tests.support.dynamodb_local import ROOT
from tests.support.server import Server, serving_into

HOST = "127.0.0.1"
DOCUMENT = ROOT / "docs" / "security.md"
BEGIN = "<!-- figures: written by `python -m tests.attacks --write` -->"
END = "<!-- end of figures -->"
OWNER = {"email": "owner@example.org", "display_name": "Owner", "password": "a lamp in the hall"}
PROXIED = {"COMMONROOM_TRUSTED_PROXIES": HOST}
PATIENCE = 35.0
"""A little longer than a silent or half-sent request may last."""

Attack = Callable[[Path], dict[str, Any]]


@contextmanager
def served(folder: Path, **environment: str) -> Iterator[Server]:
    """A server whose log is a file."""
    with serving_into(folder / "log", folder / "data", **environment) as server:
        yield server


def silent_connections(folder: Path) -> dict[str, Any]:
    """1,000 connections that say nothing, 300 with half a head, 300 with half a body."""
    with served(folder) as server:

        async def all_of_it() -> dict[str, Any]:
            hold = connections.hold
            silent, head, body = await asyncio.gather(
                hold(HOST, server.port, number=1000, sent=connections.SILENT, seconds=PATIENCE),
                hold(HOST, server.port, number=300, sent=connections.HALF_HEAD, seconds=PATIENCE),
                hold(HOST, server.port, number=300, sent=connections.HALF_BODY, seconds=PATIENCE),
            )
            return {
                "open": 1600,
                "closed by the server": silent["closed"] + head["closed"] + body["closed"],
                "after seconds": max(one["seconds"] for one in (silent, head, body)),
                "/health/live meanwhile": silent["health"],
            }

        return asyncio.run(all_of_it())


def live_pages(folder: Path) -> dict[str, Any]:
    """2,600 live pages from 26 addresses, and 150 from one."""
    (folder / "data").mkdir()
    _, places = asyncio.run(furnish(folder / "data"))
    path = f"/s/{places['short_id']}/live"
    many = [{"X-Forwarded-For": f"198.51.100.{number}"} for number in range(1, 27)]
    with served(folder, **PROXIED) as server:
        one = asyncio.run(connections.open_live_pages(HOST, server.port, path, number=150))
        all_ = asyncio.run(
            connections.open_live_pages(HOST, server.port, path, number=2600, headers=many)
        )
    return {
        "from one address": one["answered"],
        "from all": all_["answered"],
        "/health/live meanwhile": all_["health"],
        "a page meanwhile": all_["page"],
    }


def dear_requests(folder: Path) -> dict[str, Any]:
    """The dearest page 90 times at once from one address; what others are answered meanwhile."""
    with served(folder, **PROXIED) as server:
        assert guessing.ask(HOST, server.port, "/setup", OWNER)[0] == 201
        return asyncio.run(processor.dear_requests(HOST, server.port, OWNER))


def many_a_second(folder: Path) -> dict[str, Any]:
    """The dearest page 10, then 200 times a second from one address; another address’s page."""
    with served(folder, **PROXIED) as server:
        assert guessing.ask(HOST, server.port, "/setup", OWNER)[0] == 201
        return {
            "ten a second": asyncio.run(processor.keep_asking(HOST, server.port)),
            "200 a second": asyncio.run(
                processor.keep_asking(HOST, server.port, each_second=200, seconds=10)
            ),
        }


def calendar_files(folder: Path) -> dict[str, Any]:
    """The calendar file of an event that lasts a century, with a costly description."""
    with served(folder) as server:
        return processor.calendar_files(HOST, server.port)


def api_documents(folder: Path) -> dict[str, Any]:
    """The documents of the API, 200 times each."""
    with served(folder) as server:
        cpu_seconds = partial(content.cpu_seconds, server.process.pid)
        return processor.api_documents(HOST, server.port, cpu_seconds)


def far_events(folder: Path) -> dict[str, Any]:
    """Events of a guest that would stay for years, and an answer to one that is over."""
    with served(folder) as server:
        return guests.far_events(HOST, server.port)


def odd_addresses(folder: Path) -> dict[str, Any]:
    """Odd bytes in every segment of every route, odd names of hosts, uploads that break off."""
    (folder / "data").mkdir()
    _, places = asyncio.run(furnish(folder / "data"))
    requests = list(edges.odd_requests(every_route(), places, ((b"Accept", b"text/html"),)))
    with served(folder, COMMONROOM_DURABILITY="NORMAL") as server:
        paths = asyncio.run(edges.odd_paths(HOST, server.port, requests))
        hosts = asyncio.run(edges.odd_hosts(HOST, server.port, ["/", "/api/v1/me"]))
        broken = asyncio.run(edges.aborted_posts(HOST, server.port, ["/sign-in"], times=20))
    lines = (folder / "log").read_bytes().decode().removesuffix("\n").split("\n")
    return {
        "requests": paths["requests"] + hosts["requests"] + broken["aborted"],
        "5xx": paths.get("5xx", 0) + hosts.get("5xx", 0),
        "answers under a foreign name": hosts.get("2xx", 0) + hosts.get("3xx", 0),
        "log lines with control characters": sum(not line.isprintable() for line in lines),
    }


def ticks(folder: Path) -> dict[str, Any]:
    """Ticks on the largest list that there can be."""
    with served(folder) as server:
        data_file = folder / "data" / "commonroom.db"
        return asyncio.run(guests.tick_flood(HOST, server.port, data_file, ticks=200))


def pages(folder: Path) -> dict[str, Any]:
    """As many pages as one address gets, of the smallest and of the largest kind."""
    with served(folder, COMMONROOM_GUEST_STORAGE_MB="10") as server:
        small = asyncio.run(guests.page_flood(HOST, server.port, pages=80))
    (folder / "second").mkdir()
    with served(folder / "second", COMMONROOM_GUEST_STORAGE_MB="10") as server:
        large = asyncio.run(guests.storage_flood(HOST, server.port, pages=60))
    return {"small": small, "large, with 10 MB for guests": large}


def answers(folder: Path) -> dict[str, Any]:
    """Answers to one event, many at once."""
    with served(folder) as server:
        return asyncio.run(guests.answer_flood(HOST, server.port, answers=100))


def markdown(folder: Path) -> dict[str, Any]:
    """A table of 10 KB that would be 65,000 cells."""
    with served(folder) as server:
        return content.costly_markdown(HOST, server.port, server.process.pid)


def archives(folder: Path) -> dict[str, Any]:
    """Files of a few kilobytes to import that would become 300 MB, alone and twenty together."""
    with served(folder) as server:
        return imports.import_bombs(
            HOST, server.port, server.process.pid, megabytes=300, columns=4_000_000
        )


def first_account(folder: Path) -> dict[str, Any]:
    """Guesses at the code for the first account, from elsewhere."""
    with served(folder, **PROXIED) as server:
        return dict(signin.take_the_first_account(HOST, server.port))


def tokens(folder: Path) -> dict[str, Any]:
    """What a token that may read, and one that may do anything, are good for."""
    with served(folder) as server:
        made = signin.Caller(HOST, server.port).ask("POST", f"{signin.V1}/setup", signin.OWNER)
        assert made.status == 201
        reading = signin.let_somebody_in_with_a_read_token(HOST, server.port)
        taking_over = signin.take_over_with_an_admin_token(HOST, server.port)
    return {"read token": reading, "admin token": taking_over}


def guesses(folder: Path) -> dict[str, Any]:
    """Passwords, a page's passcode, and who has an account."""
    with served(folder, **PROXIED, COMMONROOM_SIGN_UP="open") as server:
        assert guessing.ask(HOST, server.port, "/setup", OWNER)[0] == 201
        return {
            "password": guessing.lock_an_owner_out(HOST, server.port, OWNER),
            "passcode": guessing.guess_a_passcode(HOST, server.port),
            "who is here": guessing.find_out_who_is_here(HOST, server.port, OWNER["email"]),
        }


ATTACKS: list[Attack] = [
    silent_connections,
    live_pages,
    ticks,
    pages,
    answers,
    markdown,
    archives,
    dear_requests,
    many_a_second,
    calendar_files,
    api_documents,
    far_events,
    odd_addresses,
    tokens,
    first_account,
    guesses,
]


def main() -> None:
    """Runs them, and says what each came to."""
    parser = argparse.ArgumentParser(prog="python -m tests.attacks", description=__doc__)
    parser.add_argument("name", nargs="*", help=", ".join(one.__name__ for one in ATTACKS))
    parser.add_argument("--write", action="store_true", help=f"into {DOCUMENT.relative_to(ROOT)}")
    asked = parser.parse_args()
    figures = {}
    for attack in ATTACKS:
        if asked.name and attack.__name__ not in asked.name:
            continue
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            figures[attack] = attack(Path(folder))
        print(f"{attack.__name__} ({time.monotonic() - began:.0f} s)")
        print(json.dumps(figures[attack], indent=2))
    if asked.write:
        write(figures)


def write(figures: dict[Attack, dict[str, Any]]) -> None:
    """Puts the figures into the document."""
    rows = [f"| {one.__doc__} | {_said(found)} |" for one, found in figures.items()]
    table = "\n".join(["| what is tried | what comes of it |", "|---|---|", *rows])
    before, _, rest = DOCUMENT.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    DOCUMENT.write_text(f"{before}{BEGIN}\n\n{table}\n\n{END}{after}")


def _said(found: Any) -> str:
    if not isinstance(found, dict):
        return str(found)
    parts = (f"{str(name).replace('_', ' ')}: {_said(value)}" for name, value in found.items())
    return " · ".join(f"({part})" if part.count(":") > 1 else part for part in parts)


if __name__ == "__main__":
    main()
