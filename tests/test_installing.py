"""What is installed is what was locked: no target of the Makefile fetches anything else."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LOCKS = ("requirements.lock", "requirements-dev.lock", "requirements-build.lock")
PINNED = re.compile(r"[a-z0-9-]+==[\w.]+( ; [^\\:]+)? \\")
HASH = re.compile(r"    --hash=sha256:[0-9a-f]{64}( \\)?")


def installs(target: str, folder: Path) -> list[str]:
    """Returns what a target would call pip for, where nothing is set up yet."""
    for name in ("Makefile", "pyproject.toml", *LOCKS):
        shutil.copy(ROOT / name, folder)
    plan = subprocess.run(
        ["make", "--dry-run", target], cwd=folder, capture_output=True, text=True, check=True
    )
    joined = plan.stdout.replace("\\\n", " ")
    return [line for line in joined.splitlines() if "pip install" in line]


@pytest.mark.parametrize("target", ["run", "dev", "test", "check", "lock"])
def test_everything_is_fetched_by_its_hash_and_built_with_what_is_locked(
    tmp_path: Path, target: str
) -> None:
    build, locked, project = installs(target, tmp_path)
    assert "--require-hashes --only-binary :all: -r requirements-build.lock" in build
    assert "--require-hashes --no-build-isolation -r requirements" in locked
    assert "--no-deps --no-build-isolation -e ." in project


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_holds_names_versions_and_hashes_alone(name: str) -> None:
    lines = (ROOT / name).read_text().splitlines()
    assert [line for line in lines if not (PINNED.fullmatch(line) or HASH.fullmatch(line))] == []


def test_what_packages_are_built_with_is_the_same_in_every_lock() -> None:
    def pins(name: str) -> set[str]:
        return set(re.findall(r"^\S+==\S+", (ROOT / name).read_text(), re.MULTILINE))

    assert pins("requirements-build.lock") <= pins("requirements.lock")
    assert pins("requirements.lock") <= pins("requirements-dev.lock")
