"""HEAD, for everything that answers GET."""

from __future__ import annotations

import http.client
import logging
import re
from pathlib import Path
from typing import get_type_hints

import pytest
from httpx import Response

from commonroom.http.live_updates import LiveUpdates
from tests.house.whole import whole
from tests.support.application import application_without_store
from tests.support.server import serving

OWN = {"x-request-id", "date"}
"""Headers that differ from answer to answer."""


def told(answer: Response) -> tuple[int, dict[str, str]]:
    return answer.status_code, {
        name: value for name, value in answer.headers.items() if name not in OWN
    }


def readable() -> list[str]:
    """Everything that can be read to its end, with whatever for its parameters."""
    found = [
        re.sub(r"\{[^}]*\}", "nothing", one.path)
        for one in application_without_store().routes
        if one.method == "GET"
        and get_type_hints(one.route.function).get("return") is not LiveUpdates
    ]
    return [*found, "/static/commonroom.css", "/nowhere"]


@pytest.mark.parametrize("who", ["guest", "browser"])
async def test_it_says_what_get_says_without_the_body(tmp_path: Path, who: str) -> None:
    async with whole(tmp_path) as house:
        client = await getattr(house, who)()
        for path in readable():
            if "said" in client.cookies:  # by a page before that leads on: it is shown only once
                client.cookies.delete("said")
            got, head = await client.get(path), await client.head(path)
            assert (path, told(head)) == (path, told(got))
            assert (path, head.content) == (path, b"")


async def test_what_only_takes_something_is_not_there_for_it(tmp_path: Path) -> None:
    async with whole(tmp_path) as house:
        client = await house.guest()
        assert (await client.head("/sign-out")).status_code == 405


async def test_it_is_logged_as_what_it_is(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "commonroom.requests")
    async with whole(tmp_path) as house:
        await (await house.guest()).head("/health/live")
    assert "HEAD /health/live 200" in caplog.text


def test_a_real_server_sends_the_length_and_nothing_more(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        connection.request("GET", "/static/commonroom.css")
        length = len(connection.getresponse().read())
        for _ in range(2):  # the second would read what the first had left behind
            connection.request("HEAD", "/static/commonroom.css")
            head = connection.getresponse()
            assert (head.status, head.headers["Content-Length"]) == (200, str(length))
            assert head.read() == b""
        connection.close()
