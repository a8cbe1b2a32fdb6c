"""`commonroom serve --workers`: several processes at one port, and what becomes of them."""

from __future__ import annotations

import os
import re
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.server_processes import ServerProcess, server_process


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    """Two processes."""
    with server_process(
        tmp_path / "data", COMMONROOM_WORKERS="2", COMMONROOM_METRICS="true"
    ) as running:
        yield running


def is_there(process: int) -> bool:
    """Whether a process runs; one that has ended and not been buried does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def has_threads(process: int) -> bool:
    """Whether anything of a process still runs; its first thread may end before the others."""
    return is_there(process) or len([*Path(f"/proc/{process}/task").iterdir()]) > 1


def wait_for_the_end_of(processes: list[int]) -> None:
    until = time.monotonic() + 60
    while any(is_there(one) for one in processes):
        assert time.monotonic() < until, "some did not end"
        time.sleep(0.02)


def who_answered(said: str, names: set[str]) -> set[str]:
    """The numbers of the processes that answered these requests, by what they logged."""
    lines = re.findall(r"^INFO \[(\d+)\] .* (\S+)$", said, re.MULTILINE)
    assert {name for _, name in lines} >= names
    return {number for number, name in lines if name in names}


def ask(server: ServerProcess, names: set[str]) -> None:
    for name in names:
        status, _, _ = server.ask("GET", "/me", x_request_id=name)
        assert status == 401


class TestSeveralProcesses:
    def test_answer_at_one_port_and_say_so_once(self, server: ServerProcess) -> None:
        assert len(server.processes) == 2
        names = {f"request-{number:03}" for number in range(60)}
        ask(server, names)
        assert server.stop(signal.SIGTERM) == 0
        said = server.rest()
        assert "Commonroom answers" not in said, "it had said so before"
        assert who_answered(said, names) == {"1", "2"}

    def test_tell_of_all_they_have_counted_whoever_is_asked(self, server: ServerProcess) -> None:
        ask(server, {f"request-{number:03}" for number in range(30)})
        counted = 'commonroom_requests_total{method="GET",status="4xx"} 30'
        # An answer is counted once it is sent, so the last may not be there at once.
        until = time.monotonic() + 60
        while counted not in server.get("/metrics")[2].splitlines():
            assert time.monotonic() < until
        for _ in range(10):
            assert counted in server.get("/metrics")[2].splitlines()

    @pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
    def test_end_together_at_a_signal(
        self, server: ServerProcess, tmp_path: Path, number: signal.Signals
    ) -> None:
        processes = server.processes
        assert server.stop(number) == 0
        assert not any(is_there(one) for one in processes)
        assert not re.search("WARNING|ERROR|Traceback", server.rest())
        assert not (tmp_path / "data/commonroom.db-wal").exists(), "the file was closed"

    def test_end_where_the_one_that_started_them_is_no_more(self, server: ServerProcess) -> None:
        processes = server.processes
        server.process.kill()
        wait_for_the_end_of(processes)

    def test_one_that_dies_is_followed_by_another(self, server: ServerProcess) -> None:
        cookie = server.move_in()
        killed, kept = server.processes
        os.kill(killed, signal.SIGKILL)
        said = server.read_until("WARNING Process 1 died (SIGKILL); another starts in 1 s.")
        for _ in range(20):
            assert server.ask("GET", "/me", cookie=cookie)[0] == 200, "the other one answers"
        said += server.read_until("Process 1 answers again.")
        assert len(server.processes) == 2
        assert set(server.processes) > {kept}
        names = {f"request-{number:03}" for number in range(60)}
        ask(server, names)
        assert server.stop(signal.SIGTERM) == 0
        assert who_answered(said + server.rest(), names) == {"1", "2"}

    @pytest.mark.slow
    def test_none_waits_longer_where_nobody_is_left(self, server: ServerProcess) -> None:
        said = ""
        for round_ in range(1, 4):
            processes = server.processes
            server.process.send_signal(signal.SIGSTOP)  # it finds both dead at the same time
            for one in processes:
                os.kill(one, signal.SIGKILL)
            while any(map(has_threads, processes)):
                time.sleep(0.01)
            server.process.send_signal(signal.SIGCONT)
            while said.count("answers again.") < 2 * round_:
                said += server.read_until("answers again.")
        pauses = re.findall(r"another starts in (\d+) s", said)
        assert pauses == ["1"] * 6


class TestAProcessThatCannotStart:
    def test_ends_all_with_its_own_words(self, tmp_path: Path) -> None:
        stuck = str(tmp_path / "stuck")
        with server_process(
            tmp_path / "data", answers=False, COMMONROOM_WORKERS="2", TESTS_STUCK=stuck
        ) as server:
            said = server.rest()
            assert server.process.wait() == 1
        assert said == "Error: The library’s door is stuck.\n"

    @pytest.mark.slow
    def test_is_tried_again_after_a_longer_pause(self, tmp_path: Path) -> None:
        stuck = tmp_path / "stuck"
        stuck.touch()
        with server_process(
            tmp_path / "data", COMMONROOM_WORKERS="2", TESTS_STUCK=str(stuck)
        ) as server:
            stuck.unlink()
            os.kill(server.processes[1], signal.SIGKILL)
            said = server.read_until("Process 2 answers again.")
        told = [line for line in said.splitlines() if line.startswith("WARNING")]
        assert told == [
            "WARNING Process 2 died (SIGKILL); another starts in 1 s.",
            "WARNING Process 2 could not be restarted: The library’s door is stuck.",
            "WARNING Process 2 died (exit 1); another starts in 2 s.",
        ]


@pytest.mark.parametrize("workers", ["1", "2"])
class TestStopping:
    def test_ends_streams_in_good_order(self, tmp_path: Path, workers: str) -> None:
        with server_process(tmp_path / "data", COMMONROOM_WORKERS=workers) as server:
            cookie = server.move_in()
            with closing(server.connection()) as connection:
                connection.request("GET", "/library/live", headers={"Cookie": cookie})
                stream = connection.getresponse()
                while b"data: Ada" not in stream.readline():
                    pass
                server.process.terminate()
                stream.read()  # which fails where the connection is cut
            assert server.process.wait(60) == 0

    def test_does_not_wait_for_ever_for_those_who_never_finish(
        self, tmp_path: Path, workers: str
    ) -> None:
        with (
            server_process(tmp_path / "data", COMMONROOM_WORKERS=workers) as server,
            socket.create_connection(("127.0.0.1", server.port)) as slow,
        ):
            slow.sendall(
                b"POST /sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nab"
            )
            server.get("/health/live")
            assert server.stop(signal.SIGTERM) == 0
