import subprocess
from pathlib import Path

import pytest

from tests.support.commands import environment_of_shell
from tests.support.rerun import MAX_COMMANDS, command

PLUGIN = ("-p", "no:asyncio", "-p", "tests.support.rerun")
MAKEFILE = 'test:\n\t@printf "%s\\n" $(ARGS)\n'


@pytest.mark.parametrize(
    "nodeid",
    [
        "tests/room/test_it.py::test_it",
        "tests/room/test_it.py::TestIt::test_it[embedded-two words]",
        'tests/room/test_it.py::test_it[it\'s "quoted"]',
        "tests/room/test_it.py::test_it[$HOME `date` $(HOME) a\\b #]",
        "tests/room/test_it.py::test_it[*]",
    ],
)
def test_the_command_hands_over_the_test_as_it_is_called(tmp_path: Path, nodeid: str) -> None:
    (tmp_path / "Makefile").write_text(MAKEFILE)
    typed = ["sh", "-c", command(nodeid)]
    ran = subprocess.run(
        typed, cwd=tmp_path, env=environment_of_shell(), capture_output=True, text=True, check=True
    )
    assert ran.stdout == f"{nodeid}\n"


def test_a_test_that_fails_comes_with_the_command_that_runs_it_alone(
    pytester: pytest.Pytester,
) -> None:
    pytester.makepyfile(test_it="def test_right(): ...\ndef test_wrong(): assert False")
    result = pytester.runpytest_inprocess(*PLUGIN)
    result.stdout.fnmatch_lines(['make test ARGS="test_it.py::test_wrong"'])
    result.stdout.no_fnmatch_line("*test_right*")


def test_a_test_whose_fixture_breaks_comes_with_its_command_too(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_it="import pytest\n@pytest.fixture\ndef no(): 1/0\ndef test_it(no): ..."
    )
    result = pytester.runpytest_inprocess(*PLUGIN)
    result.stdout.fnmatch_lines(['make test ARGS="test_it.py::test_it"'])


def test_where_everything_fails_a_few_commands_are_enough(pytester: pytest.Pytester) -> None:
    tests = "".join(f"def test_{number}(): assert False\n" for number in range(MAX_COMMANDS + 3))
    pytester.makepyfile(test_it=tests)
    said = pytester.runpytest_inprocess(*PLUGIN).stdout
    assert sum(line.startswith("make test ") for line in said.lines) == MAX_COMMANDS
    said.fnmatch_lines(["… and 3 more"])


def test_where_nothing_fails_nothing_is_said(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_it="def test_right(): ...")
    pytester.runpytest_inprocess(*PLUGIN).stdout.no_fnmatch_line("*make test*")
