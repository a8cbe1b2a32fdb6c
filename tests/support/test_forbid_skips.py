import pytest

SKIPS = {
    "by a mark": "import pytest\n@pytest.mark.skip\ndef test_it(): pass",
    "by a fixture": (
        "import pytest\n@pytest.fixture\ndef tool(): pytest.skip('none')\ndef test_it(tool): pass"
    ),
    "by the module": "import pytest\npytest.importorskip('no_such_module')",
}
EXPECTED_FAILURE = "import pytest\n@pytest.mark.xfail\ndef test_it(): assert False"
PLUGIN = ("-p", "no:asyncio", "-p", "tests.support.forbid_skips")


def exit_code(pytester: pytest.Pytester, test: str, *, forbid: str) -> int:
    """Runs a test beside one that passes; returns what pytest ends with."""
    pytester.makepyfile(test_it=f"{test}\ndef test_another(): pass")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FORBID_SKIPS", forbid)
        return pytester.runpytest_inprocess(*PLUGIN).ret


@pytest.mark.parametrize("how", SKIPS)
def test_a_skipped_test_fails_the_run_where_skips_are_forbidden(
    pytester: pytest.Pytester, how: str
) -> None:
    assert exit_code(pytester, SKIPS[how], forbid="1") in (
        pytest.ExitCode.TESTS_FAILED,
        pytest.ExitCode.INTERRUPTED,
    )


def test_a_skipped_test_is_fine_elsewhere(pytester: pytest.Pytester) -> None:
    assert exit_code(pytester, SKIPS["by a mark"], forbid="0") == pytest.ExitCode.OK


def test_an_expected_failure_is_no_skip(pytester: pytest.Pytester) -> None:
    assert exit_code(pytester, EXPECTED_FAILURE, forbid="1") == pytest.ExitCode.OK
