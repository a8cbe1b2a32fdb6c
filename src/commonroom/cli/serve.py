"""`commonroom serve`: the web application."""

from __future__ import annotations

import asyncio

import click

from commonroom.cli.options import with_settings
from commonroom.settings import Loaded


@click.command("serve")
@click.option("--host", metavar="ADDRESS", help="The address to listen at.")
@click.option("--port", type=click.IntRange(1, 65535), help="The port to listen at.")
@click.option("--workers", type=click.IntRange(1, 64), help="How many processes answer requests.")
@with_settings
def command(loaded: Loaded) -> None:
    """Start Commonroom.

    It makes its data folder, its secrets and its data file if there are none, and prints its
    address when it answers.
    """
    from commonroom.house.processes import serve_in_processes
    from commonroom.house.server import serve

    serving = serve if loaded.settings.workers == 1 else serve_in_processes
    asyncio.run(serving(loaded.settings, ready=_ready))


def _ready(address: str) -> None:
    click.echo(f"Commonroom answers at {address}")
