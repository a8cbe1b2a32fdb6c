"""Hangouts for the demonstration: two groups with a lively month behind and before them."""

from __future__ import annotations

from commonroom.accounts.demo import DemoPeople
from commonroom.hangouts.demo.month import DemoMonth
from commonroom.hangouts.rules.offers import TypedOffer
from commonroom.hangouts.rules.polls import TypedHangoutPollOption
from commonroom.hangouts.service import carpool, hangouts, offers
from commonroom.hangouts.service.carpool import TypedCar
from commonroom.hangouts.service.rsvps import TypedRsvp
from commonroom.hangouts.service.tickets import TypedTicket, describe_tickets, set_ticket
from commonroom.hangouts.tables import FriendGroup, Venue
from commonroom.store import Store

SATURDAY, THURSDAY = 5, 3

HOME = Venue(name="Chestnut Road 12", notes="Ring twice, the bell is shy.")
MILL = Venue(name="The old mill", address="Mill Lane 3", notes="Park behind the barn.")
HALL = Venue(name="Boulder hall", address="Harbour Street 8")
THEATRE = Venue(name="Théâtre du Port", url="https://theatre.example/ogres")


async def seed_demo(store: Store, now: float, people: DemoPeople) -> None:
    """Makes the groups, and lets everybody float, answer, vote, drive, bring and talk."""
    month = DemoMonth(store, now, people)
    friends = await month.group("Maya", "Chestnut Road and friends", "green", "Jonas Inès Tom")
    climbing = await month.group("Tom", "Thursday climbing", "orange", "Maya Inès")
    await _evenings_that_were(month, friends)
    await _lantern_walk(month, friends)
    await _karaoke(month, friends)
    await _concert(month, friends)
    await _weekend_at_the_lake(month, friends)
    await _sledging(month, friends)
    await _climbing(month, climbing)


async def _evenings_that_were(month: DemoMonth, group: FriendGroup) -> None:
    games = await month.plan(
        "Jonas",
        -18,
        group,
        "Soup and board games",
        picture="games",
        description="Bring the game you always lose.",
        time=month.at(-12, "19:00"),
        place=HOME,
        is_on=True,
    )
    await month.answers(games, -16, {"Maya": "GOING", "Inès": "GOING", "Tom": "NOT_GOING"})
    await month.talk(games, -11, [("Inès", "Who taught Finn to bluff?"), ("Maya", "Not me.")])
    market = await month.plan(
        "Inès",
        -9,
        group,
        "Flea market",
        picture="trip",
        time=month.part_of_day(-4, "morning"),
        place=Venue(name="Market square"),
        is_on=True,
    )
    await month.answers(market, -8, {"Maya": "GOING", "Jonas": "INTERESTED"})
    await month.talk(market, -3, [("Maya", "Four lamps. We do not need to talk about it.")])


async def _lantern_walk(month: DemoMonth, group: FriendGroup) -> None:
    walk = await month.plan(
        "Maya",
        -6,
        group,
        "Lantern walk",
        picture="hike",
        description="From the mill along the river, **slowly**. Soup at ours afterwards.",
        time=month.at(month.next(SATURDAY), "17:00", "20:00"),
        place=MILL,
        is_on=True,
    )
    await month.answer(walk, -5, "Maya", TypedRsvp(status="GOING", companion_ids=month.children))
    await month.answers(walk, -4, {"Jonas": "GOING", "Tom": "GOING"})
    await month.answer(
        walk, -3, "Inès", TypedRsvp(status="GOING", plus_guests=1, note="My sister comes too.")
    )
    await month.bring(walk, {"Lanterns": (4, {"Maya": 2}), "Apple juice": (2, {"Inès": 1})})
    await month.bring(walk, {"Bread": (2, {}), "Matches": (1, {"Tom": 1})})
    car = await carpool.offer_car(
        month.ctx("Tom", -2), walk.hangout_id, TypedCar(seats=5, note="Leaving at half past four.")
    )
    await carpool.take_seat(month.ctx("Inès", -1), month.people["Inès"], car.ref, plus_guests=1)
    await carpool.need_ride(
        month.ctx("Jonas", -1), month.people["Jonas"], walk.hangout_id, note="From the station."
    )
    await month.talk(
        walk,
        -1,
        [
            ("Tom", "If it rains, it is a rain walk."),
            ("Maya", "Lea has made a dragon. It glows. Everyone must admire it."),
        ],
    )


async def _karaoke(month: DemoMonth, group: FriendGroup) -> None:
    saturday = month.next(SATURDAY) + 7
    idea = await month.plan("Inès", -3, group, "Karaoke?", picture="karaoke")
    await month.answers(idea, -2, {"Maya": "INTERESTED", "Tom": "INTERESTED"})
    await month.poll(
        idea,
        "TIME",
        [
            TypedHangoutPollOption(time=month.part_of_day(saturday - 1, "evening")),
            TypedHangoutPollOption(time=month.part_of_day(saturday, "evening")),
            TypedHangoutPollOption(time=month.part_of_day(saturday + 1, "afternoon")),
        ],
        {
            "Inès": ["YES", "YES", "MAYBE"],
            "Maya": ["NO", "YES", "YES"],
            "Tom": ["MAYBE", "YES", "NO"],
        },
    )
    await month.talk(idea, -1, [("Jonas", "I only know one song. It is eight minutes long.")])


async def _concert(month: DemoMonth, group: FriendGroup) -> None:
    night = month.next(SATURDAY) + 14
    concert = await month.plan(
        "Tom",
        -8,
        group,
        "Les Ogres, live",
        picture="music",
        description="They play once a year. Last year they played for four hours.",
        time=month.at(night, "20:30", "23:30"),
        place=THEATRE,
        link="https://theatre.example/ogres",
    )
    await month.answers(concert, -7, {"Tom": "GOING", "Inès": "GOING", "Jonas": "INTERESTED"})
    await describe_tickets(
        month.ctx("Tom", -7),
        concert.hangout_id,
        link="https://theatre.example/tickets",
        price="about 24 €",
    )
    bought = TypedTicket(status="HAS", number=1, section="Balcony", seat="12")
    await set_ticket(month.ctx("Tom", -6), month.people["Tom"], concert.hangout_id, bought)
    offer = await offers.make_offer(
        month.ctx("Inès", -5),
        concert.hangout_id,
        TypedOffer(
            title="I can buy four together",
            price="24 €",
            deadline=month.moment(night - 7, "18:00"),
            capacity=4,
        ),
    )
    await offers.claim_spots(month.ctx("Jonas", -4), month.people["Jonas"], offer.ref, 2)


async def _weekend_at_the_lake(month: DemoMonth, group: FriendGroup) -> None:
    lake = await month.plan(
        "Jonas",
        -2,
        group,
        "A weekend at the lake",
        picture="swim",
        description="Before it freezes. Or after, with skates.",
    )
    await month.answers(lake, -1, {"Maya": "INTERESTED"})
    await month.poll(
        lake,
        "PLACE",
        [
            TypedHangoutPollOption(
                place=Venue(name="The hut", notes="No electricity, two stoves.")
            ),
            TypedHangoutPollOption(place=Venue(name="The guesthouse", notes="Breakfast!")),
        ],
        {"Maya": ["MAYBE", "YES"], "Jonas": ["YES", "MAYBE"]},
    )


async def _sledging(month: DemoMonth, group: FriendGroup) -> None:
    sledging = await month.plan(
        "Maya",
        -7,
        group,
        "Sledging",
        picture="sports",
        time=month.part_of_day(month.next(SATURDAY) + 8, "afternoon"),
        place=Venue(name="The hill behind the school"),
        is_on=True,
    )
    await month.answers(sledging, -6, {"Jonas": "GOING"})
    await hangouts.cancel(month.ctx("Maya", -1), sledging.hangout_id)
    await month.talk(sledging, -1, [("Maya", "No snow. We tried asking nicely.")])


async def _climbing(month: DemoMonth, group: FriendGroup) -> None:
    first = month.next(THURSDAY)
    for day in (first - 14, first - 7, first, first + 7, first + 14):
        made = min(day, 0) - 3
        evening = await month.plan(
            "Tom",
            made,
            group,
            "Climbing",
            picture="sports",
            time=month.at(day, "18:30", "21:00"),
            place=HALL,
            is_on=True,
        )
        if day <= first:
            await month.answers(evening, made + 1, {"Maya": "GOING", "Inès": "GOING"})
    beginners = await month.plan(
        "Inès",
        -4,
        group,
        "Belaying for beginners",
        picture="sports",
        description="The hall lends ropes. Two of us can teach, so two can learn.",
        time=month.part_of_day(first + 10, "day"),
        place=HALL,
        place_limit=2,
        is_on=True,
    )
    await month.answers(beginners, -3, {"Tom": "GOING"})
    await month.answers(beginners, -2, {"Maya": "GOING"})
