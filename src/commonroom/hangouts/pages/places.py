"""Places in a browser: a group's, and one's own."""

from __future__ import annotations

from typing import Any

from commonroom.hangouts import addresses
from commonroom.hangouts.pages.cards import render_page
from commonroom.hangouts.service import places
from commonroom.http.access import Need
from commonroom.http.arguments import Ctx
from commonroom.http.forms import EMPTY, Form, FormState, Line, Pages
from commonroom.http.request import Request
from commonroom.http.responses import Response

pages = Pages()


class PlaceForm(Form):
    """A place; which one, where it is changed."""

    place_id: Line = ""
    name: Line = ""
    address: Line = ""
    url: Line = ""
    notes: Line = ""
    is_home: bool = False

    @property
    def words(self) -> dict[str, Any]:
        """What services take."""
        return {"name": self.name, "address": self.address, "url": self.url, "notes": self.notes}


class WhichPlace(Form):
    """One of the places."""

    place_id: Line = ""


@pages.page(addresses.PLACES, Need.SIGNED_IN)
async def group_places(request: Request, group_id: str, form: FormState = EMPTY) -> Response[Any]:
    """A group's places: two requests."""
    access, found = await places.see_group_places(request.context, group_id)
    return render_page(
        request,
        "places.html",
        group=access.group,
        places=found,
        home=None,
        form=form,
    )


@pages.form(addresses.PLACES, Need.NOT_ACTING, on=group_places, flash="place-saved")
async def keep_group_place(ctx: Ctx, group_id: str, data: PlaceForm) -> None:
    """Keeps a new place, or changes one."""
    if data.place_id:
        await places.change_group_place(ctx, group_id, data.place_id, data.words)
    else:
        await places.add_group_place(ctx, group_id, data.words)


@pages.form(f"{addresses.PLACES}/remove", Need.NOT_ACTING, on=group_places, flash="place-removed")
async def remove_group_place(ctx: Ctx, group_id: str, data: WhichPlace) -> None:
    """Deletes a place, or archives it."""
    await places.remove_group_place(ctx, group_id, data.place_id)


@pages.form(f"{addresses.PLACES}/restore", Need.NOT_ACTING, on=group_places, flash="place-saved")
async def restore_group_place(ctx: Ctx, group_id: str, data: WhichPlace) -> None:
    """Offers an archived place again."""
    await places.change_group_place(ctx, group_id, data.place_id, {"is_archived": False})


@pages.page(addresses.OWN_PLACES, Need.NOT_ACTING)
async def own_places(request: Request, form: FormState = EMPTY) -> Response[Any]:
    """One's own places: two requests."""
    found = await places.see_own_places(request.context)
    return render_page(
        request,
        "own_places.html",
        places=found.places,
        home=found.home_place_id,
        form=form,
    )


@pages.form(addresses.OWN_PLACES, Need.NOT_ACTING, on=own_places, flash="place-saved")
async def keep_own_place(ctx: Ctx, data: PlaceForm) -> None:
    """Keeps a new place of one's own, or changes one."""
    if data.place_id:
        await places.change_own_place(ctx, data.place_id, data.words, is_home=data.is_home)
    else:
        await places.add_own_place(ctx, data.words, is_home=data.is_home)


@pages.form(f"{addresses.OWN_PLACES}/remove", Need.NOT_ACTING, on=own_places, flash="place-removed")
async def remove_own_place(ctx: Ctx, data: WhichPlace) -> None:
    """Deletes a place of one's own, or archives it."""
    await places.remove_own_place(ctx, data.place_id)


@pages.form(f"{addresses.OWN_PLACES}/restore", Need.NOT_ACTING, on=own_places, flash="place-saved")
async def restore_own_place(ctx: Ctx, data: WhichPlace) -> None:
    """Offers an archived place of one's own again."""
    await places.change_own_place(ctx, data.place_id, {"is_archived": False})
