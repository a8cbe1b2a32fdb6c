"""The commands. Each is a module of its own, loaded only when it is called."""

from __future__ import annotations

import click

from commonroom import __version__
from commonroom.cli.group import CommandGroup

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
    "config": "List every setting with its value and source.",
    "tables": "Create the tables, or print them as a CloudFormation template.",
    "model": "Print the data model: tables, keys, access patterns, copies.",
}


@click.group(
    cls=CommandGroup,
    summaries=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="commonroom")
def main() -> None:
    """One self-hosted place for a household and its friends."""
