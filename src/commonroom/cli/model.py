"""`commonroom model`: the data model, from its declarations."""

from __future__ import annotations

import click

from commonroom.cli.options import json_option, with_settings
from commonroom.cli.output import print_json
from commonroom.settings import Loaded


@click.command("model")
@with_settings
@json_option
def command(_: Loaded, *, as_json: bool) -> None:
    """Print the data model: tables, keys, access patterns, copies."""
    from commonroom.model import MODEL

    if as_json:
        print_json(MODEL.as_json())
    else:
        click.echo(MODEL.as_markdown(), nl=False)
