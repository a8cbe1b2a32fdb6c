"""Where a page of what was found ended.

A position holds only what its page showed, so it is not sealed as other cursors are: whoever
changes one begins elsewhere in what they may see anyway.
"""

from __future__ import annotations

import base64
import binascii
from hashlib import sha256

import msgspec

from commonroom.library.rules.searching import Ranked, Sought
from commonroom.store.errors import BadCursor

_REFUSED = "This link belongs to another search. Please start again."


def sealed(last: Ranked, what: Sought) -> str:
    """A cursor that only the same search takes."""
    raw = msgspec.msgpack.encode((_search(what), last))
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def opened(cursor: str, what: Sought) -> Ranked:
    """The last that was shown."""
    try:
        raw = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
        search, last = msgspec.msgpack.decode(raw, type=tuple[bytes, Ranked])
    except (binascii.Error, ValueError, msgspec.MsgspecError) as error:
        raise BadCursor(_REFUSED) from error
    if search != _search(what):
        raise BadCursor(_REFUSED)
    return last


def _search(what: Sought) -> bytes:
    return sha256(msgspec.msgpack.encode(what)).digest()[:8]
