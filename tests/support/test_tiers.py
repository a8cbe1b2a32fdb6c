"""Which tests a run leaves out, tried on a suite of a few that do nothing."""

import subprocess

import pytest

from tests.support.commands import environment_of_shell
from tests.support.dynamodb_local import ROOT

FIXTURES = """
    import pytest

    @pytest.fixture
    def chromium(): ...

    @pytest.fixture(params=["embedded", "dynamodb"])
    def store(request): ...

    @pytest.fixture
    def dynamodb_local_jar(): ...
"""
ROOM = """
    import pytest

    def test_rule(): ...
    def test_service(store): ...
    def test_wire(dynamodb_local_jar): ...
    def test_journey(chromium): ...
    @pytest.mark.smoke
    def test_short_journey(chromium): ...
    @pytest.mark.smoke(phone=True)
    @pytest.mark.parametrize("phone", [True, False])
    def test_visit(chromium, phone): ...
    @pytest.mark.slow
    def test_crash(): ...
"""
CONTRACT = """
    def test_write(store): ...
"""
FIRST_TIER = {"test_rule", "test_service[embedded]", "test_short_journey", "test_visit[True]"}
CONTRACT_TESTS = {"test_write[embedded]", "test_write[dynamodb]"}
WHOLE_ROOM = FIRST_TIER | {
    "test_service[dynamodb]",
    "test_wire",
    "test_journey",
    "test_visit[False]",
    "test_crash",
}
ADDED = "ALL=1 adds 2 browser journeys, 2 tests on DynamoDB Local, 1 slow tests."


@pytest.fixture
def suite(pytester: pytest.Pytester) -> pytest.Pytester:
    """A suite with a room and the store's contract."""
    pytester.makeini("[pytest]\ntestpaths = tests")
    pytester.makeconftest(FIXTURES)
    for path, source in (("room/test_room", ROOM), ("contract/test_contract_of_store", CONTRACT)):
        (pytester.path / "tests" / path).parent.mkdir(parents=True)
        pytester.makepyfile(**{f"tests/{path}": source})
    return pytester


def run(suite: pytest.Pytester, *arguments: str) -> tuple[set[str], str]:
    """Runs the suite; returns the names of the tests that ran, and the last words but one."""
    result = suite.runpytest_inprocess(
        "-p", "no:asyncio", "-p", "tests.support.tiers", "-v", *arguments
    )
    said = result.stdout.lines
    names = {line.split("::")[1].split(" ")[0] for line in said if " PASSED" in line}
    return names, next((line for line in said if line.startswith("ALL=1")), "")


def test_a_run_has_one_engine_and_the_journeys_that_are_marked(suite: pytest.Pytester) -> None:
    names, _ = run(suite)
    assert names == FIRST_TIER | CONTRACT_TESTS


def test_a_run_says_what_all_would_add(suite: pytest.Pytester) -> None:
    _, added = run(suite)
    assert added == ADDED


def test_a_run_on_several_workers_says_it_too(suite: pytest.Pytester) -> None:
    _, added = run(suite, "-n", "1")
    assert added == ADDED


def test_all_is_everything_and_adds_nothing(suite: pytest.Pytester) -> None:
    names, added = run(suite, "--all")
    assert names == WHOLE_ROOM | CONTRACT_TESTS
    assert added == ""


def test_a_folder_has_its_part_of_the_run(suite: pytest.Pytester) -> None:
    names, added = run(suite, "tests/room")
    assert names == FIRST_TIER
    assert added == ADDED


@pytest.mark.parametrize("file", ["tests/room/test_room.py", "tests/room/../room/test_room.py"])
def test_a_file_that_is_named_runs_whole(suite: pytest.Pytester, file: str) -> None:
    names, added = run(suite, file, "tests/contract")
    assert names == WHOLE_ROOM | CONTRACT_TESTS
    assert added == ""


def test_a_test_that_is_named_runs(suite: pytest.Pytester) -> None:
    names, _ = run(suite, "tests/room/test_room.py::test_service[dynamodb]")
    assert names == {"test_service[dynamodb]"}


@pytest.mark.parametrize("choice", [("-k", "crash"), ("-m", "slow")])
def test_a_test_that_is_chosen_by_its_name_or_mark_runs(
    suite: pytest.Pytester, choice: tuple[str, str]
) -> None:
    names, _ = run(suite, *choice)
    assert names == {"test_crash"}


@pytest.mark.parametrize("given, options", [([], ""), (["ALL=1"], "--all")])
def test_make_asks_for_everything_with_all(given: list[str], options: str) -> None:
    command = ["make", "--dry-run", "test", *given]
    asked = subprocess.run(
        command, cwd=ROOT, env=environment_of_shell(), capture_output=True, text=True, check=True
    ).stdout
    (line,) = (line for line in asked.splitlines() if " -m pytest " in line)
    assert line.partition("worksteal")[2].split() == options.split()


def test_a_change_must_pass_everything() -> None:
    assert (ROOT / ".ci/run").read_text().splitlines()[-1] == "make test ALL=1"
