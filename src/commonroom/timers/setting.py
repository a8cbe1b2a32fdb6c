"""Setting a timer: it is written like anything else, best together with its reason."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b

import msgspec

from commonroom.moments import iso
from commonroom.timers.tables import Timer


def timer(
    kind: str,
    at: float,
    about: Mapping[str, str],
    id: str | None = None,  # noqa: A002 - the word for it
) -> Timer:
    """Something to be done at a moment; `store.put` of it goes into the caller's own transaction.

    The same kind, `id` (or, without one, the same `about`) and moment are the same timer, so that
    writing it twice is harmless; deleting it takes it back while it waits for its moment.
    """
    same = msgspec.json.encode([kind, sorted(about.items()) if id is None else id])
    return Timer(
        timer_id=blake2b(same, digest_size=16).hexdigest(),
        kind=kind,
        about=dict(about),
        due_at=iso(at),
    )
