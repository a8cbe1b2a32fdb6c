import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.dynamodb_local import ROOT

SKIPS = {
    "by a mark": "import pytest\n@pytest.mark.skip\ndef test_it(): pass",
    "by a fixture": (
        "import pytest\n@pytest.fixture\ndef tool(): pytest.skip('none')\ndef test_it(tool): pass"
    ),
    "by the module": "import pytest\npytest.importorskip('no_such_module')",
}
EXPECTED_FAILURE = "import pytest\n@pytest.mark.xfail\ndef test_it(): assert False"


def exit_code(folder: Path, test: str, forbid: str) -> int:
    file = folder / "test_it.py"
    file.write_text(f"{test}\ndef test_another(): pass")
    options = ["-p", "tests.conftest", "-p", "no:cacheprovider", "-c", "pyproject.toml"]
    return subprocess.run(
        [sys.executable, "-m", "pytest", *options, str(file)],
        cwd=ROOT,
        env={"FORBID_SKIPS": forbid},
        check=False,
        capture_output=True,
    ).returncode


@pytest.mark.parametrize("how", SKIPS)
def test_a_skipped_test_fails_the_run_where_skips_are_forbidden(tmp_path: Path, how: str) -> None:
    assert exit_code(tmp_path, SKIPS[how], forbid="1") != 0


def test_a_skipped_test_is_fine_elsewhere(tmp_path: Path) -> None:
    assert exit_code(tmp_path, SKIPS["by a mark"], forbid="0") == 0


def test_an_expected_failure_is_no_skip(tmp_path: Path) -> None:
    assert exit_code(tmp_path, EXPECTED_FAILURE, forbid="1") == 0
