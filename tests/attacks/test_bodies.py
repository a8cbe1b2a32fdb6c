"""What requests carry that they should not, against a real server: refused, and it goes on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from commonroom.accounts.service import sessions, signup
from commonroom.http.bodies import LARGEST
from commonroom.imports.pages import MAX_UPLOAD
from commonroom.open_store import open_store
from commonroom.settings import Settings
from tests.attacks.bodies import FILE, FORM, PARTS, ask, send_body, send_chunks
from tests.attacks.connections import status_of
from tests.support.server import serving

HOST = "127.0.0.1"
SIGN_IN, UPLOAD, API = "/sign-in", "/watchlists/import", "/api/v1/me"
PIECE = b"x" * 65_536


class House:
    """A server, and what the browser of somebody shows who lives there."""

    def __init__(self, port: int, session: str) -> None:
        self.port, self.shown = port, {"Cookie": f"session={session}", "Accept": "text/html"}

    async def is_well(self) -> bool:
        """Whether it answers as before."""
        return await status_of(HOST, self.port, API, self.shown) == 200


async def move_in(data: Path) -> str:
    async with open_store(Settings(data=data), create=True) as store:
        new = signup.NewAccount("ada@example.org", "Ada", "a lamp in the hall")
        ada = await signup.set_up(store, time.time(), new)
        return await sessions.open_session(store, time.time(), ada)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    data = tmp_path_factory.mktemp("bodies") / "data"
    data.mkdir()
    session = asyncio.run(move_in(data))
    with serving(data) as server:
        yield House(server.port, session)


class TestForms:
    @pytest.mark.parametrize("body", [b"", b"\xff\xfe\0", b"&" * 60_000, b"a=1&" * 15_000, b"{}"])
    @pytest.mark.parametrize("kind", [FORM, PARTS, "application/json", "\xff", None])
    async def test_of_no_sense_are_refused(
        self, house: House, body: bytes, kind: str | None
    ) -> None:
        assert await send_body(HOST, house.port, SIGN_IN, body, kind=kind, shown={}) == 400
        assert await house.is_well()

    @pytest.mark.parametrize("path, most", [(SIGN_IN, 64 * 1024), ("/s/new/poll", LARGEST)])
    async def test_that_are_too_large_are_refused_however_they_come(
        self, house: House, path: str, most: int
    ) -> None:
        large = b"a=" + b"x" * most
        assert await send_body(HOST, house.port, path, large, kind=FORM, shown={}) == 413
        chunks = [b"a=", *[PIECE] * (most // len(PIECE) + 1)]
        assert await send_chunks(HOST, house.port, path, chunks, kind=FORM, shown={}) == 413
        said = {"Content-Length": str(10**12), "Content-Type": FORM}
        assert await ask(HOST, house.port, path, headers=said) == 413
        assert await house.is_well()


class TestUploads:
    @pytest.mark.parametrize(
        "body, kind",
        [
            (FILE + b"--edge--\r\n", "multipart/form-data"),
            (FILE + b"--edge--\r\n", "multipart/form-data; boundary="),
            (FILE + b"--edge--\r\n", "multipart/form-data; boundary=other"),
            (FILE + b"--edge--\r\n", FORM),
            (FILE, PARTS),
            (FILE[:40], PARTS),
            (b"", PARTS),
            (b"--edge\r\n" * 10_000, PARTS),
            (FILE.replace(b"filename", b"nothing") + b"--edge--\r\n", PARTS),
            (FILE * 2_000 + b"--edge--\r\n", PARTS),
        ],
    )
    async def test_that_are_none_are_refused(self, house: House, body: bytes, kind: str) -> None:
        assert await send_body(HOST, house.port, UPLOAD, body, kind=kind, shown=house.shown) == 400
        assert await house.is_well()

    async def test_of_strangers_are_not_even_read(self, house: House) -> None:
        said = {"Content-Length": str(MAX_UPLOAD), "Content-Type": PARTS}
        assert await ask(HOST, house.port, UPLOAD, headers=said) == 401

    async def test_that_are_too_large_are_refused_before_they_come(self, house: House) -> None:
        said = {"Content-Length": str(MAX_UPLOAD + 1), "Content-Type": PARTS}
        assert await ask(HOST, house.port, UPLOAD, headers=house.shown | said) == 413
        assert await house.is_well()


class TestArriving:
    async def test_in_many_small_pieces_is_as_good_as_at_once(self, house: House) -> None:
        pieces = [b"theme=", b"d", b"a", b"r", b"k"]
        said = {"Content-Length": "10", "Content-Type": FORM}
        status = await ask(HOST, house.port, "/theme", headers=said, sent=pieces, pause=0.01)
        assert status == 303
        assert await send_chunks(HOST, house.port, "/theme", pieces, kind=FORM, shown={}) == 303

    async def test_that_ends_halfway_changes_nothing(self, house: House) -> None:
        said = {**house.shown, "Content-Length": "500", "Content-Type": FORM}
        for _ in range(5):
            _, writer = await asyncio.open_connection(HOST, house.port)
            head = "\r\n".join(f"{name}: {value}" for name, value in said.items())
            writer.write(f"POST /library HTTP/1.1\r\nHost: {HOST}\r\n{head}\r\n\r\nname=".encode())
            await writer.drain()
            writer.transport.abort()
        assert await house.is_well()

    @pytest.mark.parametrize("method", ["BREW", "PROPFIND", "TRACE", "get", "DELETE"])
    async def test_by_a_method_that_there_is_not_is_refused(
        self, house: House, method: str
    ) -> None:
        assert await ask(HOST, house.port, SIGN_IN, method=method) in (400, 405)
        assert await house.is_well()

    @pytest.mark.parametrize(
        "path, status",
        [
            ("//sign-in//", 200),
            ("/sign-in/", 200),
            ("/%73ign-in", 200),
            ("/sign-in%2F", 200),
            ("/sign-in/..", 404),
            ("/sign-in%00", 404),
            ("/%2e%2e/%2e%2e/etc/passwd", 404),
            ("/static/..%2f..%2fapplication.py", 404),
            ("/" + "a/" * 2_000, 404),
        ],
    )
    async def test_at_odd_paths_leads_nowhere_else(
        self, house: House, path: str, status: int
    ) -> None:
        assert await ask(HOST, house.port, path, method="GET") == status
        assert await house.is_well()
