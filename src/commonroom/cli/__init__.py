"""The commands. Each is a module of its own, loaded only when it is called."""

from __future__ import annotations

import click

from commonroom import __version__
from commonroom.cli.group import CommandGroup

COMMANDS = {
    "serve": "Start Commonroom.",
    "worker": "Run what follows from changes, apart from the web application.",
    "user": "Make, list and change accounts.",
    "demo": "Fill an empty installation with a small believable world.",
    "doctor": "Say what is wrong with an installation, and how to mend it.",
    "check": "Find what does not agree with itself in the data; mend it with --repair.",
    "backup": "Write a backup of the data file, also while Commonroom runs.",
    "restore": "Put a backup in place of the data.",
    "export": "Write everything to a folder, in the format of DynamoDB’s own exports.",
    "import": "Load an export, of Commonroom or of AWS, into the configured engine.",
    "config": "List every setting with its value and where it comes from.",
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
