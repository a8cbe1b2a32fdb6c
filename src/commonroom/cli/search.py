"""`commonroom search`: building the search index anew."""

from __future__ import annotations

import asyncio

import click

from commonroom.cli.options import json_option, with_settings
from commonroom.cli.output import count_progress, print_result
from commonroom.settings import Loaded, Settings


@click.group("search")
def command() -> None:
    """Rebuild the search index."""


@command.command("reindex")
@with_settings
@json_option
def reindex(loaded: Loaded, *, as_json: bool) -> None:
    """Index everything that can be found anew, while Commonroom is running or not.

    Nobody notices: searches are answered meanwhile. If it is interrupted, run it again: it
    continues where it was. A server does this itself where the index is missing, damaged, or of
    another version.
    """
    documents = asyncio.run(_reindex(loaded.settings, quiet=as_json))
    said = f"The search index is complete: {documents:,} documents."
    print_result({"documents": documents}, said, as_json=as_json)


async def _reindex(settings: Settings, *, quiet: bool) -> int:
    from commonroom.house.search import open_indexer
    from commonroom.open_store import make_data_folder, open_store, require_tables
    from commonroom.search.index import ReindexUnderWay
    from commonroom.search.reindexing import reindex

    make_data_folder(settings)
    async with open_store(settings, create=True) as store:
        await require_tables(store)
        async with open_indexer(settings, store) as indexer:
            await indexer.index.verify()
            with count_progress("Indexing", quiet=quiet) as progress:
                documents = await reindex(indexer, progress)
    if documents is None:
        raise ReindexUnderWay
    return documents
