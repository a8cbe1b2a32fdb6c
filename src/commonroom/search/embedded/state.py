"""The state that an index file has besides documents: tickets, and how far a reindex has come."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import apsw
import msgspec
from msgspec import Struct
from msgspec.structs import replace

from commonroom.search.embedded.writes import IndexWriter
from commonroom.search.index import (
    LEASE_SECONDS,
    MICROSECONDS,
    IndexState,
    IndexTicket,
    Reindex,
    decode_reindex,
    encode_reindex,
    next_number,
)

DAY_SECONDS = 86_400
REMEMBERED_SECONDS = 3600.0
"""How long it is remembered that a document is gone, for late writers."""
BATCH = 500

LEFT_OVER = "SELECT kind, id FROM places WHERE version < ? AND place IS NOT NULL LIMIT ?"


class IndexCheckpoint(Struct, frozen=True):
    """How far an index has followed the streams by itself, and when it had seen everything."""

    positions: dict[tuple[str, str], str | None] = {}
    """By stream and shard."""
    followed_at: float | None = None


_encode = msgspec.msgpack.Encoder().encode
_decode_places = msgspec.msgpack.Decoder(list[tuple[str, str, str | None]]).decode


def read_state(connection: apsw.Connection) -> IndexState:
    """Returns how an index is doing."""
    return IndexState(
        documents=count_documents(connection),
        declared=str(get_state(connection, "declared") or ""),
        reindex=_reindex(connection),
    )


def count_documents(connection: apsw.Connection) -> int:
    """How many documents there are; an index counts faster than the documents themselves."""
    count: Any = connection.execute("SELECT count(place) FROM places").get
    return int(count)


def get_state(connection: apsw.Connection, name: str) -> Any:
    """Returns one value; None where there is none."""
    return connection.execute("SELECT value FROM state WHERE name = ?", (name,)).get


def read_progress(connection: apsw.Connection) -> IndexCheckpoint:
    """Returns how far the index has followed."""
    places = get_state(connection, "places")
    if places is None:
        return IndexCheckpoint()
    positions = {(stream, shard): position for stream, shard, position in _decode_places(places)}
    return IndexCheckpoint(positions, get_state(connection, "followed_at"))


def is_new_day(connection: apsw.Connection, now: float) -> bool:
    """Whether this is asked for the first time today."""
    today = int(now // DAY_SECONDS)
    if get_state(connection, "day") == today:
        return False
    _set_state(connection, "day", today)
    return True


# What follows is done in a transaction of the caller's.


def set_progress(connection: apsw.Connection, progress: IndexCheckpoint) -> None:
    """Remembers how far the index has followed."""
    places = [(*place, position) for place, position in progress.positions.items()]
    _set_state(connection, "places", _encode(places))
    _set_state(connection, "followed_at", progress.followed_at)


def mark_incomplete(connection: apsw.Connection) -> None:
    """Lets everything be indexed anew; what is there answers until then."""
    _set_state(connection, "declared", "")


def next_ticket(connection: apsw.Connection, generation: str, now: float) -> IndexTicket:
    """Returns the next ticket."""
    number = next_number(int(get_state(connection, "ticket") or 0), now)
    _set_state(connection, "ticket", number)
    return IndexTicket(number, (generation,))


def take_reindex(
    connection: apsw.Connection,
    ticket: IndexTicket,
    declared: str,
    holder: str,
    now: float,
    *,
    has_ended: Callable[[str], bool],
) -> Reindex | None:
    """Begins a reindex, or resumes the one under way; None while another process is at it."""
    known, until = _reindex(connection), now + LEASE_SECONDS
    if known is not None and known.is_held_by_other(holder, now) and not has_ended(known.holder):
        return None
    if known is not None and known.declared == declared:
        reindex = replace(known, holder=holder, leased_until=until)
    else:
        reindex = Reindex(since=ticket.number, declared=declared, holder=holder, leased_until=until)
    _set_state(connection, "reindex", encode_reindex(reindex))
    return reindex


def set_reindex(connection: apsw.Connection, reindex: Reindex) -> None:
    """Remembers how far a reindex has come."""
    _check_held(connection, reindex)
    _set_state(connection, "reindex", encode_reindex(reindex))


def take_out_left_over(connection: apsw.Connection, reindex: Reindex) -> bool:
    """Takes out some of what is older than a reindex; False where there is no more."""
    _check_held(connection, reindex)
    rows = connection.execute(LEFT_OVER, (reindex.since, BATCH)).fetchall()
    writer = IndexWriter(connection)
    for kind, document_id in rows:
        writer.delete((str(kind), str(document_id)), reindex.since)
    return bool(rows)


def end_reindex(connection: apsw.Connection, reindex: Reindex) -> None:
    """Remembers that everything is indexed, and forgets what was gone long before."""
    _check_held(connection, reindex)
    gone_before = reindex.since - int(REMEMBERED_SECONDS * MICROSECONDS)
    connection.execute("DELETE FROM places WHERE place IS NULL AND version < ?", (gone_before,))
    _set_state(connection, "declared", reindex.declared)
    connection.execute("DELETE FROM state WHERE name = 'reindex'")


def _reindex(connection: apsw.Connection) -> Reindex | None:
    stored = get_state(connection, "reindex")
    return None if stored is None else decode_reindex(stored)


def _check_held(connection: apsw.Connection, reindex: Reindex) -> None:
    reindex.check_held(_reindex(connection))


def _set_state(connection: apsw.Connection, name: str, value: str | float | bytes | None) -> None:
    connection.execute("INSERT OR REPLACE INTO state VALUES (?, ?)", (name, value))
