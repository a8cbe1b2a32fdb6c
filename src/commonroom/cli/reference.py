"""The parts of docs/operating.md that come from the code: every setting, every command.

`python -m commonroom.cli.reference docs/operating.md` writes them anew.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from commonroom.cli import main
from commonroom.settings import DESCRIBED, SettingDocs

EVERY_COMMAND = ("data", "store")
"""Options that the page names once, for all commands."""

PARTS = re.compile(r"(<!-- (settings|commands): [^\n]* -->\n).*?(<!-- end of \2 -->)", re.DOTALL)


def up_to_date(page: str) -> str:
    """Returns the page with its generated parts as the code has them now."""
    made = {"settings": settings_table(), "commands": commands_list()}
    return PARTS.sub(lambda part: f"{part[1]}\n{made[part[2]]}\n{part[3]}", page)


def settings_table() -> str:
    """Returns every setting as a row."""
    head = "| variable | in the file | default | may be | |\n| --- | --- | --- | --- | --- |\n"
    return head + "".join(f"{_setting(one)}\n" for one in DESCRIBED.values())


def _setting(one: SettingDocs) -> str:
    default = str(one.default).lower() if isinstance(one.default, bool) else str(one.default)
    shown = f"`{default}`" if default else "–"
    return f"| `{one.variable}` | `{one.name}` | {shown} | {one.may_be} | {one.description} |"


def commands_list() -> str:
    """Returns every command with its arguments, what it does, and its options."""
    return "\n".join(_command(name, command) for name, command in all_commands())


def all_commands() -> Iterator[tuple[str, click.Command]]:
    """Yields every command by its full name."""
    context = click.Context(main)
    for name in main.list_commands(context):
        command = main.get_command(context, name)
        if isinstance(command, click.Group):
            for below, one in command.commands.items():
                yield f"{name} {below}", one
        elif command is not None:
            yield name, command


def _command(name: str, command: click.Command) -> str:
    arguments = [one for one in command.params if isinstance(one, click.Argument)]
    words = " ".join(
        ["commonroom", name, *(one.make_metavar(click.Context(command)) for one in arguments)]
    )
    lines = [f"### `{words}`\n", *(f"{one}\n" for one in _paragraphs(command.help or ""))]
    options = [one for one in command.params if isinstance(one, click.Option)]
    own = [_option(one) for one in options if one.name not in EVERY_COMMAND]
    return "\n".join([*lines, *own, ""] if own else lines)


def _paragraphs(text: str) -> list[str]:
    return [" ".join(one.split()) for one in text.split("\n\n")]


def _option(option: click.Option) -> str:
    return f"- `{max(option.opts, key=len)}`: {option.help}"


if __name__ == "__main__":
    for name in sys.argv[1:]:
        page = Path(name)
        page.write_text(up_to_date(page.read_text()))
