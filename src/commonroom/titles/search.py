"""Titles that resemble a text, in one order: the index's, from all sources."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Sequence

from msgspec import Struct
from msgspec.structs import asdict

from commonroom.http.request import Request
from commonroom.search.documents import Document
from commonroom.search.hits import IndexHit, Tier
from commonroom.search.index import SearchIndex, SearchUnavailable
from commonroom.search.queries import SearchQuery, Terms, parse
from commonroom.search.ranking import tier_of
from commonroom.search.words import document_wholes, document_words
from commonroom.titles.builtin import known_title
from commonroom.titles.films import Film
from commonroom.titles.missing_titles import read_missing
from commonroom.titles.request import titles_of
from commonroom.titles.search_documents import CONTENT_TYPES, FILMS, KINDS, SHOWS, title_document
from commonroom.titles.service import BOTH
from commonroom.titles.stored_titles import Stored, facts_of, title_ref
from commonroom.titles.title_links import read_link
from commonroom.titles.titles import ContentType, TitleFacts, TitleId

logger = logging.getLogger(__name__)

FILMS_ALONE: tuple[ContentType, ...] = ("MOVIE",)
BUILTIN = {one.kind: one.builtin for one in (FILMS, SHOWS)}


class TitleCandidate(Struct, frozen=True):
    """A title that was found, and how well it matches."""

    document: Document
    tier: Tier
    facts: TitleFacts | None = None
    """What the source says of it; None of what only the index found."""

    @property
    def id(self) -> TitleId:
        """Which title it is."""
        return TitleId(CONTENT_TYPES[self.document.kind], self.document.id)

    @property
    def rank(self) -> tuple[int, int]:
        """By how well it matches, then by popularity; typos stay in the index's order."""
        is_typed = self.tier <= Tier.IN_NAMES
        return self.tier, -self.document.popularity if is_typed else 0


async def search_titles(
    request: Request, text: str, kinds: Collection[ContentType] = BOTH, limit: int = 20
) -> list[TitleFacts]:
    """Titles that resemble a text, or the one that a link or an id names, the best first.

    The source is asked where it knows more than the index. One request where some of what is found
    does not come with Commonroom.
    """
    link = read_link(text)
    query = SearchQuery(
        text=text if link is None else link.alias,
        kinds=tuple(KINDS[one] for one in kinds),
        limit=limit,
    )
    terms = parse(query.text)
    if terms is None:
        return []
    hits = await _hits(request, query)
    found = [TitleCandidate(one.document, one.tier) for one in hits]
    if titles_of(request).films.knows_services or not found:
        from_sources = await _tell(request, text, kinds, limit)
        found += [_candidate(one, terms) for one in from_sources]
    if link is not None:
        found = [one for one in found if one.tier is Tier.SAME_TITLE]
    return (await _facts(request, sorted(found, key=lambda one: one.rank)))[:limit]


async def search_films(request: Request, text: str, limit: int = 20) -> list[Film]:
    """Films that resemble a text, in the same order: those with a number, as movie night has it."""
    found = await search_titles(request, text, FILMS_ALONE, limit)
    return [_film(one) for one in found if one.id.tmdb_id is not None]


def _film(facts: TitleFacts) -> Film:
    return facts if isinstance(facts, Film) else Film(**asdict(facts))


async def _hits(request: Request, query: SearchQuery) -> Sequence[IndexHit]:
    index: SearchIndex | None = request.app.state.get("search")
    if index is None:
        return []
    try:
        return await index.search(query)
    except SearchUnavailable:
        logger.warning("Titles could not be searched in the index.")
        return []


async def _tell(
    request: Request, text: str, kinds: Collection[ContentType], limit: int
) -> Sequence[TitleFacts]:
    """Returns what the source knows of a text, or of an id."""
    titles, link = titles_of(request), read_link(text)
    if link is None:
        return await titles.search(text, kinds, limit)
    if link.imdb_id is not None:
        return (await titles.with_imdb_id(link.imdb_id)).titles
    if link.content_type is None:
        return []
    found = await titles.find(request.store, TitleId(link.content_type, str(link.tmdb_id)))
    return [] if found is None else [found.facts]


def is_called(title: TitleFacts, text: str) -> bool:
    """Whether a title has the name that was typed, or that and its year; not nearly, nor a person.

    Of a link, nothing else is found.
    """
    asked = read_missing(text)
    has_year = asked.year is not None and asked.year == title.year
    names = [text, asked.title] if has_year else [text]
    return read_link(text) is not None or any(_has_name(title, one) for one in names)


def _has_name(title: TitleFacts, text: str) -> bool:
    terms = parse(text)
    tier = None if terms is None else _tier(title_document(title), terms)
    return tier is not None and tier <= Tier.IN_TITLE


def _tier(document: Document, terms: Terms) -> Tier | None:
    """Returns how well a title matches as it was typed; None where it does not."""
    title, names, _ = document_words(document)
    whole = " ".join(document_wholes(document))
    return tier_of(terms, whole, " ".join(title), " ".join(names))


def _candidate(facts: TitleFacts, terms: Terms) -> TitleCandidate:
    """Returns what a source found, ranked as the index would."""
    document = title_document(facts)
    tier = _tier(document, terms)
    if tier is None:
        # TMDB finds by titles in all languages; what comes with Commonroom, by typos.
        tier = Tier.FUZZY_TITLE if facts.vote_count is None else Tier.IN_NAMES
    return TitleCandidate(document, tier, facts)


async def _facts(request: Request, found: Iterable[TitleCandidate]) -> list[TitleFacts]:
    """Returns the facts of what was found, each once, without what is on its way out."""
    unique: dict[TitleId, TitleCandidate] = {}
    for one in found:
        known = unique.setdefault(one.id, one)
        if known.facts is None and one.facts is not None:
            unique[one.id] = TitleCandidate(known.document, known.tier, one.facts)
    read = [id_ for id_, one in unique.items() if one.facts is None and not _is_builtin(one)]
    stored: list[Stored | None] = await request.store.batch_get([title_ref(one) for one in read])
    there = dict(zip(read, stored, strict=True))
    facts = []
    for title, one in unique.items():
        stored_title = there.get(title)
        if stored_title is not None and stored_title.removed_at is None:
            facts.append(facts_of(stored_title))
        elif title not in there and (found_here := one.facts or known_title(title)) is not None:
            facts.append(found_here)
    return _one_of_each(facts)


def _is_builtin(found: TitleCandidate) -> bool:
    """Whether it is as it comes with Commonroom: then nothing is to be read."""
    known = BUILTIN[found.document.kind]().get(found.document.id)
    return known is not None and (known.title, known.year) == (
        found.document.title,
        found.document.year,
    )


def _one_of_each(facts: Sequence[TitleFacts]) -> list[TitleFacts]:
    """Without what a source says of a title that was made here and given its TMDB id."""
    made = {(one.content_type, one.tmdb_id) for one in facts if one.id.tmdb_id is None}
    return [
        one
        for one in facts
        if one.id.tmdb_id is None or (one.content_type, one.tmdb_id) not in made
    ]
