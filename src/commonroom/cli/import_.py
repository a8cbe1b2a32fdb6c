"""`commonroom import`: an export into whichever engine is configured."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from commonroom.cli.options import json_option, with_settings
from commonroom.cli.output import count_progress, print_json
from commonroom.settings import Loaded, Settings


@click.command("import")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--replace",
    is_flag=True,
    help=(
        "Import into tables that are not empty: an imported item replaces the one with the "
        "same key, all other items stay."
    ),
)
@with_settings
@json_option
def command(loaded: Loaded, *, folder: Path, replace: bool, as_json: bool) -> None:
    """Import an export of Commonroom or AWS into the configured engine.

    Everything is checked before anything is changed.
    """
    counts = asyncio.run(_import(loaded.settings, folder, replace=replace, quiet=as_json))
    if as_json:
        print_json({"items": sum(counts.values()), "tables": counts})
    else:
        click.echo(f"Imported {sum(counts.values()):,} items into {len(counts)} tables.")


async def _import(
    settings: Settings, folder: Path, *, replace: bool, quiet: bool
) -> dict[str, int]:
    from commonroom.open_store import PORTABLE, open_store, require_tables
    from commonroom.store.errors import Refused
    from commonroom.store.transfer import check_items, load, nonempty_tables, read_export

    exports = read_export(folder, PORTABLE, prefix=settings.dynamodb_prefix)
    total = sum(export.items for export in exports)
    with count_progress("Checking", total=total, quiet=quiet) as told:
        for export in exports:
            check_items(export, told)
    async with open_store(settings, create=True) as store:
        tables = [export.table for export in exports]
        await require_tables(store)
        used = [] if replace else await nonempty_tables(store.engine, tables)
        if used:
            raise Refused(
                f"There is data in {', '.join(used)}; nothing was imported. With "
                "--replace, items of the export replace those with the same key, and all "
                "others stay."
            )
        with count_progress("Importing", total=total, quiet=quiet) as told:
            return await load(store.engine, exports, told)
