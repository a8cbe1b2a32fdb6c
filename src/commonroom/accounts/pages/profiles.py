"""Profiles: one's own, those of the members one manages, and who sits at the screen."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, TypeAlias, TypedDict
from zoneinfo import available_timezones

from commonroom.accounts import rules
from commonroom.accounts.cookies import keep_acting
from commonroom.accounts.service import profiles
from commonroom.accounts.service.email_addresses import address_to_confirm
from commonroom.accounts.tables import Ceiling, User, managed_members
from commonroom.errors import Refusal
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx, From
from commonroom.http.forms import Form, FormState, Line, Pages
from commonroom.http.redirects import redirect
from commonroom.http.render import render
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.routes import post
from commonroom.http.words import _

MEMBERS = "/me/members"
ONE = f"{MEMBERS}/{{member_id:str}}"
NEW_MEMBER = FormState({"avatar_key": rules.AVATARS[0], "ceiling": "PG"})
REGIONS = (
    "Europe", "Africa", "America", "Asia", "Australia", "Pacific", "Atlantic", "Indian",
    "Antarctica", "Arctic",
)  # fmt: skip


pages = Pages()


class ProfileForm(Form):
    """How one is shown, and where one lives."""

    display_name: Line
    avatar_key: Line = ""
    language: Line = ""
    time_zone: Line = ""


class TimeZoneForm(Form):
    """The time zone of the caller's device."""

    time_zone: Line


class MemberFields(TypedDict):
    """What a managed member is."""

    display_name: str
    avatar_key: str | None
    ceiling: Ceiling


class MemberForm(Form):
    """A managed member."""

    display_name: Line
    avatar_key: Line = ""
    ceiling: Ceiling = "PG"

    @property
    def fields(self) -> MemberFields:
        """As the service takes them."""
        return MemberFields(
            display_name=self.display_name,
            avatar_key=self.avatar_key or None,
            ceiling=self.ceiling,
        )


class ActForm(Form):
    """For whom one acts; nobody is oneself."""

    member_id: Line = ""


async def managed(request: Request) -> list[User]:
    """Returns the members that the caller manages; there are few."""
    pattern = managed_members(parent_user_id=request.person.user_id)
    found = await request.store.page(pattern, limit=2 * rules.MAX_MANAGED)
    return sorted(found.items, key=lambda member: member.created_at)


Managed: TypeAlias = Annotated[list[User], From(managed)]


@pages.page("/me", Need.BROWSER)
async def show_profile(request: Request, form: FormState | None = None) -> Response[Any]:
    """Name, picture, language, time zone."""
    person = request.person
    return render(
        request,
        "people/profile.html",
        form=form or _filled(person, "display_name", "avatar_key", "language", "time_zone"),
        zones=zone_choices(person.time_zone),
        unconfirmed=request.mailer.sends and address_to_confirm(person) is not None,
    )


@pages.form("/me", Need.BROWSER, on=show_profile, flash="profile-saved", also_shows=(Refusal,))
async def save_profile(ctx: Ctx, data: ProfileForm) -> None:
    """Keeps them."""
    await profiles.change_profile(
        ctx,
        display_name=data.display_name,
        avatar_key=data.avatar_key or None,
        language=data.language or None,
        time_zone=data.time_zone or None,
    )


@post("/me/time-zone", Need.BROWSER)
async def note_time_zone(request: Request, data: TimeZoneForm) -> Response[None]:
    """Takes the time zone of this device where none was chosen; a script of every page asks so."""
    await profiles.note_time_zone(request.context, data.time_zone)
    return Response(None, status_code=204)


@pages.page(MEMBERS, Need.BROWSER)
async def list_members(
    request: Request, members: Managed, form: FormState = NEW_MEMBER
) -> Response[Any]:
    """Everybody one manages, and the form for another."""
    return render(request, "people/members.html", form=form, members=members)


@pages.form(MEMBERS, Need.BROWSER, on=list_members, flash="member-added")
async def add_member(ctx: Ctx, data: MemberForm) -> None:
    """Adds one."""
    await profiles.add_managed(ctx, **data.fields)


@pages.page(ONE, Need.BROWSER)
async def show_member(
    request: Request, member_id: str, form: FormState | None = None
) -> Response[Any]:
    """One of them, to be changed or removed."""
    member = await profiles.managed_by(request.store, request.person, member_id)
    if form is None:
        form = _filled(member, "display_name", "avatar_key", ceiling=member.content_rating_ceiling)
    return render(request, "people/member.html", member=member, form=form)


@pages.form(ONE, Need.BROWSER, on=show_member, leads_to=MEMBERS, flash="member-saved")
async def save_member(ctx: Ctx, member_id: str, data: MemberForm) -> None:
    """Changes one."""
    await profiles.change_managed(ctx, member_id, **data.fields)


@pages.form(f"{ONE}/remove", Need.BROWSER, leads_to=MEMBERS, flash="member-removed")
async def remove_member(ctx: Ctx, member_id: str) -> None:
    """Removes one, for good."""
    await profiles.remove_managed(ctx.store, ctx.person, member_id)


@pages.page("/act-as", Need.SIGNED_IN)
async def show_act_as(request: Request, members: Managed) -> Response[Any]:
    """Everybody who may sit here, to choose from."""
    return render(request, "people/act_as.html", members=members)


@pages.form("/act-as", Need.SIGNED_IN)
async def act_as(request: Request, data: ActForm) -> Response[Any]:
    """Acts for a member from now on, or for oneself again."""
    member = None
    if data.member_id:
        member = await profiles.managed_by(request.store, request.person, data.member_id)
    response = redirect("/", "acting" if member is not None else "acting-stopped")
    keep_acting(request, response, member)
    return response


def zone_choices(chosen: str | None = None) -> dict[str, list[tuple[str, str]]]:
    """Time zones by region, and what devices name besides: UTC, and the one that was chosen.

    A form that left out what is stored would silently change it to the first of the list.
    """
    regions = _zones()
    names = ["UTC"]
    if chosen and chosen.partition("/")[0] not in regions and chosen not in names:
        names.append(chosen)
    return {**regions, _("Everywhere"): [(name, name) for name in names]}


@cache
def _zones() -> dict[str, list[tuple[str, str]]]:
    """Time zones by region, each with its place in words; old names are left out."""
    known = sorted(available_timezones())
    return {
        region: [(name, _place(name)) for name in known if name.startswith(f"{region}/")]
        for region in REGIONS
    }


def _place(zone: str) -> str:
    """Such as “Argentina, Buenos Aires”."""
    return zone.partition("/")[2].replace("_", " ").replace("/", ", ")


def _filled(user: User, *names: str, **others: Any) -> FormState:
    """Fills a form with what is stored of a person."""
    return FormState({name: getattr(user, name) for name in names} | others)


pages.include(note_time_zone)
