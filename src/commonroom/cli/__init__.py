"""The command line: each command is a module of its own, loaded only when it is called."""

from __future__ import annotations

import errno
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from commonroom import __version__
from commonroom.errors import CommonroomError

COMMANDS = {
    "serve": "Start Commonroom.",
    "worker": "Process changes in the background, separately from the web application.",
    "user": "Create, list and change accounts.",
    "demo": "Fill an empty installation with demonstration data.",
    "doctor": "Check an installation for problems and say how to fix them.",
    "check": "Check the data for inconsistencies; fix them with --repair.",
    "backup": "Write a backup of the data file, even while Commonroom is running.",
    "restore": "Replace the data with a backup.",
    "export": "Export everything to a folder, in the format of DynamoDB’s own exports.",
    "import": "Import an export of Commonroom or AWS into the configured engine.",
    "search": "Rebuild the search index.",
    "config": "List every setting with its value and source.",
    "tables": "Create or upgrade the tables, or print them as a CloudFormation template.",
    "model": "Print the data model: tables, keys, access patterns, and what follows from a write.",
}


class CommandGroup(click.Group):
    """Loads a command when it is called, and ends every error as a sentence.

    The module `commonroom.cli.<name>` has each as `command`.
    """

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
                raise  # the reader of our output has seen enough; click ends it quietly
            raise click.ClickException(_sentence(error)) from error


def _sentence(error: OSError) -> str:
    where = f"{error.filename}: " if error.filename else ""
    return f"{where}{error.strerror or error}."


@click.group(
    cls=CommandGroup,
    summaries=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="commonroom")
def main() -> None:
    """One self-hosted place for a household and its friends."""
