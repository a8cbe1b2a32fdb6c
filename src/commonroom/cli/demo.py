"""`commonroom demo`: a small world to look around in."""

from __future__ import annotations

import asyncio
import time

import click

from commonroom.cli.options import with_settings
from commonroom.settings import Loaded, Settings


@click.command("demo")
@with_settings
def command(loaded: Loaded) -> None:
    """Fill an empty installation with demonstration data.

    It refuses an installation that is in use. Everyone in it has the same password, which is
    printed.
    """
    address, password = asyncio.run(_seed(loaded.settings))
    click.echo(f"A family of four and two friends were added. Sign in as {address},")
    click.echo(f"with the password “{password}”.")


async def _seed(settings: Settings) -> tuple[str, str]:
    from commonroom.accounts.demo import PASSWORD
    from commonroom.house.demo import seed_demo
    from commonroom.open_store import open_store

    async with open_store(settings, create=True) as store:
        world = await seed_demo(store, time.time())
    return world.maya.email or "", PASSWORD
