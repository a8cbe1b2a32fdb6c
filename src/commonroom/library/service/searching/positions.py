"""Where a page of what was found ended.

A position holds only what its page showed, so it is not sealed as other cursors are: whoever
changes one begins elsewhere in what they may see anyway.
"""

from __future__ import annotations

from hashlib import sha256

import msgspec

from commonroom.library.rules.searching import Ranked, Sought
from commonroom.sealed_tokens import from_base64url, to_base64url
from commonroom.store.errors import BadCursor

_REFUSED = "This link belongs to another search. Please start again."


def sealed(last: Ranked, what: Sought) -> str:
    """A cursor that only the same search takes."""
    return to_base64url(msgspec.msgpack.encode((_search(what), last)))


def opened(cursor: str, what: Sought) -> Ranked:
    """The last that was shown."""
    try:
        raw = from_base64url(cursor)
        search, last = msgspec.msgpack.decode(raw, type=tuple[bytes, Ranked])
    except (ValueError, msgspec.MsgspecError) as error:
        raise BadCursor(_REFUSED) from error
    if search != _search(what):
        raise BadCursor(_REFUSED)
    return last


def _search(what: Sought) -> bytes:
    return sha256(msgspec.msgpack.encode(what)).digest()[:8]
