"""`commonroom export`: everything, in an open format."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import click

from commonroom.cli.options import json_option, with_settings
from commonroom.cli.output import count_progress, print_json
from commonroom.settings import Loaded, Settings

if TYPE_CHECKING:
    from commonroom.store.transfer import ExportResult


@click.command("export")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@with_settings
@json_option
def command(loaded: Loaded, *, folder: Path, as_json: bool) -> None:
    """Export everything to a folder, in the format of DynamoDB’s own exports.

    The folder appears only when it is complete. How far the consumers of changes have come is left
    out: it means nothing to another engine.
    """
    exported = asyncio.run(_export(loaded.settings, folder, quiet=as_json))
    if as_json:
        print_json(exported)
    else:
        click.echo(
            f"Exported {exported.items:,} items of {len(exported.tables)} tables to {folder}."
        )


async def _export(settings: Settings, folder: Path, *, quiet: bool) -> ExportResult:
    from commonroom.open_store import PORTABLE, open_snapshot, open_store
    from commonroom.store.transfer import export

    async with open_store(settings) as store, open_snapshot(settings, store) as source:
        with count_progress("Exporting", quiet=quiet) as progress:
            return await export(
                source, PORTABLE, folder, engine=store.engine.name, progress=progress
            )
