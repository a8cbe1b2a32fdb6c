"""`commonroom serve`, as a process that people and programs talk to."""

from __future__ import annotations

import json
import re
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from commonroom import __version__
from tests.support.dynamodb_local import ROOT
from tests.support.server import Server, clean_environment, serving


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of the server."""
    return tmp_path_factory.mktemp("served") / "data"


@pytest.fixture(scope="module")
def server(data: Path) -> Iterator[Server]:
    """A server that was never started before."""
    with serving(data) as running:
        yield running


class TestTheFirstVisit:
    def test_it_leads_to_the_page_that_makes_the_first_account(self, server: Server) -> None:
        status, headers, _ = server.get("/")
        assert (status, headers["Location"]) == (303, "/setup")
        status, headers, page = server.get("/setup")
        assert status == 200
        assert headers["Content-Type"].startswith("text/html")
        assert '<html lang="en"' in page
        assert 'name="password"' in page

    def test_it_loads_nothing_from_another_host(self, server: Server) -> None:
        _, headers, page = server.get("/setup")
        loaded = re.findall(r'(?:src|href|action)="([^"]*)"', page)
        assert loaded
        # An empty one is the page itself.
        assert all(not one or one.startswith(("/", "#")) for one in loaded), loaded
        assert not re.search(r"<style|<script(?![^>]* src=)|style=|onclick=", page)
        policy = headers["Content-Security-Policy"]
        assert "default-src 'self'" in policy
        assert "'unsafe-inline'" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "same-origin"

    def test_everything_it_loads_is_there(self, server: Server) -> None:
        page = server.get("/setup")[2]
        for address in re.findall(r'(?:src|href)="(/static/[^"#]*)', page):
            status, headers, _ = server.get(address)
            assert (status, address) == (200, address)
            assert "immutable" in headers["Cache-Control"] or "no-cache" in headers["Cache-Control"]

    def test_every_answer_has_a_name(self, server: Server) -> None:
        names = {server.get("/health/live")[1]["X-Request-Id"] for _ in range(3)}
        assert len(names) == 3


class TestOperating:
    def test_it_is_live_and_ready_and_knows_its_version(self, server: Server) -> None:
        assert json.loads(server.get("/health/live")[2])["status"] == "live"
        assert json.loads(server.get("/health/ready")[2])["status"] == "ready"
        assert json.loads(server.get("/version")[2]) == {
            "name": "commonroom",
            "version": __version__,
        }

    def test_what_is_not_there_is_404(self, server: Server) -> None:
        assert server.get("/cellar")[0] == 404

    def test_everything_it_made_is_for_its_owner_alone(self, server: Server, data: Path) -> None:
        assert stat.S_IMODE(data.stat().st_mode) == 0o700
        for file in data.iterdir():
            assert stat.S_IMODE(file.stat().st_mode) == 0o600, file

    def test_a_port_that_is_taken_is_a_sentence(self, server: Server, tmp_path: Path) -> None:
        done = subprocess.run(
            [sys.executable, "-m", "commonroom", "serve", "--port", str(server.port)],
            cwd=ROOT,
            env=clean_environment() | {"COMMONROOM_DATA": str(tmp_path / "other")},
            check=False,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 1
        assert done.stdout == ""
        assert done.stderr.startswith(
            f"Error: Commonroom cannot listen at 127.0.0.1, port {server.port}"
        )
        assert len(done.stderr.splitlines()) == 1

    def test_a_server_whose_tables_are_gone_is_live_and_not_ready(self, tmp_path: Path) -> None:
        with serving(tmp_path / "data") as running:
            with closing(apsw.Connection(str(tmp_path / "data/commonroom.db"))) as connection:
                connection.set_busy_timeout(5000)
                connection.execute('DROP TABLE "Users"')
            status, headers, body = running.get("/health/ready")
            assert status == 503
            assert headers["Retry-After"] == "5"
            assert json.loads(body)["status"] == "not ready"
            assert running.get("/health/live")[0] == 200


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_it_cleanly(tmp_path: Path, number: signal.Signals) -> None:
    with serving(tmp_path / "data") as running:
        running.get("/health/ready")
        assert running.stop(number) == 0
        assert running.process.stdout is not None
        first, *lines = running.process.stdout
        assert first.startswith("There is no account yet.")
        assert all(line.startswith("INFO GET") for line in lines)
    assert not (tmp_path / "data/commonroom.db-wal").exists(), "the file was closed"


def test_it_starts_again_with_the_same_secrets(tmp_path: Path) -> None:
    secrets = []
    for _ in range(2):
        with serving(tmp_path / "data") as running:
            running.stop(signal.SIGTERM)
        secrets.append((tmp_path / "data/secrets.json").read_bytes())
    assert secrets[0] == secrets[1]
