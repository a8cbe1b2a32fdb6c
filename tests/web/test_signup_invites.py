"""Whose link it is that somebody signs up with: a room's, or an administrator's."""

from __future__ import annotations

import pytest
from litestar import Litestar
from litestar.datastructures import State

from commonroom.accounts.errors import LinkExpired
from commonroom.accounts.tables import Installation
from commonroom.errors import NotFound
from commonroom.store import Store, Write, check, stored
from commonroom.store.errors import Unavailable
from commonroom.web.request import Request
from commonroom.web.signup_invites import InviteLookup, find_signup_invite

HELD = check(Installation.at(), if_=stored)


def asking(*rooms: InviteLookup) -> Request:
    """A request to a house with these rooms."""
    app = Litestar([], state=State({"store": None, "signup_invites": rooms}), openapi_config=None)
    return Request({"type": "http", "litestar_app": app, "state": {}})  # type: ignore[arg-type] # all that is looked at


async def knows(_store: Store, _now: float, link: str) -> list[Write]:
    """A room with a link called ours."""
    if link != "ours":
        raise NotFound("There is no such link.")
    return [HELD]


async def knew(_store: Store, _now: float, _link: str) -> list[Write]:
    """A room whose links have all run out."""
    raise LinkExpired("This link has run out.")


async def sleeps(_store: Store, _now: float, _link: str) -> list[Write]:
    """A room that cannot look."""
    raise Unavailable("The store does not answer.")


async def test_a_link_that_a_room_knows_is_vouched_for() -> None:
    shown = await find_signup_invite(asking(knows, knew), "ours")
    assert (shown["invitation"], list(shown["vouchers"])) == (None, [HELD])


async def test_a_link_that_no_room_knows_is_an_administrators() -> None:
    shown = await find_signup_invite(asking(knows, knows), "theirs")
    assert (shown["invitation"], list(shown["vouchers"])) == ("theirs", [])


async def test_no_room_is_asked_where_there_is_no_link() -> None:
    shown = await find_signup_invite(asking(knew), "")
    assert (shown["invitation"], list(shown["vouchers"])) == (None, [])


async def test_a_link_that_has_run_out_says_so_in_the_rooms_words() -> None:
    with pytest.raises(LinkExpired, match=r"This link has run out\."):
        await find_signup_invite(asking(knows, knew), "theirs")


async def test_a_room_that_cannot_look_does_not_count_as_not_knowing() -> None:
    with pytest.raises(Unavailable):
        await find_signup_invite(asking(sleeps, knows), "ours")
