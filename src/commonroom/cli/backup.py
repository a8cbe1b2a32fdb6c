"""`commonroom backup`: one file with everything, made while Commonroom runs."""

from __future__ import annotations

from pathlib import Path

import click

from commonroom.cli.embedded_only import require_embedded
from commonroom.cli.options import json_option, with_settings
from commonroom.cli.output import print_json
from commonroom.cli.progress import filling
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
    from commonroom.opening import no_data
    from commonroom.store.embedded.backup import back_up

    settings = loaded.settings
    require_embedded(settings)
    if not settings.data_file.exists():
        raise no_data(settings.data_file)
    with filling("Backing up", quiet=as_json) as progress:
        size = back_up(settings.data_file, file, force=force, progress=progress)
    if as_json:
        print_json({"file": str(file), "bytes": size})
    else:
        click.echo(f"Backup written to {file}: {size:,} bytes, checked.")
