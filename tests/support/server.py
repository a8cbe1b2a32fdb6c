"""A real server on loopback: `commonroom serve` in a process of its own."""

from __future__ import annotations

import http.client
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.dynamodb_local import ROOT, free_port


class Server:
    """A running server, and what it answers."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process = process
        self.port = port

    def get(self, path: str) -> tuple[int, http.client.HTTPMessage, str]:
        """Status, headers and body of a page."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request("GET", path)
            response = connection.getresponse()
            return response.status, response.headers, response.read().decode(errors="replace")
        finally:
            connection.close()

    def stop(self, number: int) -> int:
        """Sends a signal, and gives what the server ended with."""
        self.process.send_signal(number)
        return self.process.wait(timeout=20)


@contextmanager
def serving(data: Path, **environment: str) -> Iterator[Server]:
    """A server that has said that it answers."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "commonroom", "serve", "--port", str(port), "--data", str(data)],
        cwd=ROOT,
        env=clean_environment() | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line == f"Commonroom answers at http://127.0.0.1:{port}\n", (
            line + process.stdout.read()
        )
        yield Server(process, port)
    finally:
        process.kill()
        process.communicate()


@contextmanager
def serving_into(log: Path, data: Path, *options: str, **environment: str) -> Iterator[Server]:
    """A server whose every word goes into a file: a pipe that nobody reads would stop it."""
    port = free_port()
    command = [sys.executable, "-m", "commonroom", "serve", "--port", str(port)]
    with log.open("w") as written:
        process = subprocess.Popen(
            [*command, "--data", str(data), *options],
            cwd=ROOT,
            env=clean_environment() | environment,
            stdout=written,
            stderr=subprocess.STDOUT,
            text=True,
        )
    try:
        while "Commonroom answers at" not in log.read_text():
            assert process.poll() is None, log.read_text()
            time.sleep(0.05)
        yield Server(process, port)
    finally:
        process.terminate()
        process.wait(timeout=20)


def clean_environment() -> dict[str, str]:
    """The environment without anybody's settings or credentials."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("COMMONROOM_", "AWS_"))
    }
