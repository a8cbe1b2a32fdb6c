import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.processor_time import processor_seconds

TESTS = """
    import pytest

    @pytest.fixture
    def chromium(): ...

    def test_one(): ...
    def test_another(): ...
    def test_journey(chromium): ...
"""
PAGE = """# Figures

<!-- durations: written by a command -->
of yesterday
<!-- end of durations -->

The rest.
"""

BUSY_SECONDS = 0.3
BUSY = f"""
import time
while time.process_time() < {BUSY_SECONDS + 0.1}: pass
print(flush=True)
input()
"""


@pytest.fixture
def suite(pytester: pytest.Pytester) -> pytest.Pytester:
    """Two tests and a journey in a folder."""
    (pytester.path / "tests" / "room").mkdir(parents=True)
    pytester.makepyfile(**{"tests/room/test_it": TESTS})
    return pytester


def rows(suite: pytest.Pytester, *options: str) -> dict[str, str]:
    """Runs the suite; returns how many tests stand in each row of the tables."""
    result = suite.runpytest_inprocess(
        "-p", "no:asyncio", "-p", "tests.support.durations", *options
    )
    assert result.ret == 0
    found = (re.match(r"\| (.+?) \| ([\d,]+) \|", line) for line in result.stdout.lines)
    return {row[1]: row[2] for row in found if row}


BY_FOLDER = {
    "all": "3",
    "tests/room": "3",
    "other tests": "2",
    "browser journeys": "1",
    "worker 1": "3",
}


def test_the_tables_count_tests_by_folder_and_kind(suite: pytest.Pytester) -> None:
    assert rows(suite, "--durations-by-folder") == BY_FOLDER


def test_workers_hand_over_what_they_counted(suite: pytest.Pytester) -> None:
    both = rows(suite, "--durations-by-folder", "-n", "2")
    assert both == BY_FOLDER | {"worker 2": "3"}


def test_nothing_is_printed_unless_it_is_asked_for(suite: pytest.Pytester) -> None:
    assert rows(suite) == {}


def test_the_tables_replace_those_in_a_document(suite: pytest.Pytester, tmp_path: Path) -> None:
    document = tmp_path / "page.md"
    document.write_text(PAGE)
    rows(suite, f"--durations-into={document}")
    written = document.read_text()
    assert "yesterday" not in written
    assert written.count("| tests/room | 3 |") == 1
    assert written.endswith("<!-- end of durations -->\n\nThe rest.\n")


def test_processor_time_counts_a_child_while_it_runs_and_once_it_has_ended() -> None:
    before = processor_seconds()
    with subprocess.Popen(
        [sys.executable, "-c", BUSY], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        assert processor_seconds() - before >= BUSY_SECONDS
        child.communicate(b"\n")
    assert processor_seconds() - before >= BUSY_SECONDS
