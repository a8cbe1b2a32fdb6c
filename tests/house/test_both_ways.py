"""Every read, of every room, is answered the same on the short way and on the long."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from litestar.types import ASGIApp

from commonroom.http.fast_path import fast_path
from commonroom.http.forms import PageRoute
from commonroom.http.middleware import answer_heads, wrap_app
from commonroom.http.openapi.document import operations
from commonroom.http.words import in_their_language
from tests.house.test_access_table import CALLERS, House, house
from tests.http.raw import told

REQUESTS: list[dict[str, Any]] = [
    {},
    {"method": "HEAD"},
    {"method": "OPTIONS"},
    {"query": b"limit=1"},
    {"query": b"limit=none"},
    {"query": b"limit=1&limit=2"},
    {"query": b"%FF"},
    {"query": b"cursor=AAAA"},
    {"headers": {"if-none-match": "*"}},
    {"headers": {"if-none-match": '"another", W/"one"'}},
    {"headers": {"x-acting-as-member": "nobody"}},
    {"headers": {"accept-language": "fr"}},
    {"headers": {"accept": "text/html"}},
    {"headers": {"host": "wrong/host"}},
]


def way(app: ASGIApp) -> ASGIApp:
    """All that stands before the application, or before its short way."""
    return wrap_app(answer_heads(in_their_language(app)))


def paths(here: House) -> Iterator[str]:
    """Every read of the API, with nothing's id and with a member's."""
    reads = {path for path, method, _ in operations(here.app) if method == "get"}
    for path in sorted(reads):
        yield from {re.sub(r"\{[^}]*\}", name, path) for name in ("nothing", here.child.user_id)}


def comparable(messages: list[Any]) -> list[Any]:
    """The same messages without what differs every time: sealed cursors, and the moment."""
    for message in messages:
        if "headers" in message:
            message["headers"] = [
                (name, re.sub(rb"expires=[^;]*", b"", value)) for name, value in message["headers"]
            ]
        if "body" in message:
            message["body"] = re.sub(rb'(?<="next_cursor":")[\w-]+', b"", message["body"])
    return messages


async def compare_both_ways(
    here: House, caller: str, paths: Iterable[str], requests: Sequence[dict[str, Any]]
) -> None:
    """Sends each request to each path on both ways."""
    short, long = way(fast_path(here.app)), way(here.app)
    shown = await here._shown(caller)
    await told(long, "/api/v1/me", shown)  # it is noted that they are here
    for path in paths:
        for request in requests:
            asked = request | {"headers": shown | request.get("headers", {})}
            expected = comparable(await told(long, path, **asked))
            assert comparable(await told(short, path, **asked)) == expected, (path, request)


@pytest.mark.parametrize("caller", CALLERS)
async def test_every_read_is_answered_the_same_to_the_byte(tmp_path: Path, caller: str) -> None:
    async with house(tmp_path) as here:
        await compare_both_ways(here, caller, paths(here), REQUESTS)


PAGE_REQUESTS: list[dict[str, Any]] = [
    {},
    {"method": "HEAD"},
    {"query": b"cursor=AAAA"},
    {"headers": {"cookie": "said=welcome; theme=dark"}},
    {"headers": {"accept-language": "fr", "sec-fetch-mode": "cors"}},
]


@pytest.mark.parametrize("caller", CALLERS)
async def test_every_page_is_answered_the_same_to_the_byte(tmp_path: Path, caller: str) -> None:
    async with house(tmp_path) as here:
        await compare_both_ways(here, caller, pages(here), PAGE_REQUESTS)


def pages(here: House) -> Iterator[str]:
    """Every page, with nothing's id and with a member's."""
    found = {
        route.path_format
        for route in here.app.routes
        for handler in getattr(route, "route_handlers", ())
        if isinstance(handler, PageRoute)
    }
    for path in sorted(found):
        yield from {re.sub(r"\{[^}]*\}", name, path) for name in ("nothing", here.child.user_id)}


async def test_what_has_not_changed_is_not_sent_again_on_either(tmp_path: Path) -> None:
    async with house(tmp_path) as here:
        shown = await here._shown("person")
        path = f"/api/v1/me/members/{here.child.user_id}"
        for app in (way(fast_path(here.app)), way(here.app)):
            start, _ = await told(app, path, shown)
            tag = dict(start["headers"])[b"etag"].decode()
            again, body = await told(app, path, shown | {"if-none-match": tag})
            assert (start["status"], again["status"], body["body"]) == (200, 304, b"")


async def test_no_read_of_the_api_has_to_go_the_long_way(tmp_path: Path) -> None:
    async with house(tmp_path) as here:
        reads = [one for _, method, one in operations(here.app) if method == "get"]
        assert [one for one in reads if not one.is_plain] == []
        assert reads
