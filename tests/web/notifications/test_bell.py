"""The bell's numbers: in all, and in each room."""

from __future__ import annotations

from commonroom.house.rooms import ROOMS
from commonroom.notify.notifications import MOST_COUNTED
from commonroom.notify.tables import Notification
from commonroom.web.notifications.bell import rooms_of_kinds, unread_numbers

OF_ROOMS = {"new_round": "movienight", "idea": "hangouts", "answer": "hangouts"}


def told(*kinds: str) -> list[Notification]:
    """What somebody has not read."""
    return [
        Notification(
            user_id="ada",
            notification_id=str(number),
            kind=kind,
            facts={},
            link="/",
            made_at="2026-11-17T10:00:00Z",
            ttl=1,
        )
        for number, kind in enumerate(kinds)
    ]


def test_nothing_unread_is_nothing_in_any_room() -> None:
    assert unread_numbers([], OF_ROOMS) == "0"


def test_each_room_has_its_own_and_what_is_of_none_counts_in_all() -> None:
    unread = told("idea", "new_round", "answer", "password_changed")
    assert unread_numbers(unread, OF_ROOMS) == "4 hangouts:2 movienight:1"


def test_where_there_are_more_than_are_counted_each_number_says_so() -> None:
    unread = told(*["idea"] * (MOST_COUNTED - 1), "new_round", "idea")
    assert unread_numbers(unread, OF_ROOMS) == "20+ hangouts:19+ movienight:1+"


def test_every_kind_of_a_room_is_known_and_none_of_one_that_is_switched_off() -> None:
    known = rooms_of_kinds(ROOMS)
    assert known.keys() == {kind.name for room in ROOMS for kind in room.notification_kinds}
    library = tuple(room for room in ROOMS if room.key == "library")
    assert set(rooms_of_kinds(library).values()) == {"library"}
