"""The log: one line for each event, whatever is in it."""

from __future__ import annotations

import logging

FORMAT = "%(levelname)s %(message)s"
LONGEST = 16_000
"""Characters of one event: a deep traceback fits, and nobody fills a disk with a few requests."""


class OneLineFormatter(logging.Formatter):
    """Escapes whatever would end a line or act on a terminal, also within tracebacks."""

    def format(self, record: logging.LogRecord) -> str:
        """The event on one line."""
        text = super().format(record)
        if len(text) > LONGEST:
            # What happened stands at the beginning, and why at the end of its traceback.
            text = f"{text[: LONGEST // 2]}…{text[-LONGEST // 2 :]}"
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


def configure_logging(level: str, *, process: int | None = None) -> None:
    """Logs to standard error; lines of one process of several say its number."""
    handler = logging.StreamHandler()
    numbered = "" if process is None else f"[{process}] "
    handler.setFormatter(OneLineFormatter(FORMAT.replace("%(message)s", f"{numbered}%(message)s")))
    logging.basicConfig(level=level.upper(), handlers=[handler])
    logging.captureWarnings(True)
