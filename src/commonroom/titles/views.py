"""Titles as they are shown: on a page, and to programs."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from commonroom.http.projections import projection
from commonroom.http.times import runtime
from commonroom.http.words import _, pluralize
from commonroom.outgoing.pictures import FetchedPictures
from commonroom.titles.fetched_pictures import title_poster
from commonroom.titles.genres import genre_names
from commonroom.titles.posters import Drawing, drawing_of, poster_address
from commonroom.titles.service import FoundTitle
from commonroom.titles.stored_titles import Stored
from commonroom.titles.streaming_services import SERVICES
from commonroom.titles.titles import Certification, ContentType, ShowStatus, TitleFacts
from commonroom.titles.words import genre_name

MAX_STARS = 5


class SourceRating(Struct, frozen=True):
    """What a source says of a title."""

    average: Annotated[float, Meta(description="Out of ten.")]
    votes: Annotated[
        int | None, Meta(description="How many voted; null where it is Commonroom’s own rating.")
    ]


class PeopleRating(Struct, frozen=True):
    """What people here think of a title."""

    average: Annotated[float | None, Meta(description="Out of ten; null where nobody rated it.")]
    count: int
    spread: Annotated[list[int], Meta(description="How often each rating from 1 to 10 was given.")]


class TitleView(Struct, frozen=True, kw_only=True):
    """A film or show for programs."""

    content_type: ContentType
    content_id: str
    title: str
    other_titles: Annotated[list[str], Meta(description="What it is called besides.")]
    year: int | None
    end_year: int | None
    status: ShowStatus | None
    genres: list[str]
    runtime: Annotated[int | None, Meta(description="Minutes, of a film.")]
    seasons: int | None
    episodes: int | None
    certification: Certification | None
    makers: Annotated[list[str], Meta(description="Who directed the film, or created the show.")]
    cast: list[str]
    synopsis: str | None
    poster: Annotated[
        str | None, Meta(description="Where this server has the poster of its source.")
    ]
    poster_url: Annotated[
        str | None, Meta(description="The address of a picture that an administrator entered.")
    ]
    services: Annotated[
        list[str] | None,
        Meta(description="Streaming services that have it; null where nobody knows."),
    ]
    tmdb_id: int | None
    imdb_id: str | None
    source_rating: SourceRating | None
    rating: PeopleRating
    page: Annotated[str, Meta(description="The address of its page.")]


def title_view(found: FoundTitle) -> TitleView:
    """Returns a title with what people here think of it."""
    return _view(found.facts, people_rating(found.stored))


def people_rating(stored: Stored | None) -> PeopleRating:
    """Returns what people here think of a title, as it is kept with it."""
    if stored is None:
        return PeopleRating(None, 0, [0] * 10)
    spread = [stored.rating_spread.get(str(number), 0) for number in range(1, 11)]
    return PeopleRating(stored.rating, stored.rating_count, spread)


def service_names(facts: TitleFacts) -> list[str]:
    """Returns the streaming services that have a title, by their names."""
    return [SERVICES[slug].name for slug in facts.services or () if slug in SERVICES]


def _source_rating(facts: TitleFacts) -> SourceRating | None:
    if facts.vote_average is None:
        return None
    return SourceRating(facts.vote_average, facts.vote_count)


_view = projection(
    TitleFacts,
    TitleView,
    PeopleRating,
    other_titles=lambda facts: list(facts.other_titles),
    genres=lambda facts: genre_names(facts.genres),
    makers=lambda facts: list(facts.makers),
    cast=lambda facts: list(facts.cast),
    synopsis="overview",
    poster=lambda facts: poster_address(facts.poster_path),
    services=lambda facts: None if facts.services is None else service_names(facts),
    source_rating=_source_rating,
    rating=lambda _, rating: rating,
    page="id.address",
)


class TitleCard(Struct, frozen=True):
    """A title as pages show it; texts are put into words when they are shown."""

    facts: TitleFacts
    fetched: FetchedPictures | None = None
    """What shows a picture at an address that was entered; without it, one is drawn."""

    @property
    def title(self) -> str:
        """What it is called."""
        return self.facts.title

    @property
    def address(self) -> str:
        """Its page."""
        return self.facts.id.address

    @property
    def drawing(self) -> Drawing:
        """What is drawn in place of a poster."""
        return drawing_of(self.facts.title, self.facts.content_type)

    @property
    def poster(self) -> str | None:
        """Where its poster is."""
        if self.fetched is None:
            return poster_address(self.facts.poster_path)
        return title_poster(self.fetched, self.facts)

    @property
    def kind(self) -> str:
        """Film or series."""
        return _("Film") if self.facts.content_type == "MOVIE" else _("Series")

    @property
    def is_made_here(self) -> bool:
        """Whether people here added it, and no source tells of it."""
        return self.facts.id.tmdb_id is None and self.facts.vote_count is None

    @property
    def years(self) -> str | None:
        """When it came out, or from when to when it ran."""
        facts = self.facts
        if facts.year is None or facts.content_type == "MOVIE" or facts.year == facts.end_year:
            return None if facts.year is None else str(facts.year)
        return f"{facts.year}–{facts.end_year or ''}"

    @property
    def line(self) -> list[str]:
        """Years, length and rating for an age, as far as they are known."""
        facts = self.facts
        known = (
            self.years,
            runtime(facts.runtime) if facts.runtime else None,
            facts.seasons and pluralize("%(n)d season", "%(n)d seasons", facts.seasons),
            facts.episodes and pluralize("%(n)d episode", "%(n)d episodes", facts.episodes),
            facts.certification,
            self.status,
        )
        return [fact for fact in known if fact]

    @property
    def status(self) -> str | None:
        """Whether a show continues; what has ended says so by its years."""
        texts = {"ongoing": _("Still running"), "cancelled": _("Cancelled")}
        return texts.get(self.facts.status or "")

    @property
    def genres(self) -> list[str]:
        """Its genres in words."""
        return [genre_name(genre) for genre in self.facts.genres]

    @property
    def services(self) -> list[str]:
        """Where it can be watched."""
        return service_names(self.facts)

    @property
    def is_rated_by_tmdb(self) -> bool:
        """Whether its source counts votes; the built-in catalogue's rating is our own."""
        return self.facts.vote_count is not None

    @property
    def source_score(self) -> str | None:
        """The average of the source, out of ten."""
        return f"{self.facts.vote_average:.1f}" if self.facts.vote_average else None
