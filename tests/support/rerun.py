"""Prints, for each test that failed, the command that runs it alone: a pytest plugin."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable

import pytest

MAX_COMMANDS = 20
"""Beyond as many, something is wrong that a single test does not show."""

SPECIAL = re.compile(r'["$`\\]')
"""What a shell still reads between double quotes."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Prints the commands below the failures."""
    stats = terminalreporter.stats
    reports = [*stats.get("failed", ()), *stats.get("error", ())]
    failed = list(dict.fromkeys(report.nodeid for report in reports))
    if failed:
        terminalreporter.write_sep("=", "to run one alone")
        terminalreporter.write("".join(f"{line}\n" for line in _lines(failed)))


def command(nodeid: str) -> str:
    """Returns the command for one test, as it is typed: make's shell takes its id in one piece."""
    within_make = shlex.quote(nodeid).replace("$", "$$")
    typed = SPECIAL.sub(r"\\\g<0>", within_make)
    return f'make test ARGS="{typed}"'


def _lines(failed: list[str]) -> Iterable[str]:
    yield from map(command, failed[:MAX_COMMANDS])
    if len(failed) > MAX_COMMANDS:
        yield f"… and {len(failed) - MAX_COMMANDS:,} more"
