"""Progress on a real terminal, and nothing but the result where the output goes."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from contextlib import suppress
from threading import Thread

import pytest

from tests.support.commands import Commands
from tests.support.dynamodb_local import ROOT
from tests.support.sample_data import BOOK, spoil
from tests.support.server import clean_environment

HIDE_CURSOR = b"\x1b[?25l"
"""What a progress bar begins with."""


def on_a_terminal(*words: str) -> tuple[str, bytes]:
    """What a command prints to a file, and what it shows on the terminal meanwhile."""
    ours, theirs = pty.openpty()
    shown = bytearray()

    def look() -> None:
        with suppress(OSError):  # that nobody writes there any more
            while piece := os.read(ours, 100_000):
                shown.extend(piece)

    looking = Thread(target=look)
    looking.start()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "commonroom", *words],
            cwd=ROOT,
            env=clean_environment() | {"TERM": "xterm"},
            stdout=subprocess.PIPE,
            stderr=theirs,
            check=False,
            text=True,
        )
    finally:
        os.close(theirs)
        looking.join()
        os.close(ours)
    return done.stdout, bytes(shown)


@pytest.mark.parametrize("words", [("check",), ("export", "{}/out"), ("backup", "{}/out.db")])
def test_long_work_shows_a_bar(lived_in: Commands, words: tuple[str, ...]) -> None:
    given = [word.format(lived_in.data) for word in words]
    out, shown = on_a_terminal(*given, "--data", str(lived_in.data))
    assert HIDE_CURSOR in shown
    assert len(out.splitlines()) == 1


def test_problems_go_where_the_output_goes(lived_in: Commands) -> None:
    spoil(lived_in.data / "commonroom.db", BOOK, GSI2SK="item#old")
    out, shown = on_a_terminal("check", "--data", str(lived_in.data))
    assert "GSI2SK should be" in out
    assert b"GSI2SK" not in shown
