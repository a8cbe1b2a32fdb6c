"""Every operation of hangouts with everybody there is, compared with the table in this folder.

`tests.support.who_may` says how to print it anew.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from httpx import Response
from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.accounts.service import profiles, sessions
from commonroom.accounts.tables import AddressClaim, User
from commonroom.hangouts.api import hangouts_api
from commonroom.hangouts.request import WRITES
from commonroom.hangouts.rules.polls import TypedHangoutPollOption
from commonroom.hangouts.service.attachments import attach
from commonroom.hangouts.service.ballots import vote
from commonroom.hangouts.service.bring_list import TypedBringItem, add_item, claim
from commonroom.hangouts.service.edits import invite
from commonroom.hangouts.service.fields import HangoutDraft
from commonroom.hangouts.service.groups import create_group
from commonroom.hangouts.service.guests import (
    GuestLinks,
    GuestLinkVisitor,
    TypedGuestRsvp,
    answer_as_guest,
    set_guest_link,
)
from commonroom.hangouts.service.hangouts import cancel, create_hangout
from commonroom.hangouts.service.ideas import add_idea, add_list
from commonroom.hangouts.service.invite_codes import create_code, join
from commonroom.hangouts.service.places import add_group_place, add_own_place
from commonroom.hangouts.service.polls import TypedHangoutPoll, create_poll
from commonroom.hangouts.service.rsvps import TypedRsvp, answer
from commonroom.hangouts.service.timeline import Partitions, TimelinePosition, seal
from commonroom.hangouts.tables import (
    EnteredTime,
    FriendGroup,
    GroupMembership,
    Hangout,
    Repetition,
    Venue,
    Vote,
)
from commonroom.http.application import App
from commonroom.http.call_limits import CallLimit, CallLimits
from commonroom.joins.attachments import Claim
from commonroom.moments import iso
from commonroom.rate_limits import Rate
from commonroom.settings import Settings
from commonroom.shareables.rules.short_ids import new_short_id
from commonroom.shareables.tables import Checklist
from commonroom.store import Store, create, delete
from tests.hangouts.api import furnished_plan
from tests.hangouts.api.furnished_plan import furnish_plan
from tests.support.application import application
from tests.support.snapshots import Homes
from tests.support.who_may import WhoMay, routes_of, send, yes_or_status

CALLERS = ("guest", "stranger", "former", "invited", "member", "child", "admin", "maker")
"""The child is acted for by the member, the admin is one of the group, and the maker is a member;
the former one has left the group. Guests have no account: the guest link opens to all of them."""
V1 = "/api/v1"
GROUP, TITLE, NOTE, PLACE = "Wolfpack", "Quicksilver", "Allergic to nuts", "Behind the mill"
OPTION, THING = "Backgammon", "Gooseberries"
WORDS = (GROUP, TITLE, NOTE, PLACE, OPTION, THING)

ONE = "/hangouts/{hangout_id}"
PLACES = "/groups/{group_id}/places"
IDEAS = "/groups/{group_id}/idea-lists"
LINK = "/guest-links/{token}"
POLL, ITEM = ONE + "/polls/{poll_id}", ONE + "/bring-list/{bring_item_id}"
JO = {"name": "Jo", "status": "GOING"}
BODIES: dict[tuple[str, str], Any] = {
    ("POST", "/groups"): {"group_name": "Another"},
    ("PATCH", "/groups/{group_id}"): {"version": 1, "group_name": "Changed"},
    ("PATCH", "/groups/{group_id}/members/{user_id}"): {"role": "ADMIN"},
    ("POST", PLACES): {"name": "Pub"},
    ("PATCH", PLACES + "/{place_id}"): {"notes": "Ring twice"},
    ("POST", "/hangouts/places"): {"name": "Home", "is_home": True},
    ("PATCH", "/hangouts/places/{place_id}"): {"is_home": True},
    ("POST", IDEAS): {"name": "Food", "category": "food"},
    ("PATCH", IDEAS + "/{list_id}"): {"note": "Cheap ones"},
    ("POST", IDEAS + "/{list_id}/ideas"): {"name": "Pizza"},
    ("PATCH", IDEAS + "/{list_id}/ideas/{idea_id}"): {"note": "With cheese"},
    ("POST", "/groups/{group_id}/codes"): {},
    ("POST", "/hangouts"): {"title": "Another"},
    ("PATCH", ONE): {"version": 3, "title": "Changed"},
    ("PUT", f"{ONE}/rsvp"): {"status": "GOING"},
    ("POST", f"{ONE}/guests"): JO,
    ("PUT", ONE + "/guests/{guest_id}"): JO,
    ("PUT", f"{ONE}/guest-link"): {"is_open": True},
    ("PUT", f"{ONE}/repetition"): {"frequency": "WEEKLY"},
    ("POST", f"{ONE}/polls"): {
        "subject": "OTHER",
        "title": "What?",
        "options": [{"label": "This"}, {"label": "That"}],
    },
    ("PATCH", POLL): {"others_add_options": True, "title": "Which?"},
    ("POST", f"{POLL}/options"): {"label": "Neither"},
    ("POST", f"{POLL}/close"): {"undecided": True},
    ("POST", f"{ONE}/bring-list"): {"name": "Wine"},
    ("PATCH", ITEM): {"needed": 7},
    ("PUT", f"{ITEM}/claim"): {"number": 1},
    ("POST", f"{LINK}/rsvps"): JO,
    ("PUT", f"{LINK}/rsvps/mine"): JO,
    **furnished_plan.BODIES,
}
OF_GUESTS = "/guest-links"


class Home(Struct, frozen=True):
    """A hangout of a group, and somebody of every kind."""

    people: dict[str, User]
    places: dict[str, str]
    code: str
    change_code: str
    own_place_id: str
    """Of a place of the member's."""

    def places_in(self, path: str) -> dict[str, str]:
        """What stands in a path; among members, it is the maker of the hangout who is meant."""
        if "/members/" in path:
            return {**self.places, "user_id": self.people["maker"].user_id}
        if path.startswith("/hangouts/places/"):
            return {"place_id": self.own_place_id}
        return {**self.places, "code": self.code}


HOMES = Homes[Home]()


class Street:
    """A house in which every question finds the same: what was asked before is forgotten."""

    def __init__(self, store: Store, app: App) -> None:
        self._store = store
        self._app = app

    async def ask(self, caller: str, method: str, path: str) -> Response:
        """What somebody is told."""
        cancelled, repeats = path.endswith("/bring-back"), path.endswith(("/repetition", "/dates"))
        furnish = partial(self._home, cancelled=cancelled, repeats=repeats)
        home = await HOMES.home(self._store, (cancelled, repeats), furnish)
        shown = await self._shown(caller, home)
        if path.endswith("/rsvps/mine"):
            shown["X-Answer-Code"] = home.change_code
        body = self._body(method, path, home)
        if (method, path) == ("POST", f"{ONE}/attachments"):
            body = {"kind": "shareable", "thing_id": await self._checklist(caller, home)}
        return await send(
            self._app,
            method,
            V1 + path.format(**home.places_in(path)),
            json=body,
            params=self._question(caller, path, home),
            headers=shown,
        )

    @staticmethod
    def _body(method: str, path: str, home: Home) -> Any:
        if path == "/groups/join":
            return {"code": home.code}
        if (method, path) == ("POST", f"{ONE}/invitations"):
            return {"email": home.people["former"].email}
        if path.endswith("/riders"):
            return {"user_id": home.people["admin"].user_id}
        if (method, path) == ("PUT", f"{POLL}/ballot"):
            return {"votes": {home.places["option_id"]: "NO"}}
        return BODIES.get((method, path))

    def _question(self, caller: str, path: str, home: Home) -> dict[str, str] | None:
        if path.endswith("/month"):
            return {"month": "2033-05"}
        if not path.endswith("/floating"):
            return None
        asks = home.people.get("member" if caller == "child" else caller)
        mine = Partitions(user_id=asks.user_id) if asks else Partitions(("nobody",))
        group = Partitions((home.places["group_id"],))
        of = group if path.startswith("/groups") else mine
        return {"cursor": seal(self._store, of, TimelinePosition(0, "~")) or ""}

    async def _shown(self, caller: str, home: Home) -> dict[str, str]:
        if caller == "guest":
            return {}
        person = home.people["member" if caller == "child" else caller]
        secret = await sessions.open_session(self._store, time.time(), person)
        acting = {"X-Acting-As-Member": home.people["child"].user_id} if caller == "child" else {}
        return {"Cookie": f"session={secret}", **acting}

    async def _home(self, *, cancelled: bool, repeats: bool) -> Home:
        store, now = self._store, time.time()
        names = ("stranger", "former", "invited", "member", "admin", "maker")
        people = {name: await self._somebody(name) for name in names}
        admin, maker = (Context(store, people[name], now) for name in ("admin", "maker"))
        group, code = await self._group(admin, [people[n] for n in ("former", "member", "maker")])
        member = Context(store, people["member"], now)
        people["child"] = await profiles.add_managed(member, display_name="Kim")
        made = await create_hangout(
            maker,
            HangoutDraft(
                title=TITLE,
                group_ids=[group.group_id],
                time=EnteredTime(start_time="2033-05-10T19:00:00+00:00"),
                place=Venue(name=PLACE),
                repetition=Repetition(frequency="DAILY") if repeats else None,
            ),
        )
        which = made.hangout_id
        for one in ("member", "child"):
            typed = TypedRsvp(status="GOING", note=NOTE)
            await answer(member, people[one], which, typed)
        left = GroupMembership.at(group_id=group.group_id, user_id=people["former"].user_id)
        await store.write(delete(left))
        await invite(maker, which, people["invited"].email or "")
        invited = Context(store, people["invited"], now)
        await answer(invited, invited.person, which, TypedRsvp(status="GOING"))
        plan = await furnish_plan(store, now, people, which, NOTE)
        poll = await self._plan(member, [people[n] for n in ("member", "child")], which)
        opened = await set_guest_link(maker, which, is_open=True)
        token, guest = await self._guest(opened)
        if cancelled:
            await cancel(maker, which)
        places = {
            "group_id": group.group_id,
            "hangout_id": which,
            "user_id": people["invited"].user_id,
            "guest_id": guest.partition(".")[0],
            "token": token,
            **plan,
            **poll,
        }
        own = await add_own_place(member, {"name": PLACE})
        places |= await self._ideas(maker, group.group_id)
        return Home(people, places, code, guest, own.place_id)

    @staticmethod
    async def _ideas(maker: Context, group_id: str) -> dict[str, str]:
        """A place and an idea that the maker of the hangout added."""
        place = await add_group_place(maker, group_id, {"name": PLACE})
        made = await add_list(maker, group_id, {"name": TITLE})
        idea = await add_idea(maker, group_id, made.list_id, {"name": NOTE})
        return {"place_id": place.place_id, "list_id": made.list_id, "idea_id": idea.idea_id}

    async def _checklist(self, caller: str, home: Home) -> str:
        """A page of whoever asks."""
        owner = home.people.get("member" if caller == "child" else caller)
        page = Checklist(
            short_id=new_short_id().lower(),
            name="Shopping",
            expires_after=7,
            created_at=iso(time.time()),
            updated_at=iso(time.time()),
            expires_at=iso(time.time() + 3600),
            ttl=int(time.time() + 7200),
            created_by=None if owner is None else owner.user_id,
        )
        await self._store.write(create(page))
        return page.short_id

    async def _plan(self, member: Context, voters: list[User], which: str) -> dict[str, str]:
        """A poll and a thing to bring of the member's, where the member and the child have both."""
        options = [TypedHangoutPollOption(label="Chess"), TypedHangoutPollOption(label=OPTION)]
        typed = TypedHangoutPoll(subject="OTHER", title="Which?", options=options)
        poll = await create_poll(member, which, typed)
        item = await add_item(member, which, TypedBringItem(name=THING, needed=9))
        for one in voters:
            votes: dict[str, Vote] = {poll.options[0].option_id: "YES"}
            await vote(member, one, poll.ref, votes)
            await claim(member, one, item.ref, 2)
        await attach(member, which, "shareable", self._claim)
        return {
            "poll_id": poll.poll_id,
            "option_id": poll.options[0].option_id,
            "bring_item_id": item.bring_item_id,
            "kind": "shareable",
            "thing_id": "one",
        }

    @staticmethod
    async def _claim() -> Claim:
        return Claim("one", [])

    async def _group(self, admin: Context, others: list[User]) -> tuple[FriendGroup, str]:
        group = await create_group(admin, name=GROUP)
        code = (await create_code(admin, group.group_id)).code
        for one in others:
            await join(Context(self._store, one, admin.now), code)
        return group, code

    async def _guest(self, opened: Hangout) -> tuple[str, str]:
        """The link's token, and the code of a guest's answer."""
        links = self._app.state.guest_links
        token = links.token(opened)
        # From another address each time, or there would be too many.
        address = f"2001:db8:{uuid4().hex[:4]}:{uuid4().hex[:4]}::1"
        visitor = GuestLinkVisitor(self._store, links, time.time(), token, address)
        done = await answer_as_guest(visitor, TypedGuestRsvp(name="Visitor", status="GOING"))
        return token, done.change_code or ""

    async def _somebody(self, name: str) -> User:
        email = f"{uuid4()}@example.org"
        user = User(
            user_id=str(uuid4()),
            email=email,
            display_name=name.title(),
            created_at=iso(time.time()),
        )
        claim = AddressClaim(address=email, user_id=user.user_id, made_at=user.created_at)
        await self._store.write(create(user), create(claim))
        return user


@asynccontextmanager
async def opened_street(folder: Path) -> AsyncIterator[Street]:
    """A house to ask at."""
    store = HOMES.store(folder / "street.db")
    try:
        app = application(store, Settings(data=folder))
        app.state.guest_links = GuestLinks(bytes(32))
        # However often the table is asked, nobody here writes too fast.
        rate = Rate(burst=1_000_000, per_minute=1_000_000)
        often = CallLimit(WRITES.name, guest=rate, account=rate)
        app.state.call_limits = {WRITES.name: CallLimits(often)}
        yield Street(store, app)
    finally:
        await store.close()


TABLE = WhoMay(
    Path(__file__).with_name("who_may.txt"),
    callers=CALLERS,
    routes=routes_of([hangouts_api()], below=V1),
    house=opened_street,
    cell=yes_or_status,
)


@pytest.fixture
async def street(tmp_path: Path) -> AsyncIterator[Street]:
    """A house to ask at."""
    async with opened_street(tmp_path) as made:
        yield made


def test_the_table_has_every_operation() -> None:
    TABLE.check_nothing_is_missing()


@TABLE.each_route
async def test_an_operation_answers_everybody_as_the_table_says_and_tells_nobody_too_much(
    street: Street, method: str, path: str
) -> None:
    told = await TABLE.ask_everybody(street, method, path)
    if path.startswith(OF_GUESTS) or path == "/groups/join":
        return
    for caller in ("guest", "stranger", "former"):
        for word in WORDS:
            assert word not in told[caller].text, caller
    assert GROUP not in told["invited"].text
