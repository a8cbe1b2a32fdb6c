"""The tables of the index file, and what of a document stands in which column."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from commonroom.search.documents import MAX_POPULAR, Document
from commonroom.search.queries import audience_facet, genre_facet, year_facets
from commonroom.search.words import document_wholes, document_words

APPLICATION_ID = 0x434D5246  # "CMRF": tells the index from the data file, and from other programs'
FORMAT = 3
"""Raised with every change of the tables, or of what `words` makes of a text."""

# Documents stand by kind, and those of a kind in the order of popularity, because FTS5 gives what
# it finds in the order of rowids: the best twenty are the first twenty. What has an audience stands
# behind all that has none, of whatever kind it is, so that neither is looked for among the other.
# `texts` is apart from `titles`, so that the many words of descriptions do not slow down the few of
# titles. `words` and `beginnings` find what may be meant by a word with a typo; they know no word
# that is not for everybody.
TABLES = """
CREATE TABLE documents (
    place INTEGER PRIMARY KEY,
    whole TEXT, title TEXT, names TEXT, facets TEXT, words TEXT, body BLOB
);
CREATE TABLE places (
    kind TEXT, id TEXT, version INTEGER NOT NULL, place INTEGER UNIQUE, PRIMARY KEY (kind, id)
) WITHOUT ROWID;
CREATE VIRTUAL TABLE titles USING fts5(
    whole, title, names, facets, content = 'documents', content_rowid = 'place',
    tokenize = 'ascii', prefix = '1 2 3 4', detail = 'column'
);
CREATE VIRTUAL TABLE texts USING fts5(
    words, facets, content = 'documents', content_rowid = 'place',
    tokenize = 'ascii', detail = 'column'
);
INSERT INTO titles (titles, rank) VALUES ('secure-delete', 1);
INSERT INTO texts (texts, rank) VALUES ('secure-delete', 1);
CREATE TABLE kinds (number INTEGER PRIMARY KEY, kind TEXT, UNIQUE (kind, number));
CREATE TABLE words (word TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE beginnings (key TEXT, beginning TEXT, PRIMARY KEY (key, beginning)) WITHOUT ROWID;
CREATE TABLE state (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
"""

PLACES = 1 << 28
"""How many documents of one kind and popularity have room."""
PLACES_OF_KIND = PLACES * (MAX_POPULAR + 1)
FIRST_PRIVATE_KIND = 1 << 20
"""From this number on, kinds are of documents with an audience."""
FIRST_PRIVATE = FIRST_PRIVATE_KIND * PLACES_OF_KIND
"""From this place on, documents have an audience."""

_encode = msgspec.msgpack.Encoder().encode
_decoder = msgspec.msgpack.Decoder(Document)


class DocumentRow(Struct, frozen=True):
    """A document as it is stored; words are folded already, and the tokenizer only parts them."""

    whole: str
    title: str
    names: str
    facets: str
    words: str
    """Those of the description, and all others too."""
    body: bytes

    @property
    def telling(self) -> set[str]:
        """The words that may be meant by one with a typo."""
        return {*self.title.split(), *self.names.split()}


def row_of(document: Document) -> DocumentRow:
    """Returns the row of a document."""
    title, names, words = document_words(document)
    facets = [
        *map(genre_facet, document.genres),
        *year_facets(document.year),
        *map(audience_facet, document.audience),
    ]
    return DocumentRow(
        whole=" ".join(document_wholes(document)),
        title=" ".join(title),
        names=" ".join(names),
        facets=" ".join(facets),
        words=" ".join(words),
        body=_encode(document),
    )


def decode(body: bytes) -> Document:
    """Returns the document of a row."""
    return _decoder.decode(body)


def first_place(kind_number: int, popularity: int) -> int:
    """Returns where the documents of a kind and a popularity begin."""
    return kind_number * PLACES_OF_KIND + (MAX_POPULAR - popularity) * PLACES
