"""Cars, tickets, offers and talk in a browser, without any script."""

from __future__ import annotations

import re

import pytest
from msgspec import Struct

from commonroom.accounts.context import Context
from commonroom.accounts.tables import User
from commonroom.hangouts.service.carpool import TypedCar, offer_car, take_seat
from commonroom.hangouts.service.rsvps import TypedRsvp, answer
from commonroom.hangouts.service.talk import say
from commonroom.hangouts.tables import (
    Car,
    FriendGroup,
    Hangout,
    Offer,
    Ride,
    Spot,
    TalkMessage,
    Ticket,
)
from commonroom.http.authentication import ACTING_COOKIE
from commonroom.store import Store, counting
from tests.accounts.api.calling import Calling, Client
from tests.accounts.people import Watch
from tests.hangouts.friends import child_of, everything_of, hangout_of, now_of
from tests.hangouts.pages.browsing import refused, sent, shown
from tests.hangouts.ride_checks import check_rides


@pytest.fixture
async def adas(calling: Calling, ada: User) -> Client:
    """Ada's browser."""
    return await calling.browser(ada)


@pytest.fixture
async def bens(calling: Calling, ben: User) -> Client:
    """Ben's browser."""
    return await calling.browser(ben)


class Scene(Struct, frozen=True):
    """A hangout, its people, and where it is."""

    store: Store
    clock: Watch
    ada: User
    ben: User
    hangout_id: str

    @property
    def here(self) -> str:
        """Its address."""
        return f"/hangouts/{self.hangout_id}"

    def ctx(self, who: User) -> Context:
        """What somebody does now."""
        return Context(self.store, who, self.clock())

    async def car(self) -> Car:
        """A car of Ada's."""
        return await offer_car(self.ctx(self.ada), self.hangout_id, TypedCar(seats=4))


@pytest.fixture
def scene(store: Store, clock: Watch, ada: User, ben: User, made: Hangout) -> Scene:
    """Ada's idea."""
    return Scene(store, clock, ada, ben, made.hangout_id)


@pytest.fixture
async def made(store: Store, clock: Watch, ada: User, friends: FriendGroup) -> Hangout:
    """An idea of Ada's."""
    return await hangout_of(store, clock, ada, friends)


@pytest.fixture
def here(made: Hangout) -> str:
    """Its address."""
    return f"/hangouts/{made.hangout_id}"


class TestCars:
    async def test_a_seat_is_offered_taken_and_given_back(
        self, adas: Client, bens: Client, store: Store, here: str
    ) -> None:
        assert "Nobody drives yet." in await shown(bens, here)
        assert (
            await sent(adas, f"{here}/cars", seats="4", note="From the station") == f"{here}#cars"
        )
        (car,) = await everything_of(store.engine, Car)
        page = await shown(bens, here)
        for words in ("Ada’s car", "3 seats left", "From the station", "Ride along"):
            assert words in page
        await sent(bens, f"{here}/cars/{car.car_id}/seat", people="2")
        page = await shown(bens, here)
        for words in ("1 seat left", "with 1 other", "Leave the car"):
            assert words in page
        assert "Ride along" not in page
        await sent(bens, f"{here}/ride/leave")
        assert "3 seats left" in await shown(bens, here)
        await check_rides(store.engine)

    async def test_who_needs_a_ride_is_taken_along_in_one_tap(
        self, adas: Client, bens: Client, store: Store, ben: User, here: str
    ) -> None:
        await sent(bens, f"{here}/ride", people="1")
        assert "I need no ride" in await shown(bens, here)
        assert "Take along" not in await shown(adas, here)
        await sent(adas, f"{here}/cars", seats="2")
        assert "Take along" in await shown(adas, here)
        (car,) = await everything_of(store.engine, Car)
        await sent(adas, f"{here}/cars/{car.car_id}/take", who=ben.user_id)
        page = await shown(adas, here)
        assert "Full" in page
        assert "Needs a ride" not in page
        await sent(adas, f"{here}/cars/{car.car_id}/remove", who=ben.user_id)
        assert "Needs a ride" in await shown(adas, here)

    async def test_a_car_is_edited_and_removed_by_its_driver(
        self, adas: Client, bens: Client, store: Store, here: str
    ) -> None:
        await sent(bens, f"{here}/cars", seats="4")
        (car,) = await everything_of(store.engine, Car)
        assert "Edit car" in await shown(bens, here)
        await sent(bens, f"{here}/cars/{car.car_id}/edit", seats="3", plus_guests="1", note="")
        page = await shown(adas, here)
        assert "1 seat left" in page
        assert "The driver brings 1 other." in page
        assert "Edit car" not in page
        await sent(bens, f"{here}/cars/{car.car_id}/delete")
        assert await everything_of(store.engine, Ride) == []

    async def test_what_cannot_be_done_is_said_on_the_page(
        self, adas: Client, bens: Client, store: Store, here: str
    ) -> None:
        page = await refused(adas, f"{here}/cars", 422, seats="9")
        assert "A car has 2 to 8 seats, the driver’s included." in page
        await sent(adas, f"{here}/cars", seats="2")
        (car,) = await everything_of(store.engine, Car)
        page = await refused(bens, f"{here}/cars/{car.car_id}/seat", 409, people="2")
        assert "Only 1 left in this car." in page

    async def test_who_cannot_go_is_offered_no_seat(self, bens: Client, scene: Scene) -> None:
        await scene.car()
        declined = TypedRsvp(status="NOT_GOING")
        await answer(scene.ctx(scene.ben), scene.ben, scene.hangout_id, declined)
        page = await shown(bens, scene.here)
        assert "Ada’s car" in page
        for words in ("Ride along", "I can drive", "I need a ride"):
            assert words not in page

    async def test_a_child_rides_and_does_not_drive(self, bens: Client, scene: Scene) -> None:
        lea = await child_of(scene.store, scene.clock, scene.ben, "Lea")
        car = await scene.car()
        bens.cookies.set(ACTING_COOKIE, lea.user_id, domain="commonroom.test")
        page = await shown(bens, scene.here)
        assert "Ride along" in page
        for words in ("I can drive", "Buy or book for others"):
            assert words not in page
        await sent(bens, f"{scene.here}/cars/{car.car_id}/seat", people="1")
        assert "Lea" in await shown(bens, scene.here)


class TestTickets:
    async def test_one_tap_says_that_one_has_a_ticket_which_makes_it_on(
        self, adas: Client, bens: Client, store: Store, made: Hangout, here: str
    ) -> None:
        await sent(bens, f"{here}/ticket", status="NEEDS")
        assert "Needs a ticket" in await shown(adas, here)
        await sent(bens, f"{here}/ticket", status="HAS")
        await sent(
            bens, f"{here}/ticket", status="HAS", number="3", spare="1", section="B", seat="12"
        )
        page = await shown(adas, here)
        for words in ("Has a ticket", "3 tickets · Section B · Seat 12", "1 to spare"):
            assert words in page
        page = await shown(bens, here)
        one_tap = page.split('class="answers ticket-answers"')[1].split("</form>")[0]
        kept = dict(re.findall(r'name="(\w+)" value="([^"]*)"', one_tap.split("<button")[0]))
        assert kept == {"number": "3", "spare": "1", "section": "B", "seat": "12"}
        assert (await now_of(store, made)).momentum == "CONFIRMED"
        await sent(bens, f"{here}/ticket/remove")
        assert await everything_of(store.engine, Ticket) == []
        await refused(bens, f"{here}/ticket", 422, status="MAYBE")

    async def test_any_member_says_where_to_get_some(
        self, adas: Client, bens: Client, here: str
    ) -> None:
        link = "https://tickets.example.org"
        await sent(bens, f"{here}/tickets", ticket_link=link, ticket_price="about 25 €")
        page = await shown(adas, here)
        assert f'href="{link}" rel="nofollow noopener noreferrer"' in page
        assert "about 25 €" in page
        page = await refused(bens, f"{here}/tickets", 422, ticket_link="javascript:alert(1)")
        assert "Enter a link that starts with https://." in page


class TestOffers:
    async def test_a_room_is_offered_filled_and_booked(
        self, adas: Client, bens: Client, store: Store, here: str
    ) -> None:
        await sent(
            adas, f"{here}/offers", title="A room for 8", capacity="8", deadline="2033-05-01"
        )
        (offer,) = await everything_of(store.engine, Offer)
        assert offer.deadline == "2033-05-01T21:59:00.000Z"
        one = f"{here}/offers/{offer.offer_id}"
        page = await shown(bens, here)
        for words in ("A room for 8", "8 of 8 left", "until 1 May 2033", "Count me in"):
            assert words in page
        await sent(bens, f"{one}/spots", number="2")
        page = await shown(adas, here)
        assert 'type="date" value="2033-05-01"' in page
        assert "6 of 8 left" in page
        assert "Ben (2)" in page
        await sent(adas, f"{one}/edit", title="A flat", capacity="2", offer_id=offer.offer_id)
        assert "All taken" in await shown(adas, here)
        await sent(adas, f"{one}/settle")
        page = await shown(bens, here)
        assert "Done" in page
        assert "Count me out" not in page
        await sent(adas, f"{one}/reopen")
        await sent(bens, f"{one}/give-back")
        assert await everything_of(store.engine, Spot) == []
        await sent(adas, f"{one}/delete")
        assert "A flat" not in await shown(adas, here)

    async def test_what_was_typed_stays_where_it_is_refused(self, adas: Client, here: str) -> None:
        page = await refused(
            adas, f"{here}/offers", 422, title="A room", deadline="2020-01-01", price="40 €"
        )
        assert "This day is over." in page
        assert 'value="A room"' in page
        assert 'value="40 €"' in page
        page = await refused(adas, f"{here}/offers", 422, title="A room", deadline="soon")
        assert "Enter a day." in page


class TestTalk:
    async def test_is_read_by_others_and_deleted(
        self, adas: Client, bens: Client, store: Store, here: str
    ) -> None:
        assert await sent(bens, f"{here}/talk", text="First line\n<b>second</b>") == f"{here}#talk"
        answer = await adas.get(here)
        assert "&lt;b&gt;second&lt;/b&gt;" in answer.text
        (said,) = await everything_of(store.engine, TalkMessage)
        await sent(bens, f"{here}/talk/delete", who=said.message_id)
        assert "Nobody has said anything yet." in await shown(adas, here)
        assert "Write a message." in await refused(bens, f"{here}/talk", 422, text=" ")

    async def test_goes_on_on_a_page_of_its_own(self, bens: Client, scene: Scene) -> None:
        for number in range(26):
            scene.clock.forward(60)
            ctx = scene.ctx(scene.ada)
            await say(ctx, scene.ada, scene.hangout_id, f"Number {number}.")
        page = await shown(bens, scene.here)
        assert "Number 25." in page
        assert "Number 5." not in page
        assert f'href="{scene.here}/talk"' in page
        page = await shown(bens, f"{scene.here}/talk")
        found = re.findall(r"Number (\d+)\.", page)
        assert found == [str(one) for one in range(25, -1, -1)]


async def test_the_page_costs_the_same_with_everything_on_it(bens: Client, scene: Scene) -> None:
    async def requests() -> int:
        for _ in range(2):  # whoever asks is read anew after a write, as a first visit makes one
            await shown(bens, scene.here)
        with counting() as count:
            await shown(bens, scene.here)
        return count.requests

    before = await requests()
    car = await scene.car()
    await take_seat(scene.ctx(scene.ben), scene.ben, car.ref)
    for number in range(20):
        await say(scene.ctx(scene.ada), scene.ada, scene.hangout_id, str(number))
    assert await requests() == before == 3
