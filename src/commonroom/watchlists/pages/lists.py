"""A list: its page for readers, making one, changing it, copying it, its end."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import urlencode

from msgspec import Meta

from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import EMPTY, Form, FormState, Line, Pages
from commonroom.http.markdown import rendered
from commonroom.http.redirects import path_part
from commonroom.http.request import Cursor, Request
from commonroom.http.responses import Response
from commonroom.http.sharing import own_address, shared
from commonroom.joins.plans import plan_address
from commonroom.outgoing.pictures import FetchedPictures
from commonroom.picture_addresses import MAX_ADDRESS_LENGTH
from commonroom.titles.fetched_pictures import pictures_in
from commonroom.titles.titles import TitleId
from commonroom.watchlists.pages import addresses
from commonroom.watchlists.pages.cards import ListCard, WatchlistItemCard, anchor_of, item_card
from commonroom.watchlists.pages.page import (
    Key,
    acts_alone,
    publishes_first,
    publishes_here,
    render_page,
)
from commonroom.watchlists.pages.wishes import may_wish
from commonroom.watchlists.request import Catalogue, Publishers, visitor_of
from commonroom.watchlists.rules import lists as rules
from commonroom.watchlists.rules.comments import MAX_COMMENT
from commonroom.watchlists.service import copies, lists, saves
from commonroom.watchlists.service import seen as seen_marks
from commonroom.watchlists.service.access import own_list
from commonroom.watchlists.service.comments import load_comments
from commonroom.watchlists.service.list_views import ListView, see_list
from commonroom.watchlists.service.profiles import my_profile
from commonroom.watchlists.tables import Watchlist

COMMENTS = 20
LOOKS = ("posters", "notes")

Look = Annotated[str, Meta(max_length=10)]
Text = str
"""A text of several lines; the rules say how long it may be."""


pages = Pages()


class WatchlistForm(Form):
    """What a list is called, what it is about, and who may see it."""

    title: Line
    description: Text = ""
    tags: Line = ""
    """Separated by commas."""
    is_numbered: bool = False
    visibility: Line = ""

    @property
    def typed(self) -> dict[str, Any]:
        """What is typed about a list, as the service takes it."""
        return {
            "title": self.title,
            "description": self.description,
            "tags": self.tags.replace(";", ",").split(","),
            "is_numbered": self.is_numbered,
            "is_public": self.visibility == "public",
        }


class EditForm(WatchlistForm):
    """The form of a list that is there, with its cover."""

    cover: Line = ""
    cover_image_url: Line = ""


class CopyForm(Form):
    """The link by which a person came to a private list."""

    key: Line = ""


class MarkForm(CopyForm):
    """A title that a person has seen, or has not after all, and how the list is shown."""

    seen: Line = ""
    unseen: Line = ""
    look: Line = ""
    hides: Line = ""


@pages.page(addresses.LIST, Need.ANYONE)
async def show_list(
    request: Request,
    watchlist_id: str,
    *,
    key: Key = "",
    look: Look = "",
    seen: Look = "",
    cursor: Cursor = None,
    comment_form: FormState = EMPTY,
    form: FormState = EMPTY,
) -> Response[Any]:
    """A list: one request for a guest, two for others, and two where there are comments."""
    visitor = visitor_of(request, key)
    view = await see_list(visitor, watchlist_id)
    comments = await load_comments(visitor, view.watchlist, limit=COMMENTS, cursor=cursor)
    if view.saved is not None and acts_alone(request):
        await saves.visit(request.context, view.saved, view.watchlist)
    return render_page(
        request,
        "watchlists/list.html",
        **_shown(request, view, key),
        plan_address=plan_address(request, "watchlist", watchlist_id)
        if acts_alone(request) and view.items and not key
        else None,
        items=_cards(view, pictures_in(request)),
        look=look if look in LOOKS else _usual_look(view),
        seen_count=len(view.seen),
        hides_seen=seen == "hide",
        comments=comments,
        comment_form=comment_form,
        form=form,
    )


def _cards(view: ListView, fetched: FetchedPictures) -> list[WatchlistItemCard]:
    return [
        item_card(
            one,
            number,
            fetched,
            is_seen=TitleId.of(one) in view.seen,
            is_new=view.is_new(one),
        )
        for number, one in enumerate(view.items, 1)
    ]


def _shown(request: Request, view: ListView, key: str) -> dict[str, Any]:
    """Returns what stands around the titles."""
    found = view.watchlist
    return {
        "list": found,
        "card": ListCard(found, pictures_in(request)),
        "about": rendered(found.description) if found.description else None,
        "view": view,
        "may": acts_alone(request),
        "key": key,
        "shared": shared(request, addresses.watchlist(found.watchlist_id, key), found.title),
        "preview": own_address(request, addresses.list_preview(found.watchlist_id)),
        "longest_comment": MAX_COMMENT,
        "may_wish": may_wish(request, view),
    }


def _usual_look(view: ListView) -> str:
    """Posters, unless notes say why each title is there."""
    return "notes" if any(one.curator_note for one in view.items) else "posters"


@pages.form(f"{addresses.LIST}/marks", Need.NOT_ACTING, on=show_list)
async def mark(ctx: Ctx, titles: Catalogue, watchlist_id: str, data: MarkForm) -> str:
    """Marks a title of the list as seen, or takes the mark back."""
    title = TitleId.parse(data.unseen or data.seen)
    if data.unseen:
        await seen_marks.unmark_seen(ctx, titles, title)
    else:
        await seen_marks.mark_seen(ctx, titles, title)
    shown = {"key": data.key, "look": data.look, "seen": data.hides}
    query = urlencode({name: value for name, value in shown.items() if value})
    is_hidden = data.hides and not data.unseen
    at = "titles" if is_hidden else path_part(anchor_of(title))
    return f"{addresses.watchlist(watchlist_id)}?{query}#{at}"


@pages.page(addresses.NEW, Need.NOT_ACTING)
async def new_list(request: Request, ctx: Ctx, form: FormState = EMPTY) -> Response[Any]:
    """Where a list is begun: one request."""
    profile = await my_profile(ctx)
    publishes = publishes_here(request, profile)
    usual = FormState({"visibility": "public" if publishes_first(request, profile) else "private"})
    return render_page(
        request,
        "watchlists/new.html",
        form=form if form.values else usual,
        publishes=publishes,
        rules=rules,
    )


@pages.form(addresses.NEW, Need.NOT_ACTING, on=new_list, flash="list-made")
async def make_list(ctx: Ctx, publishers: Publishers, data: WatchlistForm) -> str:
    """Makes a list, and leads to where titles are added."""
    made = await lists.create_list(ctx, lists.ListDraft(**data.typed), who_publishes=publishers)
    return addresses.arrange(made.watchlist_id)


@pages.page(addresses.EDIT, Need.NOT_ACTING)
async def edit_list(
    request: Request, ctx: Ctx, watchlist_id: str, form: FormState = EMPTY
) -> Response[Any]:
    """Everything that its owner can change: four requests."""
    found = await own_list(ctx, watchlist_id)
    view = await see_list(visitor_of(request), watchlist_id)
    profile = await my_profile(ctx)
    return render_page(
        request,
        "watchlists/edit.html",
        list=found,
        view=view,
        items=_cards(view, pictures_in(request)),
        card=ListCard(found, pictures_in(request)),
        form=form if form.values else FormState(_stored_values(found)),
        publishes=found.is_public or publishes_here(request, profile),
        longest_address=MAX_ADDRESS_LENGTH,
        rules=rules,
    )


@pages.form(
    addresses.EDIT,
    Need.NOT_ACTING,
    on=edit_list,
    leads_to=f"{addresses.LISTS}/{{watchlist_id}}",
    flash="list-saved",
)
async def save_list(ctx: Ctx, publishers: Publishers, watchlist_id: str, data: EditForm) -> None:
    """Keeps what was changed."""
    cover = TitleId.parse(data.cover) if data.cover else None
    change = lists.ListChange(**data.typed, cover=cover, cover_image_url=data.cover_image_url)
    await lists.change_list(ctx, watchlist_id, change, who_publishes=publishers)


@pages.form(f"{addresses.LIST}/delete", Need.NOT_ACTING, on=edit_list, leads_to=addresses.MINE,
      flash="list-deleted")  # fmt: skip
async def delete_list(ctx: Ctx, watchlist_id: str) -> None:
    """Deletes it with everything on it."""
    await lists.delete_list(ctx, watchlist_id)


@pages.form(f"{addresses.LIST}/copy", Need.NOT_ACTING, on=show_list, flash="list-copied")
async def copy_list(ctx: Ctx, watchlist_id: str, data: CopyForm) -> str:
    """Makes a private list of one's own of it."""
    made = await copies.copy_list(ctx, watchlist_id, view_key=data.key)
    return addresses.watchlist(made.watchlist_id)


def _stored_values(found: Watchlist) -> dict[str, Any]:
    return {
        "title": found.title,
        "description": found.description or "",
        "tags": ", ".join(found.tags),
        "is_numbered": found.is_numbered,
        "visibility": "public" if found.is_public else "private",
        "cover": found.cover_title or "",
        "cover_image_url": rules.own_picture(found) or "",
    }
