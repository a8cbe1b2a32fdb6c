"""A cache whose entries expire."""

from __future__ import annotations

from commonroom.outgoing.ttl_cache import TtlCache
from tests.accounts.people import Watch


def test_a_thing_is_remembered_for_its_time() -> None:
    clock = Watch()
    cache: TtlCache[str] = TtlCache(10, clock)
    cache.put("a", "thing", 5)
    clock.forward(4)
    assert cache.get("a") == "thing"
    clock.forward(1)
    assert cache.get("a") is None


def test_the_oldest_goes_where_there_are_too_many() -> None:
    cache: TtlCache[int] = TtlCache(2)
    for number, name in enumerate(["a", "b", "a", "c"]):
        cache.put(name, number, 60)
    assert [cache.get(name) for name in ("a", "b", "c")] == [2, None, 3]
