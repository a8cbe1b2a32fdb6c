"""An adoption that says when it is at something, and then goes on until it is killed."""

from __future__ import annotations

import os
import sys
import threading

from commonroom.cli import main
from commonroom.store import Store

WRITES = {"adopting": 3, "checking": 20}
"""After how many writes it is in the middle of it."""


def stop_after(doing: str) -> None:
    """Waits for its end, after some writes."""
    written = 0
    write = Store.write

    async def counted(self: Store, *operations: object) -> None:
        nonlocal written
        await write(self, *operations)  # type: ignore[arg-type]
        written += 1
        if written == WRITES[doing]:
            os.write(1, b"there\n")
            threading.Event().wait()  # until it is killed

    Store.write = counted  # type: ignore[method-assign]


if __name__ == "__main__":
    stop_after(sys.argv[1])
    main(["import", "--adopt", *sys.argv[2:], "--json"])
