"""A process that indexes everything, or follows changes, until it is killed.

`python -m … <store file> <index file> <reindex|follow>`; it says what it does, line by line.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from commonroom.model import MODEL
from commonroom.search.embedded.engine import EmbeddedIndex
from commonroom.search.reindexing import reindex
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.streams import Worker
from tests.search.things import indexer_of


def say_page(*_: object) -> None:
    print("page", flush=True)


async def main(store_file: Path, index_file: Path, what: str) -> None:
    store = Store(EmbeddedEngine(store_file, MODEL.tables))
    indexer = indexer_of(store, EmbeddedIndex(index_file))
    if what == "follow":
        print("following", flush=True)
        await Worker(store, [indexer.consumer], lease_seconds=1.0).run()
    # What whoever was killed held is free at once.
    if await reindex(indexer, say_page) is not None:
        print("done", flush=True)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]))
