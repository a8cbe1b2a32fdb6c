"""`commonroom worker`: what goes on beside the pages, apart from the web application."""

from __future__ import annotations

import asyncio
import signal

import click

from commonroom.cli.options import with_settings
from commonroom.logs import configure_logging
from commonroom.settings import Loaded, Settings


@click.command("worker")
@with_settings
def command(loaded: Loaded) -> None:
    """Process changes in the background, separately from the web application.

    It updates copies, sends notifications, runs timers and deletes expired items. With the embedded
    engine, `commonroom serve` does this itself. On DynamoDB, run one or more of these next to the
    servers; they share the work.
    """
    settings = loaded.settings
    configure_logging(settings.log_level)
    asyncio.run(_work(settings))


async def _work(settings: Settings) -> None:
    from commonroom.house.running import housekeeping, upgrading
    from commonroom.house.secrets_in_use import noting_secrets
    from commonroom.open_store import open_store, require_tables
    from commonroom.store.identity import identify
    from commonroom.store.streams.workers import giving_signs

    stopped = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    async with open_store(settings) as store:
        await require_tables(store)
        await identify(store)
        async with (
            noting_secrets(store, settings),
            upgrading(store),
            giving_signs(store),
            housekeeping(store, settings) as running,
        ):
            click.echo("Commonroom is processing changes; stop it with Ctrl-C.")
            stopping = asyncio.create_task(stopped.wait())
            await asyncio.wait([running, stopping], return_when=asyncio.FIRST_COMPLETED)
            stopping.cancel()
