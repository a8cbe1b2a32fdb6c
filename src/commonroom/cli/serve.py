"""`commonroom serve`: the web application."""

from __future__ import annotations

import asyncio
import gc
from functools import partial

import click

from commonroom.cli.options import with_settings
from commonroom.settings import Loaded


@click.command("serve")
@click.option("--host", metavar="ADDRESS", help="The address to listen on.")
@click.option("--port", type=click.IntRange(1, 65535), help="The port to listen on.")
@click.option(
    "--workers", type=click.IntRange(1, 64), help="Number of processes that answer requests."
)
@with_settings
def command(loaded: Loaded) -> None:
    """Start Commonroom.

    It creates its data folder, secrets and data file if there are none, and prints its address
    when it is ready. While there is no account, it also prints the link to create the first one,
    with the code that is needed from any other machine.
    """
    # While everything is loaded there is little to collect, and looking for it takes a tenth of the
    # time; once it answers, the server goes on with that.
    gc.disable()
    from commonroom.house.processes import serve_in_processes
    from commonroom.house.server import serve

    serving = serve if loaded.settings.workers == 1 else serve_in_processes
    public = loaded.settings.public_address
    asyncio.run(serving(loaded.settings, ready=partial(_ready, public)))


def _ready(public: str, address: str, first_visit: str | None) -> None:
    click.echo(f"Commonroom answers at {address}")
    if first_visit is not None:
        click.echo(
            f"There is no account yet. Create the first one: {public or address}{first_visit}"
        )
