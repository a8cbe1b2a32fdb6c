"""Titles for programs: one, those that resemble a text, and those that administrators write."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import asdict

from commonroom.accounts.service.throttle import Limit, count_try
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.etags import IfMatch, IfNoneMatch, check_match, tagged
from commonroom.http.operations import Operations
from commonroom.http.request import Request
from commonroom.http.responses import JsonResponse
from commonroom.titles import search
from commonroom.titles.adding import add_missing_title
from commonroom.titles.missing_titles import MissingTitle
from commonroom.titles.request import KINDS, KindInPath, TitleInPath, find_title, titles_of
from commonroom.titles.service import BOTH, MAX_TEXT, FoundTitle
from commonroom.titles.stored_titles import Stored, facts_of
from commonroom.titles.title_edits import edit_stored, make_title, remove_title
from commonroom.titles.title_fields import TitleDraft
from commonroom.titles.titles import Certification, ShowStatus
from commonroom.titles.views import TitleView, title_view

ALL = "/titles"
OF_KIND = f"{ALL}/{{kind:str}}"
ONE = f"{OF_KIND}/{{title_id:str}}"
MAX_FOUND = 20

SEARCHES = Limit("title-search", 240, 600)
"""Of one person: as fast as a person types, and continues for a while."""

PictureAddress: TypeAlias = Annotated[
    str,
    Meta(
        max_length=10_000,
        description="Starts with `https://`. The picture is fetched and shown by this server.",
    ),
]
Name: TypeAlias = Annotated[str, Meta(max_length=1000)]


api = Operations("Films and shows")


class SoughtTitle(Struct, frozen=True, forbid_unknown_fields=True):
    """What to look for."""

    text: Annotated[
        str, Meta(min_length=1, max_length=MAX_TEXT, description="A title, or part of one.")
    ]
    kind: Literal["films", "shows"] | None = None
    limit: Annotated[int, Meta(ge=1, le=MAX_FOUND, description="Maximum number.")] = MAX_FOUND


class FoundTitles(Struct, frozen=True):
    """Titles that resemble a text, the likeliest first."""

    items: list[TitleView]


class AddedTitle(Struct, forbid_unknown_fields=True, kw_only=True):
    """A title that nobody knows here."""

    kind: Literal["films", "shows"] = "films"
    title: Name = ""
    year: int | None = None
    link: Annotated[
        str,
        Meta(max_length=1000, description="To IMDb or TMDB, or an ID such as `tt0113277`."),
    ] = ""


class WrittenTitle(Struct, forbid_unknown_fields=True, kw_only=True):
    """A title as an administrator writes it."""

    title: Name
    other_titles: Annotated[
        list[Name], Meta(max_length=50, description="What it is called besides.")
    ] = []
    year: int | None = None
    end_year: int | None = None
    genres: Annotated[list[Name], Meta(max_length=50)] = []
    runtime: Annotated[int | None, Meta(description="Minutes, of a film.")] = None
    seasons: int | None = None
    episodes: int | None = None
    status: ShowStatus | None = None
    certification: Annotated[Certification | None, Meta(description="Of a film.")] = None
    makers: Annotated[list[Name], Meta(max_length=100)] = []
    cast: Annotated[list[Name], Meta(max_length=100)] = []
    synopsis: Annotated[str, Meta(max_length=20_000)] | None = None
    tmdb_id: int | None = None
    imdb_id: Name | None = None
    poster_url: PictureAddress | None = None


@api.get(ALL, Need.SIGNED_IN, errors=(429,))
async def search_titles(request: Request, sought: SoughtTitle) -> FoundTitles:
    """Find films and shows by title, the likeliest first.

    What TMDB knows is found where a key is set, beside what this server knows. The very title comes
    first, then what begins with it, then the rest; of equals the more popular.
    An original title, an ID or a link of IMDb or TMDB is as good as the title.
    """
    await count_try(request.store, request.now, SEARCHES, request.person.user_id)
    kinds = BOTH if sought.kind is None else (KINDS[sought.kind],)
    found = await search.search_titles(request, sought.text, kinds, sought.limit)
    return FoundTitles([title_view(FoundTitle(one)) for one in found])


@api.post(ALL, Need.NOT_ACTING, errors=(409, 422, 429))
async def add_title(request: Request, ctx: Ctx, body: AddedTitle) -> JsonResponse[TitleView]:
    """Add a film or show that is not in the catalogue, by its title and year or by a link.

    One that is known already, by its link or by kind, title and year, is answered as it is.
    """
    wanted = MissingTitle(
        content_type=KINDS[body.kind], title=body.title, year=body.year, link=body.link
    )
    return _answer(await add_missing_title(request, ctx, wanted), status=201)


@api.get(ONE, Need.ANYONE, errors=(304, 404))
async def get_title(
    request: Request, title: TitleInPath, if_none_match: IfNoneMatch
) -> JsonResponse[TitleView]:
    """Get a film or show, with what people here think of it.

    `kind` is `films` or `shows`. Guests get what this server knows; for them TMDB is not asked.
    """
    return tagged(title_view(await find_title(request, title)), unless=if_none_match)


@api.post(OF_KIND, Need.ADMINISTRATOR, errors=(404, 409, 422))
async def create_title(
    ctx: Ctx, content_type: KindInPath, body: WrittenTitle
) -> JsonResponse[TitleView]:
    """Make a title that no source knows, or one with a TMDB ID that nobody has used yet."""
    return _answer(await make_title(ctx, content_type, _draft(body)), status=201)


@api.patch(ONE, Need.ADMINISTRATOR, errors=(404, 409, 412, 422))
async def edit_title(
    ctx: Ctx, title: TitleInPath, if_match: IfMatch, body: WrittenTitle, request: Request
) -> JsonResponse[TitleView]:
    """Write a title anew; from then on TMDB changes it no more."""
    found, version = await find_title(request, title), None
    if if_match is not None:
        check_match(if_match, title_view(found))
        version = None if found.stored is None else found.stored.version
    return _answer(await edit_stored(ctx, titles_of(request), title, _draft(body), version))


@api.delete(ONE, Need.ADMINISTRATOR, errors=(404, 409))
async def delete_title(ctx: Ctx, title: TitleInPath) -> None:
    """Remove a title that was made here, with all that people said of it."""
    await remove_title(ctx, title)


def _draft(body: WrittenTitle) -> TitleDraft:
    return TitleDraft(**asdict(body))


def _answer(stored: Stored, status: int = 200) -> JsonResponse[TitleView]:
    return tagged(title_view(FoundTitle(facts_of(stored), stored)), status=status)
