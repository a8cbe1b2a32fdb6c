"""What the page of a title shows: one's own opinion, everybody's, reviews, lists that hold it."""

from __future__ import annotations

from msgspec import Struct

from commonroom.http.request import Request
from commonroom.http.words import _, pluralize
from commonroom.joins.title_sections import TitleSection, read_nothing
from commonroom.titles.request import reader_of
from commonroom.titles.service import FoundTitle
from commonroom.titles.stored_titles import Stored
from commonroom.titles.titles import TitleId
from commonroom.titles.views import TitleCard
from commonroom.watchlists.pages.cards import ListCard, list_cards
from commonroom.watchlists.rules.ratings import count_ratings, ratings_of
from commonroom.watchlists.service.discovery import browse
from commonroom.watchlists.service.lists import ListsByTitle, own_lists_by
from commonroom.watchlists.service.ratings import Opinion, load_opinion
from commonroom.watchlists.service.reviews import AttributedReview, see_reviews
from commonroom.watchlists.tables import Watchlist
from commonroom.watchlists.words import star_words

STYLE = "watchlists/opinions.css"
LISTS_STYLE = "watchlists/lists.css"
LISTS = 6
"""How many lists are shown at once: two rows of them at a desk."""


class RatingBar(Struct, frozen=True):
    """How often one rating was given."""

    stars: str
    times: int
    share: int
    """Out of a hundred: of the one that was given most often."""


class RatingsCard(Struct, frozen=True):
    """What everybody here thinks of a title."""

    average: str | None
    """In stars, such as 4.2."""
    count: int
    bars: list[RatingBar]

    @property
    def summary(self) -> str:
        """How many ratings there are."""
        if not self.count:
            return _("No ratings yet")
        return pluralize("%(n)d rating", "%(n)d ratings", self.count)


class OpinionSection(Struct, frozen=True):
    """A title's ratings, and what the caller thinks of it."""

    address: str
    card: TitleCard
    ratings: RatingsCard
    opinion: Opinion | None
    """None for guests."""
    star_names: list[str]
    """By rating; the first is that of none."""

    @property
    def source_summary(self) -> str:
        """Whose rating that of the source is."""
        votes = self.card.facts.vote_count
        if votes is None:
            return _("our own rating")
        return pluralize("%(n)d vote", "%(n)d votes", votes)


class ReviewSection(Struct, frozen=True):
    """What people say about a title."""

    address: str
    reviews: list[AttributedReview]
    cursor: str | None
    viewer_id: str
    is_admin: bool
    star_names: list[str]


class ListSection(Struct, frozen=True):
    """Public lists that hold a title."""

    cards: list[ListCard]
    cursor: str | None


class OwnListSection(Struct, frozen=True):
    """The lists of the caller: those that hold a title, and those to which it can be added."""

    address: str
    holding: list[ListCard]
    others: list[Watchlist]


def ratings_in(stored: Stored | None) -> RatingsCard:
    """Returns the ratings of a title as bars, which it keeps itself: no request."""
    counted = count_ratings([]) if stored is None else ratings_of(stored)
    most = max(counted.spread.values()) or 1
    bars = [
        RatingBar(star_words(number), times, round(100 * times / most))
        for number, times in counted.spread.items()
    ]
    average = None if counted.average is None else f"{counted.average / 2:.1f}"
    return RatingsCard(average, counted.count, bars)


async def prepare_opinion(request: Request, title: TitleId) -> Opinion | None:
    """Reads what the caller thinks of it, by key; nothing for guests."""
    account = reader_of(request)
    if account is None or request.caller.acting_as is not None:
        return None
    return await load_opinion(request.store, account.user_id, title)


async def load_opinions(
    request: Request,  # noqa: ARG001 - as others do
    found: FoundTitle,
    opinion: Opinion | None,
) -> OpinionSection:
    """Returns everybody's ratings, which the title keeps, and the caller's own."""
    return OpinionSection(
        address=found.facts.id.address,
        card=TitleCard(found.facts),
        ratings=ratings_in(found.stored),
        opinion=opinion,
        star_names=star_names(),
    )


async def load_reviews(
    request: Request, found: FoundTitle, _prepared: None
) -> ReviewSection | None:
    """Returns the newest reviews: a query; none for guests, and where nobody has an opinion."""
    account, stored = reader_of(request), found.stored
    if account is None or stored is None:
        return None
    if not stored.rating_count and not stored.unrated_review_count:
        return None
    cursor = request.query_params.get("reviews")
    title = found.facts.id
    page = await see_reviews(request.store, title, cursor=cursor, blocked=account.blocked)
    if not page.items and cursor is None:
        return None
    return ReviewSection(
        address=title.address,
        reviews=page.items,
        cursor=page.cursor,
        viewer_id=account.user_id,
        is_admin=request.caller.is_admin,
        star_names=star_names(),
    )


async def load_lists(request: Request, found: FoundTitle, _prepared: None) -> ListSection | None:
    """Public lists that hold it, newest first: a query, none where nobody has used it yet."""
    if found.stored is None:
        return None
    title, cursor = found.facts.id, request.query_params.get("lists")
    page = await browse(
        request.store, title.content_type, title.content_id, limit=LISTS, cursor=cursor
    )
    if not page.items and page.cursor is None and cursor is None:
        return None
    return ListSection(list_cards(request, page.items), page.cursor)


async def prepare_own_lists(request: Request, title: TitleId) -> ListsByTitle | None:
    """On which of the caller's own lists it is: a query; none for guests and while acting."""
    if reader_of(request) is None or request.caller.acting_as is not None:
        return None
    return await own_lists_by(request.context, title)


async def load_own_lists(
    request: Request, found: FoundTitle, own: ListsByTitle | None
) -> OwnListSection | None:
    """Returns the caller's own lists, as they were prepared."""
    if own is None:
        return None
    holding, others = own
    return OwnListSection(found.facts.id.address, list_cards(request, holding), others)


def star_names() -> list[str]:
    """Returns what each rating is called, by number."""
    return ["", *(star_words(number) for number in range(1, 11))]


TITLE_SECTIONS = (
    TitleSection(
        name="own-lists",
        template="watchlists/title_own_lists.html",
        prepare=prepare_own_lists,
        load=load_own_lists,
        place="beside",
    ),
    TitleSection(
        name="opinions",
        template="watchlists/title_opinions.html",
        prepare=prepare_opinion,
        load=load_opinions,
        place="beside",
        style=STYLE,
    ),
    TitleSection(
        name="reviews",
        template="watchlists/title_reviews.html",
        prepare=read_nothing,
        load=load_reviews,
        style=STYLE,
    ),
    TitleSection(
        name="lists",
        template="watchlists/title_lists.html",
        prepare=read_nothing,
        load=load_lists,
        style=LISTS_STYLE,
    ),
)
