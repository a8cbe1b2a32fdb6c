"""The bell's numbers: in all, and in each room."""

from __future__ import annotations

from commonroom.house.rooms import ROOMS
from commonroom.notifications.pages.listing import rooms_of_kinds, unread_numbers, unread_pages
from commonroom.notifications.reading import Unread
from commonroom.notifications.tables import Notification

OF_ROOMS = {"new_round": "movienight", "idea": "hangouts", "answer": "hangouts"}


def told(*kinds: str, is_all: bool = True) -> Unread:
    """What somebody has not read, of a thing each; the same number is the same thing."""
    return Unread(
        [
            Notification(
                user_id="ada",
                notification_id=str(number),
                kind=kind.rstrip("1234567890"),
                facts={},
                link=f"/{kind}#{number}",
                made_at="2026-11-17T10:00:00Z",
                ttl=1,
            )
            for number, kind in enumerate(kinds)
        ],
        is_all,
    )


def test_nothing_unread_is_nothing_in_any_room() -> None:
    assert unread_numbers(told(), OF_ROOMS) == "0"


def test_each_room_has_its_own_and_what_is_of_none_counts_in_all() -> None:
    unread = told("idea", "new_round", "answer", "password_changed")
    assert unread_numbers(unread, OF_ROOMS) == "4 hangouts:2 movienight:1"


def test_what_is_about_one_thing_counts_once() -> None:
    unread = told("idea1", "idea1", "idea2", "new_round")
    assert unread_numbers(unread, OF_ROOMS) == "3 hangouts:2 movienight:1"
    assert unread_pages(unread) == ["/idea1", "/idea2", "/new_round"]


def test_where_there_are_more_than_are_counted_each_number_says_so() -> None:
    unread = told(*(f"idea{number}" for number in range(24)), "new_round", is_all=False)
    assert unread_numbers(unread, OF_ROOMS) == "20+ hangouts:24+ movienight:1+"


def test_every_kind_of_a_room_is_known_and_none_of_one_that_is_switched_off() -> None:
    known = rooms_of_kinds(ROOMS)
    assert known.keys() == {kind.name for room in ROOMS for kind in room.data.notification_kinds}
    library = tuple(room for room in ROOMS if room.key == "library")
    assert set(rooms_of_kinds(library).values()) == {"library"}
