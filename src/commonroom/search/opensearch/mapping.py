"""The mapping of an OpenSearch index, and a document as it is stored in it.

Words are folded already, by the same code as in the embedded index, so OpenSearch only parts them
at spaces and analyses nothing.
"""

from __future__ import annotations

from typing import Any

import msgspec

from commonroom.search.documents import Document, DocumentKey
from commonroom.search.queries import genre_facet, year_facets
from commonroom.search.typos import MAX_COMPARED, MIN_COMPARED
from commonroom.search.words import document_wholes, document_words

FORMAT = 3
"""Part of what is declared: another one is another index."""

_WORDS = {
    "type": "text",
    "analyzer": "whitespace",
    "norms": False,
    "index_options": "docs",
    "index_prefixes": {"min_chars": 1, "max_chars": 4},
}
INDEX: dict[str, Any] = {
    "settings": {
        "index": {
            "number_of_shards": 1,
            "auto_expand_replicas": "0-1",
            # How long it is remembered that a document is gone: others may still want to write it.
            "gc_deletes": "1h",
        }
    },
    "mappings": {
        "dynamic": "strict",
        "properties": {
            "key": {"type": "keyword"},
            "kind": {"type": "keyword"},
            "whole": {"type": "keyword"},
            "title": _WORDS,
            "names": _WORDS,
            "words": {**_WORDS, "index_prefixes": {"min_chars": 3, "max_chars": 5}},
            "title_beginnings": {"type": "keyword"},
            "names_beginnings": {"type": "keyword"},
            "facets": {"type": "keyword"},
            "audience": {"type": "keyword"},
            "popularity": {"type": "integer"},
            "document": {"type": "object", "enabled": False},
        },
    },
}
EVERYBODY = "everybody"
"""The audience of what everybody may find; tokens have a `#`."""
STATE_INDEX: dict[str, Any] = {
    "settings": {"index": {"number_of_shards": 1, "auto_expand_replicas": "0-1"}},
    "mappings": {
        "dynamic": "strict",
        "properties": {"state": {"type": "object", "enabled": False}},
    },
}


def key_text(key: DocumentKey) -> str:
    """Returns a document's key as one text: its id in OpenSearch."""
    return "#".join(key)


def key_of(text: str) -> DocumentKey:
    """Returns the key again."""
    kind, _, document_id = text.partition("#")
    return kind, document_id


def stored(document: Document) -> dict[str, Any]:
    """Returns a document as it is stored."""
    title, names, words = document_words(document)
    # A word with a typo is compared with so many beginnings, which must not be those of others.
    begun = ([], []) if document.audience else (_beginnings(title), _beginnings(names))
    return {
        "key": key_text(document.key),
        "kind": document.kind,
        "whole": document_wholes(document),
        "title": " ".join(title),
        "names": " ".join(names),
        "words": " ".join(words),
        "title_beginnings": begun[0],
        "names_beginnings": begun[1],
        "facets": [*map(genre_facet, document.genres), *year_facets(document.year)],
        "audience": list(document.audience) or [EVERYBODY],
        "popularity": document.popularity,
        "document": msgspec.to_builtins(document),
    }


def _beginnings(words: list[str]) -> list[str]:
    """What words begin with, and the words: a word with a typo is compared with all of these."""
    found = {
        word[:length]
        for word in words
        for length in (*range(MIN_COMPARED, MAX_COMPARED + 1), len(word))
        if MIN_COMPARED <= length <= len(word)
    }
    return sorted(found)
