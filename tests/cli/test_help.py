"""The group of commands: listed without being loaded, and ending as a shell expects."""

from __future__ import annotations

import subprocess
import sys

import click
import pytest

from commonroom import __version__
from commonroom.cli import COMMANDS, main
from commonroom.cli.reference import all_commands
from tests.support.commands import Commands
from tests.support.dynamodb_local import ROOT

HEAVY = {
    "aiobotocore",
    "aiodynamo",
    "apsw",
    "granian",
    "rich",
    "commonroom.http",
    "commonroom.store",
}


def loaded_by(*words: str) -> set[str]:
    """Which modules a command loads."""
    program = (
        "import sys\n"
        "from commonroom.cli import main\n"
        "main(sys.argv[1:], standalone_mode=False)\n"
        "print(' '.join(sys.modules), file=sys.stderr)"
    )
    command = [sys.executable, "-c", program, *words]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return set(done.stderr.split())


def test_help_lists_every_command_and_loads_none() -> None:
    loaded = loaded_by("--help")
    assert not loaded & HEAVY
    assert not any(f"commonroom.cli.{name}" in loaded for name in COMMANDS)


def test_dynamodb_is_loaded_only_where_it_is_chosen(commonroom: Commands) -> None:
    loaded = loaded_by("tables", "create", "--data", str(commonroom.data))
    assert "apsw" in loaded
    assert not loaded & {"aiodynamo", "aiobotocore", "botocore", "aiohttp"}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_says_of_itself_what_the_list_says_of_it(name: str) -> None:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    assert (command.help or "").partition("\n\n")[0] == COMMANDS[name]


def test_every_command_takes_data_and_store() -> None:
    for name, command in all_commands():
        assert {"data", "store"} <= {one.name for one in command.params}, name


def test_the_version(commonroom: Commands) -> None:
    assert __version__ in commonroom.ok("--version").out


@pytest.mark.parametrize("words", [("bogus",), ("backup",), ("check", "--store", "postgres")])
def test_a_wrong_call_ends_with_2(commonroom: Commands, words: tuple[str, ...]) -> None:
    ended = commonroom(*words)
    assert ended.code == 2
    assert "Usage:" in ended.err


def test_the_module_is_the_command() -> None:
    command = [sys.executable, "-m", "commonroom", "--version"]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    assert __version__ in done.stdout
