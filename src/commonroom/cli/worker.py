"""`commonroom worker`: what happens after changes, apart from the web application."""

from __future__ import annotations

import asyncio
import signal

import click

from commonroom.cli.options import with_settings
from commonroom.settings import Loaded, Settings


@click.command("worker")
@with_settings
def command(loaded: Loaded) -> None:
    """Run what follows from changes, apart from the web application.

    Copies are carried to where they stand, and expired things swept out. With the embedded engine
    `commonroom serve` does this itself. On DynamoDB run one or more of these beside the servers;
    they share the work.
    """
    asyncio.run(_work(loaded.settings))


async def _work(settings: Settings) -> None:
    from commonroom.house.consumers import consumers
    from commonroom.model import MODEL
    from commonroom.opening import opened, require_tables
    from commonroom.store.streams import Worker

    async with opened(settings) as store:
        await require_tables(store, MODEL.tables)
        worker = Worker(store, consumers())
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, worker.stop)
        click.echo("Commonroom follows changes; stop it with Ctrl-C.")
        await worker.run()
