"""The group of all commands: loads one when it is called, and ends every error as a sentence."""

from __future__ import annotations

import errno
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from commonroom.errors import CommonroomError


class CommandGroup(click.Group):
    """Commands by name; the module `commonroom.cli.<name>` has each as `command`."""

    def __init__(self, *args: Any, summaries: Mapping[str, str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.summaries = summaries

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's own signature
        return list(self.summaries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's own signature
        if cmd_name not in self.summaries:
            return None
        # `import` is a word of Python, so no module can have that name.
        module = "import_" if cmd_name == "import" else cmd_name
        command: click.Command = import_module(f"commonroom.cli.{module}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's own signature
        """Lists the commands without loading any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self.summaries.items()))

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except CommonroomError as error:
            raise click.ClickException(error.detail) from error
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise  # whoever read our output has seen enough; click ends it quietly
            raise click.ClickException(_sentence(error)) from error


def _sentence(error: OSError) -> str:
    where = f"{error.filename}: " if error.filename else ""
    return f"{where}{error.strerror or error}."
