"""The log: one line for each event."""

from __future__ import annotations

import logging
import sys

import pytest

from commonroom.logs import LONGEST, OneLineFormatter, escape
from tests.support.dynamodb_local import ROOT


class TestEscaping:
    @pytest.mark.parametrize("text", ["GET /é🎬 200", "“Ada’s” page", "", "a b"])
    def test_plain_text_stays_as_it_is(self, text: str) -> None:
        assert escape(text) == text

    @pytest.mark.parametrize(
        "text, shown",
        [
            ("a\r\nb", r"a\r\nb"),
            ("\x1b[31mred", r"\x1b[31mred"),
            ("\x00\x7f\x85\x9b", r"\x00\x7f\x85\x9b"),
            ("a\u2028b\u2029c", r"a\u2028b\u2029c"),
            ("\u202egpj.exe", r"\u202egpj.exe"),
            ("half \ud800", r"half \ud800"),
            (r"as if \n", r"as if \\n"),
        ],
    )
    def test_what_a_terminal_or_a_reader_of_lines_would_act_on_is_shown(
        self, text: str, shown: str
    ) -> None:
        assert escape(text) == shown
        assert escape(text).isprintable()


class TestFormatting:
    def test_a_traceback_is_on_the_line_of_its_event(self) -> None:
        try:
            int("what somebody\nsent")
        except ValueError:
            told = sys.exc_info()
        line = formatted("GET %s failed", "/\x1b[2J", told=told)
        assert line.startswith(r"ERROR GET /\x1b[2J failed\nTraceback (most recent call last):\n")
        assert line.endswith(r"base 10: 'what somebody\\nsent'")
        assert line.isprintable()

    def test_no_event_is_endless(self) -> None:
        line = formatted("%s – and why", "x" * 10 * LONGEST)
        assert len(line) == LONGEST + 1
        assert line.startswith("ERROR xxx")
        assert line.endswith("xxx – and why")


def test_nothing_else_decides_how_lines_look() -> None:
    files = sorted((ROOT / "src").rglob("*.py"))
    deciding = [file.name for file in files if "basicConfig(" in file.read_text()]
    assert deciding == ["logs.py"]


def formatted(message: str, *given: object, told: object = None) -> str:
    record = logging.LogRecord("x", logging.ERROR, __file__, 1, message, given, told)  # type: ignore[arg-type] # as exc_info gives it
    return OneLineFormatter("%(levelname)s %(message)s").format(record)
