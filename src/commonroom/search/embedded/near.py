"""Words that somebody may have meant: those of the index within a slip or two of the typed one."""

from __future__ import annotations

from collections.abc import Iterator

import apsw
import msgspec

from commonroom.search.queries import slips_allowed
from commonroom.search.slips import LONGEST_BEGINNING, keys, nearest

MOST_MEANT = 16
MOST_WORDS = 500
"""How many words are compared with one."""
LAST_LETTER = "\U0010ffff"

SIMILAR = """
SELECT DISTINCT beginning FROM beginnings WHERE key IN (SELECT value FROM json_each(?)) LIMIT ?
"""
BEGUN = "SELECT word FROM words WHERE word >= ? AND word < ? LIMIT ?"


def meant_by(connection: apsw.Connection, word: str) -> list[tuple[int, str]]:
    """Slips and beginnings of words that differ from a word by as few as it may; nearest first."""
    most = slips_allowed(word)
    if not most:
        return []
    found = {nearest(word, other, most) for other in _similar(connection, word)}
    return sorted(one for one in found if 0 < one[0] <= most)[:MOST_MEANT]


def _similar(connection: apsw.Connection, word: str) -> Iterator[str]:
    """What is to be compared with a word: words of the index, or what they begin with."""
    wanted = msgspec.json.encode(sorted(keys(word[:LONGEST_BEGINNING]))).decode()
    found = connection.execute(SIMILAR, (wanted, MOST_WORDS))
    similar = [str(beginning) for (beginning,) in found]
    if len(word) < LONGEST_BEGINNING:
        # A letter may be missing: then the last one that was typed follows.
        yield from (beginning + word[-1] for beginning in similar)
        return
    for beginning in similar:
        words = connection.execute(BEGUN, (beginning, beginning + LAST_LETTER, MOST_WORDS))
        yield from (str(found) for (found,) in words)
