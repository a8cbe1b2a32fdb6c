"""`commonroom` in processes that have imported it already: they are forked from one that waits.

To import it and to declare its routes for the first time takes more than a second of every start,
and the suite starts some hundred servers. What is forked is a process like any other: it has its
own arguments, environment, output and signals.
"""

from __future__ import annotations

import atexit
import fcntl
import gc
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from functools import cache
from typing import IO, Any, NoReturn

from tests.support.dynamodb_local import ROOT

UNREAD_BYTES = 1 << 20
"""How much a process may say that nobody reads, before it has to wait: days of a test's log."""


class ForkedProcess:
    """A command that runs, as `subprocess.Popen` would show it."""

    def __init__(self, server: ForkServer, pid: int) -> None:
        self.pid = pid
        self.stdout: IO[str] | None = None
        self.returncode: int | None = None
        self._server = server

    def poll(self) -> int | None:
        """What it ended with, if it has."""
        if self.returncode is None:
            self.returncode = self._server.ask({"reap": self.pid})
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Waits for its end; gives what it ended with."""
        until = float("inf") if timeout is None else time.monotonic() + timeout
        while (ended := self.poll()) is None:
            if time.monotonic() > until:
                raise subprocess.TimeoutExpired(f"process {self.pid}", timeout or 0)
            time.sleep(0.01)
        return ended

    def communicate(self, timeout: float | None = None) -> tuple[str, None]:
        """All that it still says, once it has ended."""
        said = ""
        if self.stdout is not None and not self.stdout.closed:
            with self.stdout:
                said = self.stdout.read()
        self.wait(timeout)
        return said, None

    def send_signal(self, number: int) -> None:
        """Sends a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Asks it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Ends it at once."""
        self.send_signal(signal.SIGKILL)


class ForkServer:
    """The process that waits, as the tests see it."""

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.support.fork_server", str(theirs.fileno())],
                cwd=ROOT,
                pass_fds=[theirs.fileno()],
            )

    def start(
        self, arguments: Sequence[str], environment: Mapping[str, str], output: int
    ) -> ForkedProcess:
        """Runs `commonroom` with these arguments; all that it says goes to a file descriptor."""
        asked = {"arguments": list(arguments), "environment": dict(environment)}
        pid = self.ask(asked, output)
        assert pid is not None
        return ForkedProcess(self, pid)

    def start_piped(
        self, arguments: Sequence[str], environment: Mapping[str, str]
    ) -> ForkedProcess:
        """The same with a pipe to read from what it says."""
        ours, theirs = os.pipe()
        if sys.platform == "linux":  # elsewhere, what tests do not read must be little
            fcntl.fcntl(ours, fcntl.F_SETPIPE_SZ, UNREAD_BYTES)
        try:
            process = self.start(arguments, environment, theirs)
        finally:
            os.close(theirs)
        process.stdout = os.fdopen(ours, encoding="utf-8")
        return process

    def ask(self, asked: Mapping[str, Any], output: int | None = None) -> int | None:
        """What the process that waits answers."""
        given = [] if output is None else [output]
        socket.send_fds(self._socket, [json.dumps(asked).encode() + b"\n"], given)
        answer = self._socket.recv(100)
        assert answer, "the process that servers are forked from has ended"
        number: int | None = json.loads(answer)
        return number

    def close(self) -> None:
        """Ends it, and whatever of its children still runs."""
        self._socket.close()
        self._process.wait()


@cache
def fork_server() -> ForkServer:
    """The one of this test process, started when it is first needed."""
    server = ForkServer()
    atexit.register(server.close)
    return server


def answer_requests(asking: socket.socket) -> None:
    """Forks and reaps as it is asked to, until nobody can ask any more."""
    running: set[int] = set()
    while request := _next_request(asking):
        asked, files = request
        if "reap" in asked:
            answer = _reap(asked["reap"])
            if answer is not None:
                running.remove(asked["reap"])
        else:
            answer = os.fork()
            if answer == 0:
                asking.close()
                _become(asked["arguments"], asked["environment"], files[0])
            running.add(answer)
            os.close(files[0])
        asking.send(json.dumps(answer).encode())
    for pid in running:
        os.kill(pid, signal.SIGKILL)


def _next_request(asking: socket.socket) -> tuple[dict[str, Any], list[int]] | None:
    """A line with what is to be done, and the file descriptor that came with it."""
    line = b""
    files: list[int] = []
    while not line.endswith(b"\n"):
        part, given, _, _ = socket.recv_fds(asking, 1 << 16, 1)
        if not part:
            return None
        line, files = line + part, files + given
    return json.loads(line), files


def _reap(pid: int) -> int | None:
    ended, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if ended else None


def _become(arguments: Sequence[str], environment: Mapping[str, str], output: int) -> NoReturn:
    from commonroom.cli import main

    nothing = os.open(os.devnull, os.O_RDONLY)
    for ours, theirs in ((nothing, 0), (output, 1), (output, 2)):
        os.dup2(ours, theirs)
    os.close(output)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["commonroom", *arguments]
    main()
    sys.exit()


if __name__ == "__main__":
    # What `commonroom serve` imports and works out only once it is asked to.
    import commonroom.cli
    import commonroom.house.processes
    import commonroom.house.server  # noqa: F401
    from tests.support.application import application_without_store

    application_without_store()
    gc.collect()
    gc.freeze()  # so that no child copies the memory that it shares, only to look for garbage

    with socket.socket(fileno=int(sys.argv[1])) as requests:
        answer_requests(requests)
