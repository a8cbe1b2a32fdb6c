from __future__ import annotations

from pathlib import Path

from benchmarks.searching_people import compare


async def test_every_crowd_is_held_to_its_speed_and_to_what_others_wait(tmp_path: Path) -> None:
    speed, wait = await compare(tmp_path, crowds=[(3, 40)])
    assert speed.name == "search by 3 people with 40 items each"
    assert str(speed.bound) == "≥ 0.5"
    assert wait.unit == "ms"
    assert str(wait.bound) == "≤ 1"
