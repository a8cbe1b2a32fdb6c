"""A real server on loopback: `commonroom serve` in a process of its own."""

from __future__ import annotations

import http.client
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.dynamodb_local import free_port
from tests.support.fork_server import ForkedProcess, fork_server


class Server:
    """A running server, and what it answers."""

    def __init__(self, process: subprocess.Popen[str] | ForkedProcess, port: int) -> None:
        self.process = process
        self.port = port

    def get(self, path: str) -> tuple[int, http.client.HTTPMessage, str]:
        """Status, headers and body of a page."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request("GET", path)
            response = connection.getresponse()
            return response.status, response.headers, response.read().decode(errors="replace")
        finally:
            connection.close()

    def stop(self, number: int) -> int:
        """Sends a signal, and gives what the server ended with."""
        self.process.send_signal(number)
        return self.process.wait(timeout=60)


@contextmanager
def serving(data: Path, **environment: str) -> Iterator[Server]:
    """A server that has said that it answers."""
    port = free_port()
    process = fork_server().start_piped(
        ["serve", "--port", str(port), "--data", str(data)], clean_environment() | environment
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
    with log.open("w") as written:
        process = fork_server().start(
            ["serve", "--port", str(port), "--data", str(data), *options],
            clean_environment() | environment,
            written.fileno(),
        )
    try:
        while "Commonroom answers at" not in log.read_text():
            assert process.poll() is None, log.read_text()
            time.sleep(0.05)
        yield Server(process, port)
    finally:
        process.terminate()
        process.wait(timeout=60)


def run_command(*words: str) -> None:
    """Runs a command of `commonroom` that must succeed."""
    process = fork_server().start_piped(words, clean_environment())
    said, _ = process.communicate()
    assert process.returncode == 0, said


def on_dynamodb(endpoint: str) -> dict[str, str]:
    """The environment of a server or a worker whose data is in DynamoDB Local."""
    return {
        "COMMONROOM_STORE": "dynamodb",
        "COMMONROOM_DYNAMODB_REGION": "local",
        "COMMONROOM_DYNAMODB_ENDPOINT": endpoint,
        # DynamoDB Local keeps what each key made apart.
        "AWS_ACCESS_KEY_ID": os.environ["AWS_ACCESS_KEY_ID"],
        "AWS_SECRET_ACCESS_KEY": os.environ["AWS_SECRET_ACCESS_KEY"],
    }


def clean_environment() -> dict[str, str]:
    """The environment without anybody's settings or credentials."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("COMMONROOM_", "AWS_"))
    }
