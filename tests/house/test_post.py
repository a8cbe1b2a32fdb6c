"""A real server with a mail server, and behind a proxy."""

from __future__ import annotations

import json
import signal
import socket
import time
import urllib.request
from pathlib import Path
from typing import Any

from commonroom.accounts.signup import first_account_code
from commonroom.settings import Settings
from tests.support.mail import mailbox_apart
from tests.support.server import Server, serving

ADA = {"email": "ada@example.org", "display_name": "Ada", "password": "a lamp in the hall"}
MAIL = {"COMMONROOM_MAIL_FROM": "commonroom@home.example"}


def sent(server: Server, path: str, body: dict[str, str], **headers: str) -> Any:
    """What a request to the API is answered, and its cookies."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{server.port}/api/v1{path}",
        data=json.dumps(body).encode(),
        headers={"Content-Type": "application/json", **headers},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.headers.get_all("set-cookie")


def test_a_letter_that_is_on_its_way_arrives_before_the_server_ends(tmp_path: Path) -> None:
    with mailbox_apart() as box:
        box.go_on.clear()
        with serving(tmp_path / "data", COMMONROOM_MAIL_SERVER=box.address, **MAIL) as server:
            sent(server, "/setup", ADA)
            assert box.reached.wait(60)
            server.process.send_signal(signal.SIGTERM)
            _until_it_listens_no_more(server.port)
            assert server.process.poll() is None, "it waits for the letter"
            assert box.letters == []
            box.go_on.set()
            assert server.process.wait(60) == 0
        (letter,) = box.to(ADA["email"])
        assert f"http://127.0.0.1:{server.port}/confirm/" in letter.get_content()


def test_a_session_shows_the_visitor_behind_a_trusted_proxy_only(tmp_path: Path) -> None:
    for trusted, shown in (("127.0.0.0/8", "203.0.113.7"), ("10.0.0.1", "127.0.0.1")):
        data = tmp_path / trusted.replace("/", "-")
        with serving(data, COMMONROOM_TRUSTED_PROXIES=trusted) as server:
            forwarded = {"X-Forwarded-For": "198.51.100.1, 203.0.113.7"}
            new = ADA | {"code": first_account_code(Settings(data=data))}
            cookie = sent(server, "/setup", new, **forwarded)[0].partition(";")[0]
            request = urllib.request.Request(
                f"http://127.0.0.1:{server.port}/api/v1/me/sessions", headers={"Cookie": cookie}
            )
            with urllib.request.urlopen(request, timeout=60) as answer:
                (session,) = json.load(answer)["items"]
            assert session["address"] == shown


def _until_it_listens_no_more(port: int) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with socket.socket() as attempt:
            if attempt.connect_ex(("127.0.0.1", port)) != 0:
                return
        time.sleep(0.02)
    raise TimeoutError("It still listens.")
