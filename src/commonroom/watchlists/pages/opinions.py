"""Forms on the page of a title: rate, review, mark as seen, put on a list; and take each back."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import Form, Line, Pages
from commonroom.titles.pages.title import PAGES
from commonroom.titles.request import TitleInPath
from commonroom.titles.titles import FOLDERS, ContentType
from commonroom.watchlists.request import Catalogue
from commonroom.watchlists.service import items, ratings, reviews, seen

Text: TypeAlias = Annotated[str, Meta(max_length=20_000)]


pages = Pages()


class StarsForm(Form):
    """So many half stars."""

    rating: int


class ReviewForm(Form):
    """A comment."""

    review: Text = ""


class SeenForm(Form):
    """On which day, where it is said."""

    seen_on: Annotated[str, Meta(max_length=100)] = ""


class ChosenListForm(Form):
    """Which list."""

    watchlist_id: Line


def _declare_forms(kind: ContentType) -> None:
    """Declares the forms on the pages of films, or of shows."""
    here, on = f"/{FOLDERS[kind]}/{{title_id:str}}", PAGES[kind]

    @pages.form(f"{here}/rate", Need.NOT_ACTING, on=on, flash="title-rated")
    async def rate(ctx: Ctx, titles: Catalogue, title: TitleInPath, data: StarsForm) -> None:
        """So many stars; a review stays as it was."""
        await ratings.rate(ctx, titles, title, rating=data.rating)

    @pages.form(f"{here}/review", Need.NOT_ACTING, on=on, flash="title-reviewed")
    async def review(ctx: Ctx, titles: Catalogue, title: TitleInPath, data: ReviewForm) -> None:
        """A few words, with stars or without; without words it is the stars alone."""
        await ratings.rate(ctx, titles, title, review=data.review)

    @pages.form(f"{here}/unrate", Need.NOT_ACTING, on=on, flash="title-unrated")
    async def unrate(ctx: Ctx, title: TitleInPath) -> None:
        """No opinion, after all."""
        await ratings.unrate(ctx.store, ctx.person.user_id, title)

    @pages.form(f"{here}/seen", Need.NOT_ACTING, on=on, flash="title-seen")
    async def mark_seen(ctx: Ctx, titles: Catalogue, title: TitleInPath, data: SeenForm) -> None:
        """Seen, on that day or some other."""
        await seen.mark_seen(ctx, titles, title, data.seen_on)

    @pages.form(f"{here}/unseen", Need.NOT_ACTING, on=on, flash="title-unseen")
    async def unmark_seen(ctx: Ctx, titles: Catalogue, title: TitleInPath) -> None:
        """Not seen, after all."""
        await seen.unmark_seen(ctx, titles, title)

    @pages.form(f"{here}/list", Need.NOT_ACTING, on=on, flash="title-listed")
    async def add_to_list(
        ctx: Ctx, titles: Catalogue, title: TitleInPath, data: ChosenListForm
    ) -> None:
        """Puts it at the end of a list."""
        wanted = items.NewWatchlistItem(title.content_type, title.content_id)
        await items.add_items(ctx, titles, data.watchlist_id, [wanted])

    @pages.form(f"{here}/unlist", Need.NOT_ACTING, on=on, flash="title-unlisted")
    async def remove_from_list(ctx: Ctx, title: TitleInPath, data: ChosenListForm) -> None:
        """Takes it off a list."""
        await items.remove_item(ctx, data.watchlist_id, title)

    @pages.form(
        f"{here}/reviews/{{review_id:str}}/remove",
        Need.ADMINISTRATOR,
        on=on,
        flash="review-removed",
    )
    async def remove_review(ctx: Ctx, title: TitleInPath, review_id: str) -> None:
        """Removes a person's review; their stars stay, if there are any."""
        await reviews.remove_review(ctx, title, review_id)


for _kind in FOLDERS:
    _declare_forms(_kind)
