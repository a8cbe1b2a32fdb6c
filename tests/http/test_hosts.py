"""Under which names an installation answers."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from commonroom.http.hosts import check_host
from commonroom.settings import Settings
from tests.http.raw import told

MACHINE = socket.gethostname().lower()


async def _answers(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def status(host: str, path: str = "/", **settings: str) -> int:
    """What a request under a name gets."""
    app = check_host(_answers, Settings(**settings))  # type: ignore[arg-type] # all of them texts
    messages = await told(app, path, {"host": host})
    return int(messages[0]["status"])


class TestKnown:
    @pytest.mark.parametrize(
        "host",
        [
            "localhost",
            "LocalHost:8400",
            "localhost.:8400",
            "127.0.0.1:8400",
            "[::1]:8400",
            "192.168.1.5:8400",
            "[fd00::5]:8400",
            "203.0.113.9",
            f"{MACHINE}:8400",
            f"{MACHINE.partition('.')[0]}.local:8400",
        ],
    )
    async def test_without_any_setting_the_machine_and_addresses_in_numbers(
        self, host: str
    ) -> None:
        assert await status(host) == 204

    @pytest.mark.parametrize("host", ["home.example", "HOME.example:443", "home.example.:8443"])
    async def test_the_public_address_at_any_port(self, host: str) -> None:
        assert await status(host, public_address="https://home.example") == 204
        assert await status(host) == 421

    @pytest.mark.parametrize("host", ["nas.lan:8400", "Den.Example"])
    async def test_what_is_set(self, host: str) -> None:
        assert await status(host, hosts="nas.lan, den.example") == 204
        assert await status(host, hosts="lan, example") == 421


class TestUnknown:
    @pytest.mark.parametrize(
        "host",
        [
            "evil.example",
            "127.0.0.1.evil.example",
            "localhost.evil.example",
            "evil.local",
            "sub.home.example",
            "home.example@evil.example",
            "evil.example#home.example",
            "home.example:80:80",
            "home.example\\evil.example",
            "[::1",
            "[localhost]",
            "2130706433",
            "0x7f.1",
            "a b",
            "\xff",
            "",
            "x" * 3000,
        ],
    )
    async def test_is_refused(self, host: str) -> None:
        assert await status(host, public_address="https://home.example") == 421

    async def test_is_refused_where_it_stands_beside_a_known_one(self) -> None:
        scope: Any = {
            "type": "http",
            "path": "/",
            "headers": [(b"host", b"localhost"), (b"host", b"evil.example")],
        }
        messages: list[Any] = []

        async def send(message: Any) -> None:
            messages.append(message)

        await check_host(_answers, Settings())(scope, None, send)  # type: ignore[arg-type] # it is not asked
        assert messages[0]["status"] == 421

    @pytest.mark.parametrize("path", ["/health/live", "/health/ready", "/static/commonroom.css"])
    async def test_still_learns_whether_it_runs(self, path: str) -> None:
        assert await status("10-0-0-5.pods.example", path) == 204
