"""`commonroom backup`: one file with everything, made while Commonroom runs."""

from __future__ import annotations

from pathlib import Path

import click

from commonroom.cli.options import json_option, require_embedded, with_settings
from commonroom.cli.output import bar_progress, print_result
from commonroom.settings import Loaded


@click.command("backup")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--force", is_flag=True, help="Overwrite the file if it exists.")
@with_settings
@json_option
def command(loaded: Loaded, *, file: Path, force: bool, as_json: bool) -> None:
    """Write a backup of the data file, even while Commonroom is running.

    The file appears only when it is complete and checked. The secrets are not in it: keep a
    copy of secrets.json too.
    """
    from commonroom.open_store import missing_data_file
    from commonroom.store.embedded.backup import back_up

    settings = loaded.settings
    require_embedded(settings)
    if not settings.data_file.exists():
        raise missing_data_file(settings.data_file)
    with bar_progress("Backing up", quiet=as_json) as progress:
        size = back_up(settings.data_file, file, force=force, progress=progress)
    said = f"Backup written to {file}: {size:,} bytes, checked."
    print_result({"file": str(file), "bytes": size}, said, as_json=as_json)
