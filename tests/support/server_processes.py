"""Servers with somebody at home: real processes, and what their administrator does there."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from tests.support.dynamodb_local import ROOT, free_port
from tests.support.server import Server, clean_environment

ADA = {"email": "ada@example.org", "display_name": "Ada", "password": "a lamp in the hall"}


class ServerProcess(Server):
    """A server whose library tests have furnished."""

    @property
    def processes(self) -> list[int]:
        """Those that answer, which the first one has started."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(child) for child in children.read_text().split() if _answers(int(child))]

    def ask(
        self, method: str, path: str, body: Any = None, **headers: str
    ) -> tuple[int, http.client.HTTPMessage, Any]:
        """What the API answers, over a connection of its own."""
        given = {"Content-Type": "application/json"} | {
            name.replace("_", "-"): value for name, value in headers.items()
        }
        with closing(self.connection()) as connection:
            sent = None if body is None else json.dumps(body)
            connection.request(method, f"/api/v1{path}", sent, given)
            response = connection.getresponse()
            read = response.read()
            return response.status, response.headers, json.loads(read) if read else None

    def connection(self) -> http.client.HTTPConnection:
        """A connection of its own."""
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def move_in(self) -> str:
        """Makes the first account; gives the cookie of its browser."""
        status, _, _ = self.ask("POST", "/setup", ADA)
        assert status == 201
        return self.sign_in()

    def sign_in(self) -> str:
        """The cookie of another browser of hers."""
        known = {name: ADA[name] for name in ("email", "password")}
        status, headers, _ = self.ask("POST", "/session", known)
        assert status in (200, 201), status
        return headers["Set-Cookie"].partition(";")[0]

    def read_until(self, words: str) -> str:
        """What it says until a line with these words has come."""
        assert self.process.stdout is not None
        said = ""
        while words not in said:
            line = self.process.stdout.readline()
            assert line, f"it ended without saying {words!r}: {said}"
            said += line
        return said

    def rest(self) -> str:
        """What it says until it has ended."""
        assert self.process.stdout is not None
        return self.process.stdout.read()


@contextmanager
def server_process(
    data: Path, *, answers: bool = True, **environment: str
) -> Iterator[ServerProcess]:
    """A server that has said that it answers; or one that need not."""
    port = free_port()
    words = ["serve", "--port", str(port), "--data", str(data)]
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.support.commonroom_with_live_page", *words],
        cwd=ROOT,
        env=clean_environment() | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    running = ServerProcess(process, port)
    try:
        if answers:
            running.read_until("Commonroom answers at")
        yield running
    finally:
        process.terminate()
        try:
            process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


def _answers(process: int) -> bool:
    # multiprocessing has a process of its own, too, which tidies up.
    return b"spawn_main" in Path(f"/proc/{process}/cmdline").read_bytes()
