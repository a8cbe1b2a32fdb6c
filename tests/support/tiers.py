"""What a run leaves for `make test ALL=1`: a pytest plugin.

Without `--all`, a run of the suite or of folders leaves out what takes long and rarely says more
than the rest: browser journeys and tests on DynamoDB Local without the mark `smoke`, and whatever
has the mark `slow`. The store's own contract always runs on both engines. `smoke(scripts=True)`
marks a test for these parameters alone.

Who names tests gets them: nothing of a file or a node id on the command line is left out, nor
anything where `-k`, `-m` or `--last-failed` chooses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.support.kinds import Kind, kind_of

OUTPUT = "left_out"
"""The name of what a worker tells the process that reports."""
LEFT_OUT = frozenset({Kind.BROWSER, Kind.DYNAMODB})
CONTRACT = "tests/contract/"


class Tiers:
    """Leaves out what a run of this length has no time for, and counts it."""

    def __init__(self) -> None:
        self.left_out: Mapping[str, int] = {}

    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Chooses, in every worker alike."""
        named = named_files(config)
        left_out = [item for item in items if is_left_out(item) and item.path not in named]
        self.left_out = Counter(map(described, left_out))
        if left_out:
            config.hook.pytest_deselected(items=left_out)
            leaving = set(left_out)
            items[:] = [item for item in items if item not in leaving]

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hands over what a worker has left out."""
        if (output := getattr(session.config, "workeroutput", None)) is not None:
            output[OUTPUT] = dict(self.left_out)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Takes what a worker hands over: all of them have left out the same."""
        self.left_out = getattr(node, "workeroutput", {}).get(OUTPUT) or self.left_out

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Says what the whole suite would add."""
        if self.left_out:
            most_first = sorted(self.left_out.items(), key=lambda one: (-one[1], one[0]))
            kinds = (f"{count:,} {kind}" for kind, count in most_first)
            terminalreporter.write_line(f"ALL=1 adds {', '.join(kinds)}.")


def described(item: pytest.Item) -> str:
    """Returns what a test that is left out is counted as."""
    return "slow tests" if item.get_closest_marker("slow") else kind_of(item).value


def is_left_out(item: pytest.Item) -> bool:
    """Returns whether only the whole suite has a test, unless it is named."""
    if item.get_closest_marker("slow"):
        return True
    if item.nodeid.startswith(CONTRACT) or is_smoke_test(item):
        return False
    return kind_of(item) in LEFT_OUT


def is_smoke_test(item: pytest.Item) -> bool:
    """Returns whether a test has the mark, and the parameters that the mark names, if any."""
    mark = item.get_closest_marker("smoke")
    callspec = getattr(item, "callspec", None)
    given = {} if callspec is None else callspec.params
    return mark is not None and mark.kwargs.items() <= given.items()


def named_files(config: pytest.Config) -> Collection[Path]:
    """Returns the files that the command line names, by themselves or by a test in them."""
    paths = (config.invocation_params.dir / name.partition("::")[0] for name in config.args)
    return {path.resolve() for path in paths if path.is_file()}


def is_chosen(config: pytest.Config) -> bool:
    """Returns whether the command line chooses tests by what they are called or marked."""
    return any(config.getoption(name, default=None) for name in ("keyword", "markexpr", "lf"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declares the option."""
    parser.addoption("--all", action="store_true", help="run the whole suite, also what is slow")


def pytest_configure(config: pytest.Config) -> None:
    """Declares the marks, and chooses unless everything is wanted."""
    config.addinivalue_line(
        "markers", "smoke(**parameters): runs without ALL=1, though its kind does not"
    )
    config.addinivalue_line("markers", "slow: runs with ALL=1 only")
    if not config.getoption("all") and not is_chosen(config):
        config.pluginmanager.register(Tiers(), "tiers")
