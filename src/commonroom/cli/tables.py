"""`commonroom tables`: creating and upgrading the tables, here or by CloudFormation."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import click

from commonroom.cli.options import json_option, with_settings
from commonroom.cli.output import print_json, print_result
from commonroom.settings import Loaded, Settings


@click.group("tables")
def command() -> None:
    """Create or upgrade the tables, or print them as a CloudFormation template."""


@command.command("create")
@with_settings
@json_option
def create(loaded: Loaded, *, as_json: bool) -> None:
    """Create missing tables, indexes and streams; items are never changed."""
    created = asyncio.run(_create(loaded.settings))
    said = f"Created: {', '.join(created)}." if created else "All tables already exist."
    print_result({"created": created}, said, as_json=as_json)


@command.command("upgrade")
@with_settings
@json_option
def upgrade(loaded: Loaded, *, as_json: bool) -> None:
    """Bring the data up to this version, after all servers of earlier versions have stopped.

    It creates missing tables and indexes, and gives every stored item the keys that are new. The
    new version may be running meanwhile. If it is interrupted, run it again: it continues where it
    was. With the embedded engine, starting Commonroom does this itself.
    """

    def report(line: str) -> None:
        if not as_json:
            click.echo(line)

    counts = asyncio.run(_upgrade(loaded.settings, report))
    print_result({"filled": counts}, "The data is complete.", as_json=as_json)


@command.command("template")
@with_settings
def template(loaded: Loaded) -> None:
    """Print a CloudFormation template of all tables; it needs no credentials."""
    from commonroom.model import MODEL
    from commonroom.open_store import require_dynamodb

    with require_dynamodb():
        from commonroom.store.dynamodb import cloudformation_template
    stack = cloudformation_template(MODEL.tables)
    stack["Parameters"]["Prefix"]["Default"] = loaded.settings.dynamodb_prefix
    print_json(stack)


async def _create(settings: Settings) -> list[str]:
    from commonroom.model import MODEL
    from commonroom.open_store import open_store, upgrade_of

    async with open_store(settings, create=True) as store:
        created = await store.engine.create_tables(MODEL.tables)
        await upgrade_of(store).record_first_tables()
        return created


async def _upgrade(settings: Settings, report: Callable[[str], None]) -> dict[str, int]:
    """Returns the items that were looked at, by table."""
    from commonroom.open_store import open_store, upgrade_of

    counts: dict[str, int] = {}
    last_line = ""

    def progress(name: str, done: int, total: int) -> None:
        nonlocal last_line
        counts[name] = done
        line = f"Filling keys of {name}: {done * 100 // total if total else 100} %"
        if line != last_line:
            last_line = line
            report(line)

    async with open_store(settings, create=True) as store:
        await upgrade_of(store).run(report, progress)
    return counts
