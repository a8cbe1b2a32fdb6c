"""What is installed is what was locked: no target of the Makefile fetches anything else."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from itertools import chain
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parent.parent
LOCKS = ("requirements.lock", "requirements-dev.lock", "requirements-build.lock")
PINNED = re.compile(r"[a-z0-9-]+==[\w.]+( ; [^\\:]+)? \\")
WITHOUT_KNOWN_HOLES = {"granian": "2.7.4", "aiohttp": "3.13.4", "pillow": "12.2"}
"""What was mended in these versions is found by attackers first in whoever runs an earlier one."""
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


@pytest.mark.parametrize("target", ["run", "demo", "wheel", "dev", "test", "check", "lock"])
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


def floors() -> dict[str, Version]:
    """Returns the lowest version of each library that may be installed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"].values()
    wanted = map(Requirement, chain(project["dependencies"], *extras))
    return {canonicalize_name(one.name): floor_of(one) for one in wanted}


def floor_of(wanted: Requirement) -> Version:
    [floor] = [bound.version for bound in wanted.specifier if bound.operator == ">="]
    return Version(floor)


@pytest.mark.parametrize("name, version", WITHOUT_KNOWN_HOLES.items())
def test_no_version_with_known_holes_may_be_installed(name: str, version: str) -> None:
    assert floors()[name] >= Version(version)


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_a_lock_has_every_library_at_its_floor_or_above(lock: str) -> None:
    pins = dict(re.findall(r"^(\S+)==([^\s;]+)", (ROOT / lock).read_text(), re.MULTILINE))
    below = {one for one, floor in floors().items() if Version(pins[one]) < floor}
    assert below == set()
