"""Search for programs: what everybody may find."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from commonroom.errors import InvalidField, RateLimited
from commonroom.http.access import Need
from commonroom.http.operations import Operations
from commonroom.http.request import Request
from commonroom.joins.search_kinds import SearchHit as FoundDocument
from commonroom.search.find import address_of, count_search, find, kinds_in
from commonroom.search.index import SearchUnavailable
from commonroom.search.marking import TextSpan, snippet, title_parts
from commonroom.search.queries import MAX_HITS, SearchQuery

MAX_OFFSET = 10_000

Year = Annotated[int, Meta(ge=0, le=9999)]
KindName = Annotated[
    str,
    Meta(
        max_length=20,
        description="`film`, `show`, `list` or `curator`; for people with an account also "
        "`hangout`, `group`, `shareable` or `person`.",
    ),
]
GenreName = Annotated[str, Meta(max_length=50, description="By its English name, such as `Drama`.")]


api = Operations("Search")


class SearchParameters(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What to look for, and among what."""

    q: Annotated[
        str, Meta(max_length=MAX_OFFSET, description="Any text; its first 200 characters count.")
    ] = ""
    kind: KindName | None = None
    year_from: Year | None = None
    year_to: Year | None = None
    genre: GenreName | None = None
    limit: Annotated[int, Meta(ge=1, le=MAX_HITS, description="Maximum number.")] = 20


class SearchHitView(Struct, frozen=True):
    """Something that was found."""

    kind: str
    id: str
    title: str
    title_parts: Annotated[
        tuple[TextSpan, ...], Meta(description="The title in parts, of which some match.")
    ]
    snippet: Annotated[
        tuple[TextSpan, ...], Meta(description="What matches besides the title; often empty.")
    ]
    address: Annotated[str, Meta(description="Path of its page.")]
    year: int | None
    genres: tuple[str, ...]


class Results(Struct, frozen=True):
    """What was found, the best first."""

    items: list[SearchHitView]


@api.get("/search", Need.ANYONE, errors=[RateLimited, SearchUnavailable, InvalidField])
async def search(request: Request, searching: SearchParameters) -> Results:
    """Search films, shows, public lists and curators, and what is yours, the best first.

    People with an account also find their hangouts, groups and shareables and the people in their
    household and groups; nobody finds what they may not see.

    Every word must begin a word of the title, of a name or of the description. Accents, case and
    spaces do not count; where few things match, words with a typo or two do. The very title comes
    first, then titles that begin with the text, then the rest; of equals the more popular.
    """
    count_search(request)
    known = list(dict.fromkeys(one.kind for one in kinds_in(request)))
    if searching.kind is not None and searching.kind not in known:
        raise InvalidField("kind", f"Use one of: {', '.join(known)}.")
    query = SearchQuery(
        text=searching.q,
        kinds=() if searching.kind is None else (searching.kind,),
        year_from=searching.year_from,
        year_to=searching.year_to,
        genres=() if searching.genre is None else (searching.genre,),
        limit=searching.limit,
    )
    return Results([_found(one) for one in await find(request, query)])


def _found(found: FoundDocument) -> SearchHitView:
    document, hit = found.document, found.hit
    return SearchHitView(
        kind=found.kind.kind,
        id=document.id,
        title=document.title,
        title_parts=title_parts(hit),
        snippet=snippet(hit),
        address=address_of(found),
        year=document.year,
        genres=document.genres,
    )
