"""Who is watching: chosen where a movie night is started, changed while it is open."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from commonroom.accounts.tables import User
from commonroom.errors import Conflict, InvalidField, Refusal
from commonroom.http.access import Need
from commonroom.http.forms import EMPTY, Form, FormState, Line, OneOrMany, Pages, as_list
from commonroom.http.redirects import redirect
from commonroom.http.render import render
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.words import _
from commonroom.joins.film_sources import FilmAvailability, FilmSuggestions
from commonroom.joins.rooms import first_offer
from commonroom.movienight.pages.households import ROOM
from commonroom.movienight.pages.members import MemberView, load_member_views
from commonroom.movienight.pages.rounds import ALL, ONE, address_of, load_round_view
from commonroom.movienight.request import ContextIfAny, Films, OwnContext, OwnRound
from commonroom.movienight.rules.rounds import may_change_attendee
from commonroom.movienight.service.members import list_members
from commonroom.movienight.service.rounds import attendance
from commonroom.movienight.service.rounds.lifecycle import create_round

HERE = f"{ONE}/attendees"


pages = Pages()


class NewRoundForm(Form):
    """Who watches, whether wishes are on the shortlist, and where all films have to come from."""

    attendees: OneOrMany = ""
    wishes: bool = False
    films_from: Literal["", "shelves", "lists"] = ""


class AttendeeForm(Form):
    """A member of the household."""

    member_id: Line
    drop_films: bool = False
    """Said in answer to a question: films that are not for them go."""


class AttendeeCandidate(Struct, frozen=True):
    """A member who could watch tonight."""

    someone: MemberView
    is_ticked: bool
    is_missing: bool
    """Whether nothing can be suggested until they have said what they like."""


class AttendeeChoice(Struct, frozen=True):
    """A member who takes part, or could."""

    user: User
    takes_part: bool
    has_voted: bool
    may_change: bool
    """Whether the caller can change that."""


@pages.page(f"{ALL}/new", Need.SIGNED_IN)
async def new_round_page(
    request: Request, ctx: ContextIfAny, form: FormState | None = None, error: Refusal | None = None
) -> Response[Any]:
    """Everybody to choose from; the open round where there is one, the room without a household."""
    if ctx is None:
        return redirect(ROOM, "household-needed")
    if error is None and ctx.group.open_round_id is not None:
        return redirect(address_of(ctx.group.open_round_id), "round-open")
    here = await load_member_views(ctx)
    if form is None:
        everybody = [one.user.user_id for one in here]
        form = FormState({"attendees": everybody, "wishes": ctx.group.wish_count > 0})
    ticked = as_list(form.value("attendees"))
    missing = () if error is None else error.extensions.get("missing", ())
    return render(
        request,
        "movienight/round_new.html",
        ctx=ctx,
        invited=[
            AttendeeCandidate(one, one.user.user_id in ticked, one.user.user_id in missing)
            for one in here
        ],
        form=form,
        missing=bool(missing),
        places=_film_places(request),
    )


def _film_places(request: Request) -> list[tuple[str, str]]:
    """Where films can come from, and what that is called; nothing where there is no choice."""
    found = [("shelves", _("Our shelves"))] if first_offer(request, FilmAvailability) else []
    if first_offer(request, FilmSuggestions):
        found.append(("lists", _("Our lists")))
    return [("", _("Anywhere")), *found] if found else []


@pages.form(ALL, Need.SIGNED_IN, on=new_round_page)
async def start_round(ctx: OwnContext, films: Films, data: NewRoundForm) -> Response[Any] | str:
    """Makes a shortlist for those who watch."""
    attendees = as_list(data.attendees)
    if not attendees:
        raise InvalidField("attendees", "Choose at least one person.")
    try:
        made = await create_round(
            ctx,
            films,
            attendees=attendees,
            wishes=data.wishes,
            films_from=data.films_from or None,
        )
    except Conflict as error:
        if (active := error.extensions.get("active_round_id")) is None:
            raise
        return redirect(address_of(active), "round-open")
    return address_of(made.round_id)


@pages.page(HERE, Need.SIGNED_IN)
async def attendees_page(
    request: Request,
    here: OwnRound,
    form: FormState = EMPTY,
    error: Refusal | None = None,
) -> Response[Any]:
    """Everybody in the household; the round itself where nobody can come or go any more."""
    ctx, view = here.ctx, await load_round_view(here)
    if error is None and "attendees" not in view.may:
        return redirect(view.address)
    attending = {one.member_id: one for one in view.faces}
    return render(
        request,
        "movienight/round_attendees.html",
        view=view,
        candidates=[
            AttendeeChoice(
                one.user,
                takes_part=one.user_id in attending,
                has_voted=one.user_id in attending and attending[one.user_id].voted,
                may_change=may_change_attendee(
                    ctx.member_id, view.round, ctx.group.created_by, one.user
                ),
            )
            for one in await list_members(ctx.store, ctx.group_id)
            if one.user is not None and not one.is_gone
        ],
        form=form,
        too_high=() if error is None else error.extensions.get("films_too_high", ()),
    )


@pages.form(f"{HERE}/add", Need.SIGNED_IN, on=attendees_page, flash="attendee-added")
async def add_attendee(ctx: OwnContext, films: Films, round_id: str, data: AttendeeForm) -> None:
    """Lets one more take part."""
    await attendance.add_attendee(ctx, films, round_id, data.member_id, drop_films=data.drop_films)


@pages.form(f"{HERE}/remove", Need.SIGNED_IN, on=attendees_page, flash="attendee-removed")
async def remove_attendee(ctx: OwnContext, films: Films, round_id: str, data: AttendeeForm) -> None:
    """Removes an attendee, with their votes."""
    await attendance.remove_attendee(ctx, films, round_id, data.member_id)
