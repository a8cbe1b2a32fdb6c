"""Where the minutes go: a pytest plugin that adds up tests by folder and by kind, in every worker.

`make test ARGS=--durations-by-folder` prints it; `ARGS=--durations-into=CONTRIBUTING.md` writes it
there as well, between the comments that name the part.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from benchmarks.documents import table, with_parts
from tests.support.kinds import kind_of
from tests.support.processor_time import processor_seconds

OUTPUT = "durations"
"""The name of what a worker tells the process that reports."""

ALL = "all"


class Spent(NamedTuple):
    """What some tests of one kind in one folder have taken; it travels as a plain list."""

    folder: str
    kind: str
    tests: int
    seconds: float
    processor: float


class Collection(NamedTuple):
    """What one worker has taken before its first test: to start, to import, to collect."""

    tests: int
    seconds: float
    processor: float


class Durations:
    """What this process has spent and, in the process that reports, what every worker has."""

    def __init__(self, document: Path | None) -> None:
        self.document = document
        self.begun = time.perf_counter()
        self.spent: dict[tuple[str, str], Spent] = {}
        self.collections: list[Collection] = []

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Takes down the collection of this process; one with workers does not collect."""
        taken = time.perf_counter() - self.begun
        self.collections.append(Collection(len(session.items), taken, time.process_time()))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Takes down a test with its fixtures, and whatever ran for it in other processes."""
        begun, used = time.perf_counter(), processor_seconds()
        outcome = yield
        seconds = time.perf_counter() - begun
        # The system forgets what was used by a process whose parent ended before it.
        processor = max(0.0, processor_seconds() - used)
        self.add(Spent(folder_of(item), kind_of(item).value, 1, seconds, processor))
        return outcome

    def add(self, more: Spent) -> None:
        """Adds what was spent in a folder on one kind of test."""
        place = more.folder, more.kind
        if before := self.spent.get(place):
            more = Spent(
                *place,
                before.tests + more.tests,
                before.seconds + more.seconds,
                before.processor + more.processor,
            )
        self.spent[place] = more

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hands over what a worker has taken down."""
        if (output := getattr(session.config, "workeroutput", None)) is not None:
            told = [list(one) for one in self.spent.values()]
            output[OUTPUT] = [told, [list(one) for one in self.collections]]

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Adds what a worker hands over; one that crashed hands over nothing."""
        spent, collections = getattr(node, "workeroutput", {}).get(OUTPUT, ([], []))
        for one in spent:
            self.add(Spent(*one))
        self.collections += [Collection(*one) for one in collections]

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Prints the tables, and writes them where they are wanted."""
        report = self.report()
        terminalreporter.write_sep("=", "where the minutes go")
        terminalreporter.write(report)
        if self.document is not None:
            page = self.document.read_text(encoding="utf-8")
            self.document.write_text(with_parts(page, {OUTPUT: report}), encoding="utf-8")

    def report(self) -> str:
        """Returns all that was taken down, as tables."""
        spent = list(self.spent.values())
        return "\n".join(
            (
                _table("Folder", spent, lambda one: one.folder),
                _table("Kind", spent, lambda one: one.kind),
                _collection_table(self.collections),
            )
        )


def folder_of(item: pytest.Item) -> str:
    """Returns the folder below `tests` that a test is in, or its file where it is in none."""
    return "/".join(item.nodeid.partition("::")[0].split("/")[:2])


def _table(what: str, spent: Iterable[Spent], place: Callable[[Spent], str]) -> str:
    sums: dict[str, list[float]] = defaultdict(lambda: [0, 0.0, 0.0])
    for one in spent:
        for name in (place(one), ALL):
            sums[name] = [a + b for a, b in zip(sums[name], one[2:], strict=True)]
    rows = sorted(sums.items(), key=lambda row: (row[0] == ALL, -row[1][2]))
    return table(
        (what, "tests", "seconds", "processor seconds"),
        [(name, *_figures(sum_)) for name, sum_ in rows],
    )


def _collection_table(collections: Sequence[Collection]) -> str:
    return table(
        ("Start and collection", "tests", "seconds", "processor seconds"),
        [(f"worker {number}", *_figures(one)) for number, one in enumerate(collections, 1)],
    )


def _figures(figures: Sequence[float]) -> tuple[str, str, str]:
    tests, seconds, processor = figures
    return f"{tests:,}", f"{seconds:,.1f}", f"{processor:,.1f}"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declares the options."""
    group = parser.getgroup("durations")
    group.addoption("--durations-by-folder", action="store_true", help="print where the minutes go")
    group.addoption(
        "--durations-into", type=Path, metavar="FILE", help="also write that into a document"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Adds up only where somebody asks: to ask the system about every test takes time, too."""
    document = config.getoption("durations_into")
    if config.getoption("durations_by_folder") or document is not None:
        config.pluginmanager.register(Durations(document), "durations-by-folder")
