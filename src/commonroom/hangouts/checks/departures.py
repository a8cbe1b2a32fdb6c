"""What people have on a hangout who may no longer have it, or who said that they cannot come."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from msgspec.structs import replace

from commonroom.hangouts.checks.attendance import is_stray
from commonroom.hangouts.checks.people import HangoutPeople
from commonroom.hangouts.checks.snapshots import HangoutSnapshot
from commonroom.hangouts.rules.polls import tally_changes
from commonroom.hangouts.service.rsvps import removal_writes
from commonroom.hangouts.service.seats import freed, leave_car
from commonroom.hangouts.tables import (
    Attachment,
    Ballot,
    BringClaim,
    BringItem,
    Car,
    Hangout,
    HangoutPoll,
    Offer,
    Ride,
    Rsvp,
    Spot,
    Ticket,
)
from commonroom.store import (
    Write,
    as_read,
    check,
    count,
    delete,
    equal,
    remove,
    update,
)
from commonroom.store.checking import Problem

Taken: TypeAlias = Ballot | BringClaim | Spot | Ticket

LOST = "It belongs to somebody who may no longer have this hangout."
DECLINED = "It belongs to somebody who cannot come."


class Departures:
    """Takes things back one after the other, each from what is left by those before it."""

    def __init__(
        self,
        snapshot: HangoutSnapshot,
        people: HangoutPeople,
        hangout: Hangout,
        cars: dict[str, Car],
    ) -> None:
        self._snapshot, self._people = snapshot, people
        self._hangout, self._cars = hangout, cars
        self._polls = {one.poll_id: one for one in snapshot.of(HangoutPoll)}
        self._items = {one.bring_item_id for one in snapshot.of(BringItem)}
        self._offers = {one.offer_id for one in snapshot.of(Offer)}
        self._rides = {one.user_id: one for one in snapshot.of(Ride)}

    def find_problems(self, now: float) -> Iterator[Problem]:
        """Yields what goes."""
        lost = self._people.lost
        for thing in self._snapshot.things:
            if isinstance(thing, Ballot | BringClaim | Spot | Ticket) and thing.user_id in lost:
                yield self._found(thing, *self._take_back(thing), self._same_hangout())
        yield from self._attachments_of_lost()
        yield from self._offers_of_lost()
        yield from self._rsvps_of_lost(now)
        for user_id in [one for one in self._rides if one in lost]:
            ride = self._rides[user_id]
            yield self._found(ride, *self._unseated(ride), self._same_hangout())
        yield from self._declined()

    def _rsvps_of_lost(self, now: float) -> Iterator[Problem]:
        answers = {one.user_id: one for one in self._snapshot.of(Rsvp)}
        for own in answers.values():
            # Companions go with their party, and stray by themselves.
            if own.user_id in self._people.lost and not is_stray(own, answers):
                party = answers.get(own.with_user_id or "")
                if party is not None and party.user_id in self._people.lost:
                    continue
                self._hangout, writes = removal_writes(self._hangout, now, own, party)
                yield self._found(own, *writes)

    def _offers_of_lost(self) -> Iterator[Problem]:
        for offer in self._snapshot.of(Offer):
            if offer.user_id in self._people.lost:
                before = self._hangout
                left = [one for one in before.offer_ids if one != offer.offer_id]
                held = as_read(before, "offer_ids", "version")
                self._hangout = replace(before, offer_ids=left)
                # Its spots are cleared up after it.
                yield self._found(offer, delete(offer), update(before, offer_ids=left, if_=held))

    def _attachments_of_lost(self) -> Iterator[Problem]:
        for one in self._snapshot.of(Attachment):
            if one.user_id in self._people.lost:
                yield self._found(one, *remove(one), self._same_hangout())

    def _declined(self) -> Iterator[Problem]:
        """Seats, spots and claims of who cannot come; tickets that they have, they may give."""
        answers = {
            one.user_id: one
            for one in self._snapshot.of(Rsvp)
            if one.status == "NOT_GOING" and one.user_id not in self._people.lost
        }
        needed = [one for one in self._snapshot.of(Ticket) if one.status == "NEEDS"]
        taken: list[Taken] = [*self._snapshot.of(BringClaim), *self._snapshot.of(Spot), *needed]
        for thing in taken:
            if thing.user_id in answers:
                still = check(answers[thing.user_id], if_=equal(status="NOT_GOING"))
                yield Problem.of("declined", thing, DECLINED, *self._take_back(thing), still)
        for user_id in [one for one in self._rides if one in answers]:
            ride = self._rides[user_id]
            still = check(answers[user_id], if_=equal(status="NOT_GOING"))
            yield Problem.of("declined", ride, DECLINED, *self._unseated(ride), still)

    def _take_back(self, thing: Taken) -> list[Write]:
        """Returns what removes something, and what counted it."""
        match thing:
            case Ballot():
                poll = self._polls.get(thing.poll_id)
                same = as_read(thing, "votes")
                if poll is None:
                    return [delete(thing, if_=same)]
                fewer = tally_changes(poll.options, thing.votes, {})
                counted = update(poll.ref, tallies=count(fewer), if_=equal(version=poll.version))
                return [*remove(thing, if_=same), counted]
            case BringClaim():
                is_counted = thing.bring_item_id in self._items
                return remove(thing) if is_counted else [delete(thing)]
            case Spot():
                return remove(thing) if thing.offer_id in self._offers else [delete(thing)]
            case Ticket():
                return [delete(thing, if_=as_read(thing, "status", "number"))]

    def _unseated(self, ride: Ride) -> list[Write]:
        """Returns what gives a seat back, or takes a car away with all seats in it."""
        gone = delete(ride, if_=as_read(ride, "car_id", "people"))
        car = self._cars.get(ride.car_id or "")
        if car is None:
            return [gone]
        if car.user_id == ride.user_id:
            del self._cars[car.car_id]
            riders = [one for one in self._rides.values() if one.car_id == car.car_id]
            others = [one for one in riders if one != ride]
            self._rides |= {one.user_id: replace(one, car_id=None) for one in others}
            away = delete(car, if_=as_read(car, "rider_ids"))
            return [gone, away, *(freed(one) for one in others)]
        left = [one for one in car.rider_ids if one != ride.user_id]
        fewer = replace(car, rider_ids=left, seats_taken=car.seats_taken - ride.people)
        self._cars[car.car_id] = fewer
        return [gone, leave_car(car, ride)]

    def _found(self, thing: Taken | Ride | Rsvp | Offer | Attachment, *writes: Write) -> Problem:
        held = self._people.still_lost(self._hangout, thing.user_id)
        return Problem.of("access", thing, LOST, *writes, *held)

    def _same_hangout(self) -> Write:
        return check(self._hangout, if_=equal(version=self._hangout.version))
