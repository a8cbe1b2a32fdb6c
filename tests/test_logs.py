"""The log: one line for each event."""

from __future__ import annotations

import asyncio
import io
import logging
import sys
from collections.abc import Iterator

import pytest

from commonroom import logs
from commonroom.logs import (
    FORMAT,
    MAX_GATHERED,
    MAX_LINE,
    REQUESTS,
    GatheringHandler,
    OneLineFormatter,
    escape,
)
from tests.support.dynamodb_local import ROOT

OTHER = "commonroom.test_logs"


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
        line = formatted("%s – and why", "x" * 10 * MAX_LINE)
        assert len(line) == MAX_LINE + 1
        assert line.startswith("ERROR xxx")
        assert line.endswith("xxx – and why")


@pytest.fixture
def written() -> io.StringIO:
    """What the handler writes."""
    return io.StringIO()


@pytest.fixture
def handler(written: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> Iterator[GatheringHandler]:
    """The handler of a logger for requests, and of one for all else."""
    handler = GatheringHandler()
    handler.setStream(written)
    handler.setFormatter(OneLineFormatter(FORMAT))
    loggers = [logging.getLogger(name) for name in (REQUESTS, OTHER)]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        monkeypatch.setattr(logger, "propagate", False)
        logger.setLevel(logging.INFO)  # which also forgets what was enabled before
        logger.addHandler(handler)
    yield handler
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)
        logger.removeHandler(handler)
    handler.close()


@pytest.mark.usefixtures("handler")
class TestLinesOfRequests:
    async def test_wait_for_each_other_and_come_soon(
        self, written: io.StringIO, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(logs, "GATHERED_SECONDS", 0.01)
        for number in range(3):
            logging.getLogger(REQUESTS).info("GET /%s", number)
        assert written.getvalue() == ""
        async with asyncio.timeout(30):
            while not written.getvalue():  # noqa: ASYNC110 - a stream tells nobody
                await asyncio.sleep(0.01)
        assert written.getvalue() == "INFO GET /0\nINFO GET /1\nINFO GET /2\n"

    @pytest.mark.parametrize("name, level", [(OTHER, logging.INFO), (REQUESTS, logging.WARNING)])
    async def test_come_before_whatever_else_happens_which_is_written_at_once(
        self, written: io.StringIO, name: str, level: int
    ) -> None:
        logging.getLogger(REQUESTS).info("GET /")
        logging.getLogger(name).log(level, "Now.")
        assert written.getvalue() == f"INFO GET /\n{logging.getLevelName(level)} Now.\n"

    async def test_are_all_written_at_the_end(
        self, written: io.StringIO, handler: GatheringHandler
    ) -> None:
        logging.getLogger(REQUESTS).info("GET /")
        handler.flush()
        assert written.getvalue() == "INFO GET /\n"

    async def test_are_never_too_many(self, written: io.StringIO) -> None:
        for _ in range(MAX_GATHERED + 1):
            logging.getLogger(REQUESTS).info("GET /")
        assert written.getvalue().count("\n") == MAX_GATHERED

    def test_are_written_at_once_where_nobody_would_write_them_later(
        self, written: io.StringIO
    ) -> None:
        logging.getLogger(REQUESTS).info("GET /")
        assert written.getvalue() == "INFO GET /\n"

    async def test_that_nobody_can_read_any_more_harm_nobody(
        self, written: io.StringIO, handler: GatheringHandler
    ) -> None:
        logging.getLogger(REQUESTS).info("GET /")
        written.close()
        handler.flush()


def test_nothing_else_decides_how_lines_look() -> None:
    files = sorted((ROOT / "src").rglob("*.py"))
    deciding = [file.name for file in files if "basicConfig(" in file.read_text()]
    assert deciding == ["logs.py"]


def formatted(message: str, *given: object, told: object = None) -> str:
    record = logging.LogRecord("x", logging.ERROR, __file__, 1, message, given, told)  # type: ignore[arg-type] # as exc_info gives it
    return OneLineFormatter("%(levelname)s %(message)s").format(record)
