"""`commonroom export`: everything, or what can still be read of it, in an open format."""

from __future__ import annotations

import asyncio
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from commonroom.cli.options import json_option, require_embedded, with_settings
from commonroom.cli.output import count_progress, print_result
from commonroom.settings import Loaded, Settings

if TYPE_CHECKING:
    from commonroom.store.embedded.salvage import SalvageReport
    from commonroom.store.transfer import ExportResult

INCOMPLETE = 3
"""The exit code of a salvage that could not bring out everything as it was."""
SALVAGE_REPORT = "commonroom-salvage.json"


@click.command("export")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--salvage",
    is_flag=True,
    help=(
        "Export what can still be read of a damaged data file, and list what cannot. The exit "
        "code is 3 if something is missing."
    ),
)
@with_settings
@json_option
def command(loaded: Loaded, *, folder: Path, salvage: bool, as_json: bool) -> None:
    """Export everything to a folder, in the format of DynamoDB’s own exports.

    The folder appears only when it is complete. How far the consumers of changes have come is left
    out: it means nothing to another engine.
    """
    settings = loaded.settings
    if salvage:
        _print_salvage(folder, *asyncio.run(_salvage(settings, folder, quiet=as_json)), as_json)
        return
    exported = asyncio.run(_export(settings, folder, quiet=as_json))
    print_result(exported, _summary(exported, folder), as_json=as_json)


def _summary(exported: ExportResult, folder: Path) -> str:
    return f"Exported {exported.items:,} items of {len(exported.tables)} tables to {folder}."


async def _export(settings: Settings, folder: Path, *, quiet: bool) -> ExportResult:
    from commonroom.open_store import PORTABLE, open_snapshot, open_store, require_tables
    from commonroom.store.transfer import export

    async with open_store(settings, only_reading=True, patient=True) as store:
        await require_tables(store)
        async with open_snapshot(settings, store) as source:
            _warn_of_unseen_log(settings)
            with count_progress("Exporting", quiet=quiet) as progress:
                return await export(
                    source, PORTABLE, folder, engine=store.engine.name, progress=progress
                )


def _warn_of_unseen_log(settings: Settings) -> None:
    from commonroom.store.embedded.read_only import unseen_log_bytes

    if settings.store == "embedded" and (unseen := unseen_log_bytes(settings.data_file)):
        click.echo(
            f"Warning: {unseen:,} bytes of the newest changes, in {settings.data_file.name}-wal, "
            "cannot be read on a read-only disk and are missing; copy the folder to a disk that "
            "can be written, or use --salvage.",
            err=True,
        )


async def _salvage(
    settings: Settings, folder: Path, *, quiet: bool
) -> tuple[ExportResult, SalvageReport]:
    from commonroom.open_store import PORTABLE, missing_data_file
    from commonroom.store.embedded.salvage import Salvage
    from commonroom.store.transfer import export

    require_embedded(settings)
    if not settings.data_file.exists():
        raise missing_data_file(settings.data_file)
    with (
        closing(Salvage(settings.data_file, PORTABLE)) as source,
        count_progress("Exporting", quiet=quiet) as progress,
    ):
        exported = await export(source, PORTABLE, folder, engine="embedded", progress=progress)
    return exported, source.report


def _print_salvage(
    folder: Path, exported: ExportResult, report: SalvageReport, as_json: bool
) -> None:
    import msgspec

    listed = folder / SALVAGE_REPORT
    listed.write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=2))
    result = {"complete": report.complete, **msgspec.to_builtins(exported), "report": report}
    ending = f"What is missing, or perhaps altered, is listed in {listed}."
    if report.complete:
        ending = "Nothing is missing."
    lines = (_summary(exported, folder), *_losses(report), ending)
    print_result(result, *lines, as_json=as_json)
    if not report.complete:
        raise SystemExit(INCOMPLETE)


def _losses(report: SalvageReport) -> list[str]:
    lines = [
        f"Lost of {name}: {table.lost:,} items"
        + (", and perhaps others that no index names" if table.perhaps_more_lost else "")
        for name, table in report.tables.items()
        if table.lost or table.perhaps_more_lost
    ]
    lines += [
        f"Perhaps altered of {name}: {table.altered:,} items that stood on damaged pages"
        for name, table in report.tables.items()
        if table.altered
    ]
    if not report.schema_readable:
        lines.append("The list of tables is damaged; items were recognised by their content.")
    if report.unread_log_bytes:
        lines.append(f"{report.unread_log_bytes:,} bytes of the log belong to no finished write.")
    return lines
