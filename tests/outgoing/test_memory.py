"""What is remembered for a while."""

from __future__ import annotations

from commonroom.outgoing.memory import Memory
from tests.accounts.people import Watch


def test_a_thing_is_remembered_for_its_time() -> None:
    clock = Watch()
    memory: Memory[str] = Memory(10, clock)
    memory.keep("a", "thing", 5)
    clock.forward(4)
    assert memory.find("a") == "thing"
    clock.forward(1)
    assert memory.find("a") is None


def test_the_oldest_goes_where_there_are_too_many() -> None:
    memory: Memory[int] = Memory(2)
    for number, name in enumerate(["a", "b", "a", "c"]):
        memory.keep(name, number, 60)
    assert [memory.find(name) for name in ("a", "b", "c")] == [2, None, 3]
