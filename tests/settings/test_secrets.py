"""The installation's secret."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from hypothesis import given
from hypothesis import strategies as st

from commonroom.settings import Settings, WrongSetting, secrets_of
from commonroom.settings.secrets import Secrets
from tests.support.dynamodb_local import ROOT


def test_it_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path)
    first = secrets_of(settings)
    assert secrets_of(settings) == first
    assert stat.S_IMODE((tmp_path / "secrets.json").stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["secrets.json"]


def test_no_two_installations_have_the_same(tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
    one, other = (secrets_of(Settings(data=tmp_path / name)) for name in ("one", "other"))
    assert one != other


def test_each_purpose_has_a_key_of_its_own(tmp_path: Path) -> None:
    secrets = secrets_of(Settings(data=tmp_path))
    assert len({secrets.derived("cursors"), secrets.derived("sessions"), secrets.key}) == 3
    assert secrets.derived("cursors") == secrets.derived("cursors")
    assert len(secrets.derived("cursors")) == 32


def test_processes_that_start_at_once_agree(tmp_path: Path) -> None:
    program = (
        "import sys, pathlib; from commonroom.settings import Settings, secrets_of\n"
        "sys.stdin.readline()\n"
        "print(secrets_of(Settings(data=pathlib.Path(sys.argv[1]))).key.hex())"
    )
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(8)
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    keys = {process.communicate(timeout=60)[0] for process in processes}
    assert len(keys) == 1
    assert len(keys.pop().strip()) == 64
    assert [file.name for file in tmp_path.iterdir()] == ["secrets.json"]


def test_one_that_is_set_needs_no_file(tmp_path: Path) -> None:
    key = "correct horse battery staple, twice"
    one = secrets_of(Settings(data=tmp_path / "one", secret_key=key))
    other = secrets_of(Settings(data=tmp_path / "other", secret_key=key))
    assert one.derived("cursors") == other.derived("cursors")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", ["", "{}", '{"key": "c2hvcnQ="}', "not JSON"])
def test_a_damaged_one_is_left_as_it_is(tmp_path: Path, content: str) -> None:
    (tmp_path / "secrets.json").write_text(content)
    with pytest.raises(WrongSetting, match=r"secrets\.json"):
        secrets_of(Settings(data=tmp_path))
    assert (tmp_path / "secrets.json").read_text() == content


@given(
    st.binary(min_size=1, max_size=80),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    st.integers(1, 200),
)
def test_a_purpose_gets_the_key_that_hkdf_gives(key: bytes, purpose: str, length: int) -> None:
    info = f"commonroom {purpose}".encode()
    expected = HKDF(SHA256(), length, salt=None, info=info).derive(key)

    assert Secrets(key).derived(purpose, length) == expected
