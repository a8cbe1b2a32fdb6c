"""`commonroom restore`: a backup in place of the data, which is kept."""

from __future__ import annotations

from pathlib import Path

import click

from commonroom.cli.options import json_option, require_embedded, with_settings
from commonroom.cli.output import bar_progress, print_result
from commonroom.settings import Loaded


@click.command("restore")
@click.argument("file", required=False, type=click.Path(path_type=Path, dir_okay=False))
@click.option("--newest", is_flag=True, help="Take the newest scheduled backup that is whole.")
@click.option("--yes", is_flag=True, help="Do not ask before replacing data.")
@with_settings
@json_option
def command(loaded: Loaded, *, file: Path | None, newest: bool, yes: bool, as_json: bool) -> None:
    """Replace the data with a backup.

    It is a file, or the newest scheduled one, and is checked first. The previous data is kept next
    to the data file. A server that is running sees the old data or the new, never a mixture;
    restart it afterwards.
    """
    from commonroom.maintenance.backups import find_newest
    from commonroom.maintenance.state import forget_damage
    from commonroom.open_store import make_data_folder
    from commonroom.search.embedded.index_file import remove_index_file
    from commonroom.store.embedded.backup import check_backup, restore

    settings = loaded.settings
    require_embedded(settings)
    if (file is None) is not newest:
        raise click.UsageError("Name a backup, or take --newest.")
    file = file or find_newest(settings)
    check_backup(file)
    if settings.data_file.exists() and not yes:
        click.confirm(
            f"Replace all data in {settings.data_file} with {file}?", abort=True, err=True
        )
    make_data_folder(settings)
    with bar_progress("Restoring", quiet=as_json) as progress:
        previous = restore(settings.data_file, file, progress=progress)
    forget_damage(settings)
    remove_index_file(settings.search_file)  # it has what is not in the backup
    kept = None if previous is None else str(previous)
    said = [f"Restored {file} to {settings.data_file}."]
    if kept is not None:
        said.append(f"The previous data is kept in {kept}. Restart Commonroom if it is running.")
    result = {"file": str(settings.data_file), "backup": str(file), "kept": kept}
    print_result(result, *said, as_json=as_json)
