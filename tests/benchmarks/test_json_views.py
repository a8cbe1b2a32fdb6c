from __future__ import annotations

from pathlib import Path

from benchmarks.json_views import BARE, FASTAPI, compare
from benchmarks.rooms import ROOMS, VIEWS
from benchmarks.visiting import CONNECTIONS
from commonroom.house.rooms import ROOMS as ROOMS_OF_THE_HOUSE


async def test_every_view_is_measured_against_the_same_answer_by_hand(tmp_path: Path) -> None:
    rows = await compare(tmp_path, passes=1, calls=CONNECTIONS, few_calls=CONNECTIONS)
    by_hand = [one for one in rows if one.against == BARE]
    assert [one.name for one in by_hand] == [view.name for view in VIEWS.values()]
    assert {str(one.bound) for one in by_hand} == {"≥ 0.5"}
    assert all(one.ours > 0 and one.theirs > 0 and one.limit for one in rows)
    others = [one for one in rows if one.against != BARE]
    assert len(others) == 2
    assert {(one.against, one.bound) for one in others} == {(FASTAPI, None)}


def test_every_room_that_is_open_has_rows() -> None:
    measured = {one.room for one in ROOMS if one.views}
    opened = {room.key for room in ROOMS_OF_THE_HOUSE if room.address is not None}
    assert opened - measured == set(), "CONTRIBUTING.md says how a room adds its rows"


def test_no_two_views_have_one_key() -> None:
    assert len(VIEWS) == sum(len(one.views) for one in ROOMS)
