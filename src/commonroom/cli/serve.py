"""`commonroom serve`: the web application."""

from __future__ import annotations

import asyncio
from functools import partial

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
    address when it answers. While there is no account, it also prints the page that makes the
    first one, with the code that this needs from elsewhere than this machine.
    """
    from commonroom.house.processes import serve_in_processes
    from commonroom.house.server import serve

    serving = serve if loaded.settings.workers == 1 else serve_in_processes
    public = loaded.settings.public_address
    asyncio.run(serving(loaded.settings, ready=partial(_ready, public)))


def _ready(public: str, address: str, first_visit: str | None) -> None:
    click.echo(f"Commonroom answers at {address}")
    if first_visit is not None:
        click.echo(
            f"Nobody lives here yet. Make the first account: {public or address}{first_visit}"
        )
