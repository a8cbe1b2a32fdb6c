"""Nobody is told of what they did themselves, kind by kind; a kind without a row here fails."""

from __future__ import annotations

import ast
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.room import HANGOUTS
from commonroom.hangouts.rules.offers import TypedOffer
from commonroom.hangouts.service import carpool
from commonroom.hangouts.service.carpool import TypedCar
from commonroom.hangouts.service.edits import change_hangout
from commonroom.hangouts.service.hangouts import bring_back, cancel, confirm
from commonroom.hangouts.service.offers import claim_spots, delete_offer, make_offer
from commonroom.hangouts.service.rsvps import TypedRsvp, answer
from commonroom.hangouts.tables import Hangout
from commonroom.house.consumers import notification_kinds
from commonroom.model import MODEL
from commonroom.notifications.tables import Notification, kept_for_person
from commonroom.store import Store
from commonroom.store.embedded import EmbeddedEngine
from commonroom.store.streams import Worker
from commonroom.timers import Scheduler
from tests.accounts.people import Watch
from tests.hangouts.friends import DAY, group_of, hangout_of, somebody, starts_in

ROOT = Path(__file__).parents[2]
TIME = "time passes, and nobody does anything"
SECURITY = "told to oneself on purpose: somebody else may sit at one's browser"


class World:
    """A group in which Ada does something, and Ben should hear of it."""

    def __init__(self, store: Store, clock: Watch, ada: User, ben: User) -> None:
        self.store, self.clock, self.ada, self.ben = store, clock, ada, ben

    def ctx(self, who: User) -> Context:
        self.clock.forward(1)
        return Context(self.store, who, self.clock())

    async def follow(self) -> None:
        """Lets happen what follows within two minutes."""
        worker = Worker(self.store, HANGOUTS.data.consumers, clock=self.clock)
        scheduler = Scheduler(self.store, HANGOUTS.data.timer_handlers, clock=self.clock)
        for _ in range(2):
            while await worker.drain() + await scheduler.once():
                pass
            self.clock.forward(61)

    async def told(self, who: User) -> list[str]:
        """The kinds of what somebody was told."""
        await self.follow()
        kept = [one async for one in self.store.all(kept_for_person(user_id=who.user_id))]
        return [one.kind for one in kept if isinstance(one, Notification)]

    async def hangout(self, maker: User | None = None, **given: object) -> Hangout:
        """One for both of them, to which both want to go."""
        group = await group_of(self.store, self.clock, self.ada, self.ben)
        when = starts_in(self.clock, 3 * DAY)
        maker = maker or self.ada
        made = await hangout_of(self.store, self.clock, maker, group, time=when, **given)
        await self.follow()
        return made

    async def goes(self, who: User, made: Hangout) -> None:
        await answer(self.ctx(who), who, made.hangout_id, TypedRsvp(status="GOING"))


async def _new(world: World) -> None:
    await world.hangout()


async def _changed(world: World) -> None:
    made = await world.hangout(is_on=True)
    for one in (world.ada, world.ben):
        await world.goes(one, made)
    fields = {"time": starts_in(world.clock, 2 * DAY)}
    await change_hangout(world.ctx(world.ada), made.hangout_id, fields, version=1)


async def _cancelled(world: World) -> None:
    made = await world.hangout(is_on=True)
    for one in (world.ada, world.ben):
        await world.goes(one, made)
    await cancel(world.ctx(world.ada), made.hangout_id)
    await world.follow()


async def _back(world: World) -> None:
    made = await world.hangout(is_on=True)
    for one in (world.ada, world.ben):
        await world.goes(one, made)
    await cancel(world.ctx(world.ada), made.hangout_id)
    await world.follow()
    await bring_back(world.ctx(world.ada), made.hangout_id)


async def _on(world: World) -> None:
    made = await world.hangout()
    await confirm(world.ctx(world.ada), made.hangout_id)


async def _place(world: World) -> None:
    made = await world.hangout(is_on=True, place_limit=1)
    await world.goes(world.ben, made)
    fields = {"place_limit": 2}
    await change_hangout(world.ctx(world.ada), made.hangout_id, fields, version=1)


async def _answered(world: World) -> None:
    made = await world.hangout(world.ben)
    await world.goes(world.ada, made)


async def _seat_offered(world: World) -> None:
    made = await world.hangout()
    await carpool.need_ride(world.ctx(world.ben), world.ben, made.hangout_id)
    await carpool.offer_car(world.ctx(world.ada), made.hangout_id, TypedCar(seats=3))


async def _seat_given(world: World) -> None:
    made = await world.hangout()
    await carpool.need_ride(world.ctx(world.ben), world.ben, made.hangout_id)
    ctx = world.ctx(world.ada)
    car = await carpool.offer_car(ctx, made.hangout_id, TypedCar(seats=3))
    await carpool.take_along(ctx, car.ref, world.ben.user_id)


async def _seat_lost(world: World) -> None:
    made = await world.hangout()
    ctx = world.ctx(world.ada)
    car = await carpool.offer_car(ctx, made.hangout_id, TypedCar(seats=3))
    await carpool.take_seat(world.ctx(world.ben), world.ben, car.ref)
    await carpool.remove_rider(ctx, car.ref, world.ben.user_id)


async def _spot_lost(world: World) -> None:
    made, ctx = await world.hangout(), world.ctx(world.ada)
    offer = await make_offer(ctx, made.hangout_id, TypedOffer(title="A room", capacity=8))
    for one in (world.ada, world.ben):
        await claim_spots(world.ctx(one), one, offer.ref)
    await delete_offer(ctx, offer.ref)


Deed: TypeAlias = Callable[[World], Awaitable[None]]
ROUNDS = "tests/movienight/test_consumers_rounds.py"
LINKS = "tests/hangouts/consumers/test_ended_links.py"
POLLS = "tests/hangouts/consumers/test_poll_news.py"
MEMBERS = "tests/movienight/test_consumers_members.py"
LIBRARY = "tests/library/consumers/test_news.py"
PAGES = "tests/shareables/test_maker_news.py"
CURATORS = "tests/watchlists/consumers/test_people.py"
UPDATES = "tests/watchlists/consumers/test_list_updates.py"
OWN_CURATOR = f"{CURATORS}::test_an_administrator_is_not_told_of_their_own_application_nor_decision"
TABLE: dict[str, Deed | str] = {
    "hangout_new": _new,
    "hangout_changed": _changed,
    "hangout_cancelled": _cancelled,
    "hangout_back": _back,
    "hangout_on": _on,
    "hangout_place": _place,
    "hangout_answer": _answered,
    "hangout_seat_offered": _seat_offered,
    "hangout_seat_given": _seat_given,
    "hangout_seat_lost": _seat_lost,
    "hangout_spot_lost": _spot_lost,
    "group_link_ended": f"{LINKS}::test_a_member_hears_that_a_removal_ended_their_links",
    "hangout_link_ended": (
        f"{LINKS}::test_whoever_opened_a_hangout_to_guests_hears_that_its_link_ended"
    ),
    "hangout_reminder": TIME,
    "hangout_poll_tied": TIME,
    "hangout_poll_opened": f"{POLLS}::test_an_opening_is_told_once_and_not_to_its_maker",
    "hangout_poll_full": f"{POLLS}::test_a_maker_who_votes_last_knows",
    "hangout_decided": f"{POLLS}::test_who_voted_hears_the_day_and_a_yes_is_offered_as_going",
    "household_joined": f"{MEMBERS}::test_those_who_live_there_hear_who_joins",
    "library_lent": f"{LIBRARY}::test_a_borrower_is_told_once_until_it_is_back",
    "library_shared": f"{LIBRARY}::test_who_is_let_into_a_library_is_told_until_that_ends",
    "shareable_answers": f"{PAGES}::test_ones_own_and_blocked_answers_are_not_told",
    "shareable_votes_in": f"{PAGES}::test_is_not_told_to_who_closed_it_by_hand",
    "shareable_guessed": "whoever made a page comes in without its passcode",
    "new_round": f"{ROUNDS}::test_those_who_take_part_are_told_once",
    "pick_announce": f"{ROUNDS}::test_everybody_else_is_told_which",
    "run_off": f"{ROUNDS}::test_a_run_off_calls_everybody_again",
    "votes_in": f"{ROUNDS}::test_who_votes_last_themselves_knows",
    "vote_nudge": TIME,
    "library_overdue": TIME,
    "library_due_back": TIME,
    "watchlist_application": OWN_CURATOR,
    "watchlist_approved": OWN_CURATOR,
    "watchlist_declined": OWN_CURATOR,
    "watchlist_suspended": OWN_CURATOR,
    "watchlist_reinstated": OWN_CURATOR,
    "watchlist_comment": f"{CURATORS}::test_the_owner_is_told_of_others_comments",
    "watchlist_joined": "nobody joins their own list",
    "watchlist_new_list": "nobody follows themselves",
    "watchlist_update": f"{UPDATES}::test_whoever_added_it_is_not_told",
    "webhook_given_up": TIME,
    "account_reset_link": SECURITY,
    "account_password": SECURITY,
    "account_address": SECURITY,
    "account_token": SECURITY,
    "account_webhook": SECURITY,
    "account_administrator": SECURITY,
    "account_ordinary": SECURITY,
    "account_disabled": SECURITY,
    "account_enabled": SECURITY,
    "account_deleted": SECURITY,
}


@pytest.fixture
async def world(tmp_path: Path, clock: Watch) -> AsyncIterator[World]:
    """Ada and Ben."""
    engine = EmbeddedEngine(tmp_path / "house.db", MODEL.tables, durability="OFF", clock=clock)
    store = Store(engine)
    ada, ben = [await somebody(store, clock, name) for name in ("Ada", "Ben")]
    yield World(store, clock, ada, ben)
    await store.close()


def test_every_kind_has_its_row() -> None:
    assert TABLE.keys() == notification_kinds().keys()


def test_every_test_that_is_named_is_there() -> None:
    named = {one for one in TABLE.values() if isinstance(one, str) and "::" in one}
    for one in named:
        path, _, name = one.rpartition("::")
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.AsyncFunctionDef)]
        assert name in [function.name for function in functions], one


@pytest.mark.parametrize(
    "kind, deed", [(kind, deed) for kind, deed in TABLE.items() if not isinstance(deed, str)]
)
async def test_the_other_is_told_once_and_who_did_it_is_not(
    world: World, kind: str, deed: Deed
) -> None:
    await deed(world)
    assert (await world.told(world.ben)).count(kind) == 1
    assert kind not in await world.told(world.ada)


async def test_who_gives_a_seat_back_and_still_needs_a_ride_knows(world: World) -> None:
    made = await world.hangout()
    car = await carpool.offer_car(world.ctx(world.ada), made.hangout_id, TypedCar(seats=3))
    await carpool.take_seat(world.ctx(world.ben), world.ben, car.ref)
    await carpool.need_ride(world.ctx(world.ben), world.ben, made.hangout_id)
    assert "hangout_seat_lost" not in await world.told(world.ben)
