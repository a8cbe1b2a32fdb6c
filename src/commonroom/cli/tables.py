"""`commonroom tables`: creating the tables, here or by CloudFormation."""

from __future__ import annotations

import asyncio

import click

from commonroom.cli.options import json_option, with_settings
from commonroom.cli.output import print_json
from commonroom.settings import Loaded, Settings


@click.group("tables")
def command() -> None:
    """Create the tables, or print them as a CloudFormation template."""


@command.command("create")
@with_settings
@json_option
def create(loaded: Loaded, *, as_json: bool) -> None:
    """Create missing tables and indexes; existing ones are never changed."""
    created = asyncio.run(_create(loaded.settings))
    if as_json:
        print_json({"created": created})
    elif created:
        click.echo(f"Created: {', '.join(created)}.")
    else:
        click.echo("All tables already exist.")


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
    from commonroom.open_store import open_store

    async with open_store(settings, create=True) as store:
        return await store.engine.create_tables(MODEL.tables)
