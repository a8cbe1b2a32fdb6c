"""Documents: what search knows of a thing, and how things that are stored become documents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from commonroom.store import Entity, Ref

MAX_POPULAR = 1000
MAX_TITLE = 300
MAX_TEXT = 2000
MAX_NAMES = 40
MAX_ALIASES = 20
MAX_AUDIENCE = 100

DocumentKey: TypeAlias = tuple[str, str]
"""Its kind and its id."""


class Document(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that can be found, with all that a result shows of it."""

    kind: str
    """Such as `film` or `list`; results are grouped by it."""
    id: str
    title: str
    address: str
    """The page that it leads to."""
    aliases: tuple[str, ...] = ()
    """What it is called besides, such as an original title or an id: as good as its title."""
    names: tuple[str, ...] = ()
    """What it is found by after its title: the words of other titles, people, tags."""
    text: str = ""
    """What it is found by after that: a synopsis or a description."""
    year: int | None = None
    genres: tuple[str, ...] = ()
    """By their English names."""
    popularity: int = 0
    """From 0 to 1000; of two that match equally well, the higher one comes first."""
    audience: tuple[str, ...] = ()
    """Who finds it: tokens such as `group#…`, of which the caller has one; empty: everybody."""
    facts: Mapping[str, str] = {}
    """What a result shows besides, such as the number of titles of a list; nobody finds it by
    these."""

    @property
    def key(self) -> DocumentKey:
        """What tells it from all others."""
        return self.kind, self.id


def bounded(document: Document) -> Document:
    """Returns a document with no more of anything than an index takes."""
    return replace(
        document,
        title=document.title[:MAX_TITLE],
        aliases=tuple(alias[:MAX_TITLE] for alias in document.aliases[:MAX_ALIASES]),
        names=tuple(name[:MAX_TITLE] for name in document.names[:MAX_NAMES]),
        text=document.text[:MAX_TEXT],
        genres=document.genres[:MAX_NAMES],
        audience=tuple(sorted(set(document.audience)))[:MAX_AUDIENCE],
        popularity=max(0, min(document.popularity, MAX_POPULAR)),
    )


def nothing_builtin() -> Mapping[str, Document]:
    """No documents of things that are not stored."""
    return {}


class Searchable(Struct, frozen=True, kw_only=True, eq=False):
    """How the things of one entity become documents of one kind: a room's declaration."""

    kind: str
    entity: type[Entity]
    id_field: str
    """The field of the entity that is the document's id, and all that its key is made of."""
    document: Callable[[Any], Document | None]
    """The document of a thing as it is stored; None where nobody is to find it. Pure."""
    builtin: Callable[[], Mapping[str, Document]] = nothing_builtin
    """Documents of things that need not be stored, by id; what is stored goes before them."""
    can_be_hidden: bool = False
    """Whether what is public may become private: then a result is read again before it is shown."""
    is_private: bool = False
    """Whether each of its documents has an audience; one that has none is nobody's to find."""

    @property
    def is_read_again(self) -> bool:
        """Whether a result is read again before it is shown: it may be hidden by now."""
        return self.can_be_hidden or self.is_private

    def ref(self, document_id: str) -> Ref[Entity]:
        """Returns where the thing of a document is stored."""
        return self.entity.at(**{self.id_field: document_id})

    def id_of(self, thing: Entity) -> str:
        """Returns the id of the document of a thing."""
        document_id: str = getattr(thing, self.id_field)
        return document_id

    def document_of(self, document_id: str, thing: Entity | None) -> Document | None:
        """The document for an id, given what is stored there now; None where there is none."""
        found = self.builtin().get(document_id) if thing is None else self.document(thing)
        if found is None or (self.is_private and not found.audience):
            return None
        return bounded(found)
