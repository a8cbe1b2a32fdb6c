"""Runs commands in this process, as a shell would with an environment of its own."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from commonroom.cli import main

FOR_TESTS = ("COMMONROOM_TEST_OPENSEARCH", "COMMONROOM_TEST_OPENSEARCH_LOGIN")
"""What tests themselves are told by the environment: to a command, they would be wrong settings."""


class Ended:
    """How a command ended."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code = code
        self.out = out
        self.err = err

    @property
    def json(self) -> Any:
        """What it printed for programs."""
        return json.loads(self.out)

    @property
    def sentence(self) -> str:
        """What it said on ending with an error: one line, and no traceback."""
        assert self.code == 1, (self.code, self.out, self.err)
        *progress, last = self.err.splitlines()
        assert last.startswith("Error: "), self.err
        assert all(": " in line for line in progress), self.err
        assert "Traceback" not in self.err
        return last.removeprefix("Error: ")


class Commands:
    """An installation in a folder, and its commands."""

    def __init__(self, data: Path, **environment: str) -> None:
        self.data = data
        self.environment = {"COMMONROOM_DATA": str(data), **environment}

    def __call__(self, *words: str, answer: str = "", **environment: str) -> Ended:
        result = CliRunner().invoke(
            main,
            list(words),
            input=answer,
            env={**dict.fromkeys(FOR_TESTS), **self.environment, **environment},
            catch_exceptions=False,
        )
        return Ended(result.exit_code, result.stdout, result.stderr)

    def ok(self, *words: str, answer: str = "", **environment: str) -> Ended:
        """Runs a command that must succeed."""
        ended = self(*words, answer=answer, **environment)
        assert ended.code == 0, (ended.out, ended.err)
        return ended


def snapshot(folder: Path) -> Mapping[str, bytes]:
    """Everything in a folder, to see that nothing changed."""
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def environment_of_shell() -> dict[str, str]:
    """Returns the environment as a shell has it, also where a make runs the tests."""
    of_make = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "ALL", "ARGS")
    return {name: value for name, value in os.environ.items() if name not in of_make}
