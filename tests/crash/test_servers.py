"""Servers that share a file, are stopped in the middle of work, or lose a process: nothing is lost.

Nothing that was acknowledged, that is: whoever was answered 201 finds it there afterwards.
"""

from __future__ import annotations

import http.client
import os
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from tests.support.server_processes import ServerProcess, server_process

WRITERS = 6
ENOUGH = 100


def invite(server: ServerProcess, cookie: str, note: str) -> int:
    status, _, _ = server.ask("POST", "/invitations", {"note": note, "uses": 1}, cookie=cookie)
    return status


def invited(server: ServerProcess, cookie: str) -> set[str]:
    """The notes of all invitations."""
    notes: set[str] = set()
    cursor = ""
    while True:
        more = f"&cursor={cursor}" if cursor else ""
        status, _, listed = server.ask("GET", f"/invitations?limit=100{more}", cookie=cookie)
        assert status == 200
        notes |= {one["note"] for one in listed["items"]}
        cursor = listed["next_cursor"]
        if not cursor:
            return notes


class Load:
    """People who write at once, each as fast as they are answered, until nobody answers."""

    def __init__(self, server: ServerProcess, cookie: str) -> None:
        self.acknowledged: set[str] = set()
        self.enough = Event()
        self._server = server
        self._cookie = cookie
        self._over = Event()

    def while_doing(self, deed: Callable[[], Any]) -> None:
        """Writes before, during and after a deed."""
        with ThreadPoolExecutor(WRITERS) as people:
            writing = [people.submit(self._write, number) for number in range(WRITERS)]
            try:
                assert self.enough.wait(60)
                deed()
            finally:
                self._over.set()
            for one in writing:
                one.result()

    def _write(self, number: int) -> None:
        count = 0
        while not self._over.is_set():
            note = f"{number}-{count}"
            count += 1
            try:
                status = invite(self._server, self._cookie, note)
            except (OSError, http.client.HTTPException):
                continue  # nobody told us that it was done
            assert status == 201
            self.acknowledged.add(note)
            if len(self.acknowledged) >= ENOUGH:
                self.enough.set()


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_clean_stop_under_load_loses_nothing(tmp_path: Path, workers: str) -> None:
    data = tmp_path / "data"
    with server_process(data, COMMONROOM_WORKERS=workers, COMMONROOM_LOG_LEVEL="warning") as server:
        cookie = server.move_in()
        load = Load(server, cookie)
        load.while_doing(lambda: server.stop(signal.SIGTERM))
        assert server.process.returncode == 0
        first, *others = server.rest().splitlines()
        assert first.startswith("There is no account yet.")
        assert others == [], "nothing went wrong"
    assert not (data / "commonroom.db-wal").exists(), "the file was closed"
    with server_process(data) as again:
        assert invited(again, cookie) >= load.acknowledged


def test_a_process_that_is_killed_under_load_loses_nothing_and_is_replaced(tmp_path: Path) -> None:
    with server_process(
        tmp_path / "data", COMMONROOM_WORKERS="2", COMMONROOM_LOG_LEVEL="warning"
    ) as server:
        cookie = server.move_in()
        load = Load(server, cookie)

        def kill() -> None:
            os.kill(server.processes[0], signal.SIGKILL)
            server.read_until("Process 1 died (SIGKILL)")

        load.while_doing(kill)
        assert invited(server, cookie) >= load.acknowledged


class TestTwoServersOnOneFile:
    def test_see_at_once_what_the_other_has_written(self, tmp_path: Path) -> None:
        data = tmp_path / "data"
        with server_process(data) as one, server_process(data) as other:
            cookie = one.move_in()
            for number in range(10):
                assert invite(one, cookie, f"one-{number}") == 201
                assert f"one-{number}" in invited(other, cookie)
                assert invite(other, cookie, f"other-{number}") == 201
                assert f"other-{number}" in invited(one, cookie)

    def test_end_a_session_for_each_other_at_once(self, tmp_path: Path) -> None:
        data = tmp_path / "data"
        with server_process(data) as one, server_process(data) as other:
            cookie = one.move_in()
            assert other.ask("GET", "/me", cookie=cookie)[0] == 200
            assert one.ask("DELETE", "/session", cookie=cookie)[0] == 204
            assert other.ask("GET", "/me", cookie=cookie)[0] == 401

    def test_tell_each_others_listeners(self, tmp_path: Path) -> None:
        data = tmp_path / "data"
        with server_process(data) as one, server_process(data) as other:
            cookie = one.move_in()
            with closing(other.connection()) as connection:
                connection.request("GET", "/library/live", headers={"Cookie": cookie})
                stream = connection.getresponse()
                assert stream.headers["Content-Type"].startswith("text/event-stream")
                _read_until(stream, b"data: Ada")
                body = {"display_name": "Ada Lovelace"}
                assert one.ask("PATCH", "/me", body, cookie=cookie)[0] == 200
                _read_until(stream, b"data: Ada Lovelace")


def _read_until(stream: http.client.HTTPResponse, line: bytes) -> None:
    while (read := stream.readline()).rstrip() != line:
        assert read, "the stream has ended"
