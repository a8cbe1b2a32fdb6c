"""Commonroom as people have it installed: without the libraries that only our tools bring along.

python -m benchmarks.installed HIDDEN COMMAND…

Libraries use whatever they know and find, such as Pydantic, which FastAPI brings along.
"""

from __future__ import annotations

import sys


def main() -> None:
    """Runs a command as if the hidden modules were not there; they have commas between them."""
    hidden, *sys.argv[1:] = sys.argv[1:]
    sys.modules.update(dict.fromkeys(hidden.split(",")))  # type: ignore[arg-type] # no module: none there
    from commonroom.cli import main

    main()


if __name__ == "__main__":
    main()
