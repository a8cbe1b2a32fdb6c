"""The bring list in a browser: typed in a line, claimed in a tap; and what others could bring."""

from __future__ import annotations

from functools import partial
from itertools import chain

from msgspec import Struct

from commonroom.errors import InvalidField
from commonroom.hangouts import addresses
from commonroom.hangouts.pages.people import person_name
from commonroom.hangouts.request import BringItemRef, Member
from commonroom.hangouts.rules.rsvps import COMING
from commonroom.hangouts.rules.times import takes_answers
from commonroom.hangouts.service import bring_list
from commonroom.hangouts.service.bring_list import TypedBringItem
from commonroom.hangouts.service.detail import HangoutDetail
from commonroom.hangouts.tables import BringClaim, BringItem, Rsvp
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import Form, Line, Pages
from commonroom.http.request import Request
from commonroom.http.words import join_names, pluralize
from commonroom.joins.bring_along import BringAlongSource, ThingToBring
from commonroom.joins.rooms import open_offers

LIST = f"{addresses.HANGOUT}/bring-list"
ITEM = f"{LIST}/{{bring_item_id:str}}"

pages = Pages()
action = partial(pages.form, on=addresses.HANGOUT)


class BringItemForm(Form):
    """Something to bring."""

    item: Line = ""
    """Which one is changed, for the page to show what was refused."""
    thing: Line = ""
    needed: Line = ""
    note: Line = ""


class ClaimForm(Form):
    """How many the person brings."""

    number: Line = ""


class BringItemCard(Struct, frozen=True, kw_only=True):
    """A thing, how much of it is still needed, and who brings it."""

    item_id: str
    address: str
    name: str
    note: str
    needed: int
    left: int
    mine: int
    people: str
    standing: str
    is_covered: bool
    may_change: bool


def bring_list_of(request: Request, seen: HangoutDetail, address: str) -> list[BringItemCard]:
    """Returns the whole list, in the order in which things were added."""
    return [
        _card(request, seen, item, claims, address)
        for item, claims in seen.things.each_with(BringItem, BringClaim)
    ]


def _card(
    request: Request,
    seen: HangoutDetail,
    one: BringItem,
    claims: list[BringClaim],
    address: str,
) -> BringItemCard:
    left = max(0, one.needed - one.claimed)
    is_theirs = one.created_by == request.person.user_id
    is_acting = request.caller.acting_as is not None
    me = seen.member.user_id
    return BringItemCard(
        item_id=one.bring_item_id,
        address=f"{address}/bring-list/{one.bring_item_id}",
        name=one.name,
        note=one.note or "",
        needed=one.needed,
        left=left,
        mine=next((claim.number for claim in claims if claim.user_id == me), 0),
        people=join_names([_claimer(claim, one.needed) for claim in claims]),
        standing=pluralize("%(n)d still needed", "%(n)d still needed", left) if left else "",
        is_covered=left == 0,
        may_change=(seen.access.standing.may_edit or is_theirs) and not is_acting,
    )


def _claimer(claim: BringClaim, needed: int) -> str:
    name = person_name(claim.user_name)
    return name if needed == 1 else f"{name} ({claim.number})"


async def things_to_bring(request: Request, seen: HangoutDetail) -> list[ThingToBring]:
    """Returns what the reader and the others who come have of each other, until it is over.

    Nothing for a person who does not come, or acts for a child. What it takes, the rooms state.
    """
    if request.caller.acting_as is not None or not takes_answers(seen.hangout, request.now):
        return []
    coming = {each.user_id for each in seen.things.of(Rsvp) if each.status in COMING}
    me = request.person.user_id
    if me not in coming or len(coming) == 1:
        return []
    sources = open_offers(request, BringAlongSource)
    found = await request.store.gather_all(one.things(request, coming - {me}) for one in sources)
    return list(chain.from_iterable(found))


@action(LIST, Need.NOT_ACTING, flash="bring-added")
async def add(ctx: Ctx, hangout_id: str, data: BringItemForm) -> None:
    """Puts something on the list."""
    typed = TypedBringItem(name=data.thing, note=data.note, needed=_number("needed", data.needed))
    await bring_list.add_item(ctx, hangout_id, typed)


@action(ITEM, Need.NOT_ACTING, flash="bring-saved")
async def change(ctx: Ctx, item: BringItemRef, data: BringItemForm) -> None:
    """Changes something on the list."""
    needed = _number("needed", data.needed)
    changes = {"name": data.thing, "note": data.note, "needed": needed}
    await bring_list.change_item(ctx, item, changes)


@action(f"{ITEM}/remove", Need.NOT_ACTING, flash="bring-removed")
async def remove(ctx: Ctx, item: BringItemRef) -> None:
    """Takes something off the list."""
    await bring_list.remove_item(ctx, item)


@action(f"{ITEM}/claim", Need.SIGNED_IN, flash="bring-claimed")
async def claim(ctx: Ctx, member: Member, item: BringItemRef, data: ClaimForm) -> None:
    """Brings so many of it."""
    number = _number("number", data.number)
    await bring_list.claim(ctx, member, item, number)


@action(f"{ITEM}/unclaim", Need.SIGNED_IN, flash="bring-unclaimed")
async def unclaim(ctx: Ctx, member: Member, item: BringItemRef) -> None:
    """Does not bring it after all."""
    await bring_list.unclaim(ctx, member, item)


def _number(field: str, text: str) -> int:
    """Returns a number that was typed; one where nothing was."""
    plain = text.strip() or "1"
    if not (plain.isascii() and plain.isdigit() and len(plain) < 8):
        raise InvalidField(field, "Enter a number.")
    return int(plain)
