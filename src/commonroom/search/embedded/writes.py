"""Writing to the index file: documents take their place, and words their keys for typos."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import apsw

from commonroom.search.documents import Document, DocumentKey
from commonroom.search.embedded.fuzzy import LAST_LETTER
from commonroom.search.embedded.schema import (
    FIRST_PRIVATE,
    FIRST_PRIVATE_KIND,
    PLACES,
    first_place,
    row_of,
)
from commonroom.search.typos import beginnings, keys

BODY = "SELECT body FROM documents WHERE place = ?"
PUT_DOCUMENT = """
INSERT INTO documents (place, whole, title, names, facets, words, body)
VALUES (?, ?, ?, ?, ?, ?, ?)
"""
PUT_TITLE = "INSERT INTO titles (rowid, whole, title, names, facets) VALUES (?, ?, ?, ?, ?)"
PUT_TEXT = "INSERT INTO texts (rowid, words, facets) VALUES (?, ?, ?)"
DELETE = (
    "DELETE FROM titles WHERE rowid = ?",
    "DELETE FROM texts WHERE rowid = ?",
    "DELETE FROM documents WHERE place = ?",
)

KIND_NUMBER = "SELECT number FROM kinds WHERE kind = ? AND number >= ? AND number < ?"
MAX_NUMBER = "SELECT max(number) FROM kinds WHERE number >= ? AND number < ?"
WITH_WORD = "SELECT rowid FROM titles WHERE titles MATCH ? AND rowid < ? LIMIT 1"


class IndexWriter:
    """Changes documents in a transaction of the caller's; a change of an older version is none."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def put(self, document: Document, version: int) -> None:
        """Adds or replaces a document, unless a newer version of it is there."""
        if not self._is_newer(document.key, version):
            return
        row = row_of(document)
        place = self._place_of(document.key)
        if place is not None and self._get(BODY, place) == row.body:
            self._set_place(document.key, version, place)
            return
        before = self._take_out(place)
        place = self._free_place(document)
        columns = (row.whole, row.title, row.names, row.facets, row.words)
        self._connection.execute(PUT_DOCUMENT, (place, *columns, row.body))
        self._connection.execute(PUT_TITLE, (place, *columns[:4]))
        self._connection.execute(PUT_TEXT, (place, row.words, row.facets))
        self._set_place(document.key, version, place)
        after = set() if document.audience else row.telling
        self._learn(after - before)
        self._forget(before - after)

    def delete(self, key: DocumentKey, version: int) -> None:
        """Takes a document out, and remembers as of which version it is gone."""
        if self._is_newer(key, version):
            words = self._take_out(self._place_of(key))
            self._set_place(key, version, None)
            self._forget(words)

    def _is_newer(self, key: DocumentKey, version: int) -> bool:
        known = self._get("SELECT version FROM places WHERE kind = ? AND id = ?", *key)
        return known is None or known <= version

    def _place_of(self, key: DocumentKey) -> int | None:
        place: int | None = self._get("SELECT place FROM places WHERE kind = ? AND id = ?", *key)
        return place

    def _take_out(self, place: int | None) -> set[str]:
        """Takes a document out of the index; gives the words that everybody may be shown of it."""
        if place is None:
            return set()
        title, names = self._get("SELECT title, names FROM documents WHERE place = ?", place)
        # FTS5 looks at the document to learn which words go, so that one goes last.
        for statement in DELETE:
            self._connection.execute(statement, (place,))
        return {*title.split(), *names.split()} if place < FIRST_PRIVATE else set()

    def _set_place(self, key: DocumentKey, version: int, place: int | None) -> None:
        self._connection.execute(
            "INSERT OR REPLACE INTO places (kind, id, version, place) VALUES (?, ?, ?, ?)",
            (*key, version, place),
        )

    def _free_place(self, document: Document) -> int:
        first = first_place(self._kind_number(document), document.popularity)
        last = self._get(
            "SELECT max(place) FROM places WHERE place >= ? AND place < ?", first, first + PLACES
        )
        return first if last is None else int(last) + 1

    def _kind_number(self, document: Document) -> int:
        first = FIRST_PRIVATE_KIND if document.audience else 0
        last = first + FIRST_PRIVATE_KIND
        known: int | None = self._get(KIND_NUMBER, document.kind, first, last)
        if known is not None:
            return known
        highest: int | None = self._get(MAX_NUMBER, first, last)
        number = first if highest is None else highest + 1
        self._connection.execute("INSERT INTO kinds VALUES (?, ?)", (number, document.kind))
        return number

    def _learn(self, words: Iterable[str]) -> None:
        """Makes words known, and what they begin with."""
        for word in words:
            begun = beginnings(word)
            if not (begun and self._add("INSERT OR IGNORE INTO words VALUES (?)", word)):
                continue
            for one in begun:
                # Whatever begins so has brought all of its keys along.
                if self._add("INSERT OR IGNORE INTO beginnings VALUES (?, ?)", one, one):
                    self._connection.executemany(
                        "INSERT OR IGNORE INTO beginnings VALUES (?, ?)",
                        [(key, one) for key in keys(one)],
                    )

    def _forget(self, words: Iterable[str]) -> None:
        """Lets go of words that no document has any more, and of what only they began with."""
        for word in words:
            begun = beginnings(word)
            if not begun or self._has_document(word):
                continue
            self._connection.execute("DELETE FROM words WHERE word = ?", (word,))
            for one in begun:
                if not self._begins_word(one):
                    self._connection.executemany(
                        "DELETE FROM beginnings WHERE key = ? AND beginning = ?",
                        [(key, one) for key in keys(one)],
                    )

    def _has_document(self, word: str) -> bool:
        match = f'{{title names}} : "{word}"'
        return self._get(WITH_WORD, match, FIRST_PRIVATE) is not None

    def _begins_word(self, beginning: str) -> bool:
        found = self._get(
            "SELECT word FROM words WHERE word >= ? AND word < ? LIMIT 1",
            beginning,
            beginning + LAST_LETTER,
        )
        return found is not None

    def _add(self, statement: str, *values: str) -> bool:
        self._connection.execute(statement, values)
        return bool(self._connection.changes())

    def _get(self, statement: str, *values: str | int) -> Any:
        return self._connection.execute(statement, values).get
