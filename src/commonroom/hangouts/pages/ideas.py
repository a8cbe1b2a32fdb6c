"""Ideas of a group in a browser: added in a line, liked in one tap, planned in two."""

from __future__ import annotations

from functools import partial
from typing import Any

from commonroom.hangouts import addresses, words
from commonroom.hangouts.pages.cards import render_page
from commonroom.hangouts.service import ideas
from commonroom.hangouts.service.access import ref_of
from commonroom.hangouts.tables import Idea
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import EMPTY, Form, FormState, Line, Pages
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.words import _
from commonroom.store import Ref

pages = Pages()


class IdeaListForm(Form):
    """A new list; without a name, it is called like its category."""

    name: Line = ""
    category: Line = "other"


class NewIdeaForm(Form):
    """An idea in a line."""

    list_id: Line = ""
    name: Line = ""


class IdeaForm(NewIdeaForm):
    """An idea with all its words."""

    idea_id: Line = ""
    note: Line = ""
    url: Line = ""


class WhichIdea(Form):
    """One of the ideas, or a list."""

    list_id: Line = ""
    idea_id: Line = ""


@pages.page(addresses.IDEAS, Need.SIGNED_IN)
async def ideas_page(
    request: Request, group_id: str, form: FormState = EMPTY, list_form: FormState = EMPTY
) -> Response[Any]:
    """All ideas of a group: three requests."""
    found = await ideas.see_ideas(request.context, group_id)
    return render_page(
        request,
        "ideas.html",
        group=found.access.group,
        lists=found.lists,
        names=found.names,
        me=request.person.user_id,
        is_admin=found.access.is_admin,
        form=form,
        list_form=list_form,
    )


action = partial(pages.form, on=ideas_page)


@action(f"{addresses.IDEAS}/lists", Need.NOT_ACTING, flash="idea-list-added", slot="list_form")
async def add_list(ctx: Ctx, group_id: str, data: IdeaListForm) -> None:
    """Starts a list."""
    named = dict(words.CATEGORIES).get(data.category, "")  # type: ignore[call-overload] # or not
    name = data.name.strip() or _(named)
    await ideas.add_list(ctx, group_id, {"name": name, "category": data.category})


@action(f"{addresses.IDEAS}/lists/remove", Need.NOT_ACTING, flash="idea-list-removed")
async def remove_list(ctx: Ctx, group_id: str, data: WhichIdea) -> None:
    """Deletes a list with its ideas."""
    await ideas.remove_list(ctx, group_id, data.list_id)


@action(addresses.IDEAS, Need.NOT_ACTING, flash="idea-added")
async def add_idea(ctx: Ctx, group_id: str, data: NewIdeaForm) -> None:
    """Adds an idea to a list."""
    await ideas.add_idea(ctx, group_id, data.list_id, {"name": data.name})


@action(f"{addresses.IDEAS}/edit", Need.NOT_ACTING, flash="idea-saved")
async def save_idea(ctx: Ctx, group_id: str, data: IdeaForm) -> None:
    """Changes the words of an idea."""
    given = {"name": data.name, "note": data.note, "url": data.url}
    await ideas.change_idea(ctx, _idea(group_id, data), given)


@action(f"{addresses.IDEAS}/remove", Need.NOT_ACTING, flash="idea-removed")
async def remove_idea(ctx: Ctx, group_id: str, data: WhichIdea) -> None:
    """Deletes an idea."""
    await ideas.remove_idea(ctx, _idea(group_id, data))


@action(f"{addresses.IDEAS}/interest", Need.NOT_ACTING)
async def add_interest(ctx: Ctx, group_id: str, data: WhichIdea) -> str:
    """Says that one would do this."""
    await ideas.set_interest(ctx, _idea(group_id, data), is_interested=True)
    return f"{addresses.group(group_id)}/ideas#i-{data.idea_id}"


@action(f"{addresses.IDEAS}/no-interest", Need.NOT_ACTING)
async def remove_interest(ctx: Ctx, group_id: str, data: WhichIdea) -> str:
    """Takes back that one would do this."""
    await ideas.set_interest(ctx, _idea(group_id, data), is_interested=False)
    return f"{addresses.group(group_id)}/ideas#i-{data.idea_id}"


def _idea(group_id: str, data: IdeaForm | WhichIdea) -> Ref[Idea]:
    return ref_of(Idea, group_id=group_id, list_id=data.list_id, idea_id=data.idea_id)
