"""Fuzzy matches: words of the index within a typo or two of the typed one."""

from __future__ import annotations

from collections.abc import Iterator

import apsw
import msgspec

from commonroom.search.queries import typos_allowed
from commonroom.search.typos import MAX_BEGINNING, keys, nearest

MAX_MEANT = 16
MAX_WORDS = 500
"""How many words are compared with one."""
LAST_LETTER = "\U0010ffff"

SIMILAR = """
SELECT DISTINCT beginning FROM beginnings WHERE key IN (SELECT value FROM json_each(?)) LIMIT ?
"""
WITH_PREFIX = "SELECT word FROM words WHERE word >= ? AND word < ? LIMIT ?"


def fuzzy_matches(connection: apsw.Connection, word: str) -> list[tuple[int, str]]:
    """Returns number of typos and prefix of the words that may be meant by one, nearest first."""
    most = typos_allowed(word)
    if not most:
        return []
    found = {nearest(word, other, most) for other in _similar(connection, word)}
    return sorted(one for one in found if 0 < one[0] <= most)[:MAX_MEANT]


def _similar(connection: apsw.Connection, word: str) -> Iterator[str]:
    """Yields what to compare a word with: words of the index, or their prefixes."""
    wanted = msgspec.json.encode(sorted(keys(word[:MAX_BEGINNING]))).decode()
    found = connection.execute(SIMILAR, (wanted, MAX_WORDS))
    similar = [str(beginning) for (beginning,) in found]
    if len(word) < MAX_BEGINNING:
        # A letter may be missing: then the last one that was typed follows.
        yield from (beginning + word[-1] for beginning in similar)
        return
    for beginning in similar:
        words = connection.execute(WITH_PREFIX, (beginning, beginning + LAST_LETTER, MAX_WORDS))
        yield from (str(found) for (found,) in words)
