"""Archives that would become gigabytes are refused, and take little; against a real server."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attacks.imports import import_bombs
from tests.support.server import serving

pytestmark = pytest.mark.slow  # real time must pass

HOST = "127.0.0.1"


def test_archives_that_grow_without_end_take_little_memory(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as server:
        figures = import_bombs(HOST, server.port, server.process.pid, megabytes=40, columns=2_000)
    assert figures["answers"] == {
        "bzip2": 422,
        "LZMA": 422,
        "deflate": 413,
        "a cell of 30 MB": 201,
        "many columns": 413,
        "twenty archives": 413,
    }
    assert figures["memory MB"] < 300
    assert figures["/health/live afterwards"] == 200
