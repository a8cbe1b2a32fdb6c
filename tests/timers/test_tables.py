"""The same thing to be done at the same moment is one timer, however often it is set."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from commonroom.timers import timer
from commonroom.timers.tables import BUCKETS, FailedTimer, Timer, bucket, timers
from tests.support.table_summaries import facts, key_attributes

AT = 1_800_000_000.0


def test_one_table_holds_what_waits_and_what_was_given_up() -> None:
    assert facts(timers) == {
        "key": "bucket S, place S",
        "indexes": {},
        "ttl": "ttl",
        "stream": False,
    }


def test_a_timer_waits_in_its_bucket_in_the_order_of_moments() -> None:
    waiting = Timer(timer_id="x", kind="nudge", about={}, due_at="2026-11-15T20:00:00.000Z")
    assert key_attributes(waiting) == {
        "bucket": bucket("x"),
        "place": "2026-11-15T20:00:00.000Z#x",
    }


def test_what_was_given_up_stands_apart() -> None:
    given_up = FailedTimer(
        timer_id="x",
        kind="nudge",
        about={},
        due_at="2026-11-15T20:00:00.000Z",
        tries=12,
        error="TimeoutError: ",
        given_up_at="2026-11-16T20:00:00.000Z",
        ttl=1,
    )
    assert key_attributes(given_up) == {
        "bucket": "given-up",
        "place": "2026-11-16T20:00:00.000Z#x",
    }


def test_the_same_kind_reason_and_moment_are_the_same_timer() -> None:
    first = timer("nudge", AT, {"round": "1", "who": "ada"})
    assert timer("nudge", AT, {"who": "ada", "round": "1"}) == first
    assert timer("nudge", AT, {"round": "2", "who": "ada"}).ref != first.ref
    assert timer("expire", AT, {"round": "1", "who": "ada"}).ref != first.ref
    assert timer("nudge", AT + 1, {"round": "1", "who": "ada"}).ref != first.ref


def test_an_id_says_what_is_the_same_whatever_it_is_about() -> None:
    first = timer("nudge", AT, {"title": "old"}, id="round#1")
    assert timer("nudge", AT, {"title": "new"}, id="round#1").ref == first.ref
    assert timer("nudge", AT, {"title": "old"}, id="round#2").ref != first.ref


@given(st.text(max_size=50), st.text(max_size=50))
def test_any_text_makes_a_timer_that_can_be_stored(kind: str, id_: str) -> None:
    made = timer(kind, AT, {}, id=id_)
    where, place = made.ref.key
    assert where in {f"due#{number}" for number in range(BUCKETS)}
    assert str(place).startswith(made.due_at)
