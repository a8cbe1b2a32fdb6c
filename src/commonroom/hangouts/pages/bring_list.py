"""The bring list in a browser: typed in a line, claimed in a tap."""

from __future__ import annotations

from commonroom.errors import InvalidField
from commonroom.hangouts import addresses
from commonroom.hangouts.request import BringItemRef, Member
from commonroom.hangouts.service import bring_list
from commonroom.hangouts.service.bring_list import TypedBringItem
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import Form, Line, Pages

LIST = f"{addresses.HANGOUT}/bring-list"
ITEM = f"{LIST}/{{bring_item_id:str}}"


pages = Pages()


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


@pages.form(LIST, Need.NOT_ACTING, on=addresses.HANGOUT, flash="bring-added")
async def add(ctx: Ctx, hangout_id: str, data: BringItemForm) -> None:
    """Puts something on the list."""
    typed = TypedBringItem(name=data.thing, note=data.note, needed=_number("needed", data.needed))
    await bring_list.add_item(ctx, hangout_id, typed)


@pages.form(ITEM, Need.NOT_ACTING, on=addresses.HANGOUT, flash="bring-saved")
async def change(ctx: Ctx, item: BringItemRef, data: BringItemForm) -> None:
    """Changes something on the list."""
    needed = _number("needed", data.needed)
    changes = {"name": data.thing, "note": data.note, "needed": needed}
    await bring_list.change_item(ctx, item, changes)


@pages.form(f"{ITEM}/remove", Need.NOT_ACTING, on=addresses.HANGOUT, flash="bring-removed")
async def remove(ctx: Ctx, item: BringItemRef) -> None:
    """Takes something off the list."""
    await bring_list.remove_item(ctx, item)


@pages.form(f"{ITEM}/claim", Need.SIGNED_IN, on=addresses.HANGOUT, flash="bring-claimed")
async def claim(ctx: Ctx, member: Member, item: BringItemRef, data: ClaimForm) -> None:
    """Brings so many of it."""
    number = _number("number", data.number)
    await bring_list.claim(ctx, member, item, number)


@pages.form(f"{ITEM}/unclaim", Need.SIGNED_IN, on=addresses.HANGOUT, flash="bring-unclaimed")
async def unclaim(ctx: Ctx, member: Member, item: BringItemRef) -> None:
    """Does not bring it after all."""
    await bring_list.unclaim(ctx, member, item)


def _number(field: str, text: str) -> int:
    """Returns a number that was typed; one where nothing was."""
    plain = text.strip() or "1"
    if not (plain.isascii() and plain.isdigit() and len(plain) < 8):
        raise InvalidField(field, "Enter a number.")
    return int(plain)
