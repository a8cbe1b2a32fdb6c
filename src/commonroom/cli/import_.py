"""`commonroom import`: an export into whichever engine is configured."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Self

import click

from commonroom.cli.adopt import NamedFiles
from commonroom.cli.adopt import adopt as adopt_tables
from commonroom.cli.options import json_option, with_settings
from commonroom.cli.output import count_progress, print_result
from commonroom.settings import Loaded, Settings

if TYPE_CHECKING:
    from commonroom.store.transfer import Reject, RejectedLine


@click.command("import")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), required=False)
@click.option(
    "--replace",
    is_flag=True,
    help=(
        "Import into tables that are not empty: an imported item replaces the one with the "
        "same key, all other items stay."
    ),
)
@click.option(
    "--set-aside",
    type=click.Path(path_type=Path, dir_okay=False),
    help=(
        "Write items that cannot be stored to this new file, each with the reason, and import all "
        "others. Without it, one such item refuses the import."
    ),
)
@click.option(
    "--adopt",
    is_flag=True,
    help=(
        "Take over tables of another application that follows the same data models: what "
        "Commonroom needs beyond is filled in, counted and checked. Run it again to go on "
        "after an interruption."
    ),
)
@click.option(
    "--table",
    "tables",
    type=NamedFiles(),
    multiple=True,
    help="With --adopt: which table a file or folder is of, where its name does not say so.",
)
@click.option("--dry-run", is_flag=True, help="With --adopt: say what would happen, and end.")
@with_settings
@json_option
def command(
    loaded: Loaded,
    *,
    folder: Path | None,
    replace: bool,
    set_aside: Path | None,
    adopt: bool,
    tables: tuple[tuple[str, Path], ...],
    dry_run: bool,
    as_json: bool,
) -> None:
    """Import an export of Commonroom or AWS into the configured engine.

    Everything is checked before anything is changed. Index keys are computed anew.
    """
    if adopt and replace:
        raise click.UsageError("--adopt replaces nothing; leave --replace out.")
    if not adopt and (tables or dry_run):
        raise click.UsageError("--table and --dry-run go with --adopt.")
    if adopt and (folder or tables):
        asyncio.run(
            adopt_tables(
                loaded.settings,
                folder,
                tables,
                set_aside=set_aside,
                dry_run=dry_run,
                as_json=as_json,
            )
        )
        return
    if folder is None:
        raise click.UsageError("Name the folder to import.")
    with SetAsideFile(set_aside) as aside:
        counts = asyncio.run(
            _import(loaded.settings, folder, aside, replace=replace, quiet=as_json)
        )
    items = sum(counts.values())
    said = [f"Imported {items:,} items into {len(counts)} tables."]
    if aside.lines:
        said.append(f"Set {aside.lines:,} items aside in {set_aside}; each says why.")
    result = {"items": items, "tables": counts, "set_aside": aside.lines}
    print_result(result, *said, as_json=as_json)


class SetAsideFile:
    """A new file, for its owner alone, of items that cannot be stored; none where all can."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.lines = 0
        self._file: BinaryIO | None = None

    def __enter__(self) -> Self:
        if self.path is not None:
            try:
                self._file = os.fdopen(
                    os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb"
                )
            except OSError as error:
                raise click.ClickException(
                    f"{self.path} cannot be made: {error.strerror}."
                ) from error
        return self

    def __exit__(self, *_error: object) -> None:
        if self.path is not None and self._file is not None:
            self._file.close()
            if not self.lines:
                self.path.unlink()

    @property
    def reject(self) -> Reject | None:
        """Takes an item; None where the first of them is to refuse the import."""
        return None if self._file is None else self._add

    def _add(self, line: RejectedLine) -> None:
        import msgspec

        if self._file is not None:
            self._file.write(msgspec.json.encode(line) + b"\n")
            self.lines += 1


async def _import(
    settings: Settings, folder: Path, aside: SetAsideFile, *, replace: bool, quiet: bool
) -> dict[str, int]:
    from commonroom.open_store import PORTABLE, open_store, require_tables
    from commonroom.store import put
    from commonroom.store.errors import Refused
    from commonroom.store.streams.tables import LastImport
    from commonroom.store.transfer import check_items, load, nonempty_tables, read_export

    exports = read_export(folder, PORTABLE, prefix=settings.dynamodb_prefix)
    total = sum(export.items for export in exports)
    with count_progress("Checking", total=total, quiet=quiet) as progress:
        for export in exports:
            check_items(export, progress, aside.reject)
    async with open_store(settings, create=True, patient=True) as store:
        tables = [export.table for export in exports]
        await require_tables(store)
        used = [] if replace else await nonempty_tables(store.engine, tables)
        if used:
            raise Refused(
                f"There is data in {', '.join(used)}; nothing was imported. With "
                "--replace, items of the export replace those with the same key, and all "
                "others stay."
            )
        # Before the first item: a worker may already read the streams that they go into.
        await store.write(put(LastImport(imported_at=time.time())))
        with count_progress("Importing", total=total, quiet=quiet) as progress:
            passed_over = None if aside.reject is None else _pass_over
            return await load(store.engine, exports, progress, passed_over)


def _pass_over(_line: RejectedLine) -> None:
    """Does nothing: it was set aside when it was checked."""
