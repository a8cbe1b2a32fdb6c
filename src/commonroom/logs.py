"""The log: one line for each event, whatever is in it."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import TextIO

FORMAT = "%(levelname)s %(message)s"
MAX_LINE = 16_000
"""Characters of one event: a deep traceback fits, and nobody fills a disk with a few requests."""


REQUESTS = "commonroom.requests"
"""The logger that has a line for every request."""
GATHERED_SECONDS = 0.2
"""How long such a line may wait for others."""
MAX_GATHERED = 1000


class OneLineFormatter(logging.Formatter):
    """Escapes whatever would end a line or act on a terminal, also within tracebacks."""

    def format(self, record: logging.LogRecord) -> str:
        """Returns the event on one line."""
        text = super().format(record)
        if len(text) > MAX_LINE:
            # What happened stands at the beginning, and why at the end of its traceback.
            text = f"{text[: MAX_LINE // 2]}…{text[-MAX_LINE // 2 :]}"
        return escape(text)


def escape(text: str) -> str:
    r"""Control, format and line-separating characters as in Python's literals: `\n`, `\x1b`.

    A backslash is doubled, so that nobody can write what looks like an escape.
    """
    if text.isprintable() and "\\" not in text:
        return text
    return "".join(map(_escaped, text))


def _escaped(character: str) -> str:
    if character.isprintable() and character != "\\":
        return character
    return character.encode("unicode_escape").decode()


class GatheringHandler(logging.StreamHandler[TextIO]):
    """Writes the lines of requests together, a few times a second, and every other at once.

    To write each by itself would cost as much as a small answer. What is written at once comes
    after what was gathered before it, so lines stay in order, and a process that is killed loses
    nothing but its last requests.
    """

    def __init__(self) -> None:
        super().__init__()
        self._gathered: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Writes a line, or lets it wait."""
        if record.name == REQUESTS and record.levelno < logging.WARNING and self._can_wait():
            self._gathered.append(self.format(record))
            if len(self._gathered) >= MAX_GATHERED:
                self.flush()
            return
        self.flush()
        super().emit(record)

    def _can_wait(self) -> bool:
        """Whether what waits will be written: by the event loop, in a moment."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return False
        if not self._gathered:
            loop.call_later(GATHERED_SECONDS, self.flush)
        return True

    def flush(self) -> None:
        """Writes what waits."""
        self.acquire()
        try:
            lines, self._gathered = self._gathered, []
            with suppress(OSError, ValueError):  # nobody can be told that nobody reads the log
                if lines:
                    self.stream.write(self.terminator.join([*lines, ""]))
                super().flush()
        finally:
            self.release()


def configure_logging(level: str, *, process: int | None = None) -> None:
    """Logs to standard error; lines of one process of several say its number."""
    handler = GatheringHandler()
    numbered = "" if process is None else f"[{process}] "
    handler.setFormatter(OneLineFormatter(FORMAT.replace("%(message)s", f"{numbered}%(message)s")))
    logging.basicConfig(level=level.upper(), handlers=[handler])
    # No line names them, so nobody need look them up for each.
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    logging.captureWarnings(True)


def flush_log() -> None:
    """Writes all that waits, at the end of a server."""
    # Python would, at exit; but not in every process, nor once Granian has set logging up as well.
    for handler in logging.getLogger().handlers:
        handler.flush()
