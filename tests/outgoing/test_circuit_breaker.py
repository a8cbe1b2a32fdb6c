"""Leaving a server alone after failures."""

from __future__ import annotations

import pytest

from commonroom.outgoing.circuit_breaker import CircuitBreaker


class Watch:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def watch() -> Watch:
    """The time."""
    return Watch()


@pytest.fixture
def breaker(watch: Watch) -> CircuitBreaker:
    """Opens for 30 seconds after 3 failures."""
    return CircuitBreaker(failures=3, seconds=30, clock=watch)


def fail(breaker: CircuitBreaker, times: int) -> list[bool]:
    """Which of so many failures began a rest."""
    return [breaker.failed() for _ in range(times)]


def test_nothing_is_asked_after_three_failures_in_a_row(
    breaker: CircuitBreaker, watch: Watch
) -> None:
    assert fail(breaker, 2) == [False, False]
    assert breaker.allows()
    assert fail(breaker, 2) == [True, False]
    watch.now += 29.9
    assert not breaker.allows()


def test_an_answer_in_between_makes_them_no_row(breaker: CircuitBreaker) -> None:
    for _ in range(5):
        fail(breaker, 2)
        breaker.succeeded()
    assert breaker.allows()


def test_after_the_rest_one_tries_and_the_others_wait_for_what_it_finds(
    breaker: CircuitBreaker, watch: Watch
) -> None:
    fail(breaker, 3)
    watch.now += 30
    assert [breaker.allows() for _ in range(3)] == [True, False, False]
    breaker.succeeded()
    assert [breaker.allows() for _ in range(3)] == [True, True, True]


def test_one_that_tries_in_vain_begins_another_rest(breaker: CircuitBreaker, watch: Watch) -> None:
    fail(breaker, 3)
    for _ in range(3):
        watch.now += 30
        assert breaker.allows()
        breaker.failed()
        assert not breaker.allows()


def test_one_that_never_tells_what_it_found_does_not_end_the_trying(
    breaker: CircuitBreaker, watch: Watch
) -> None:
    fail(breaker, 3)
    for _ in range(3):
        watch.now += 30
        assert [breaker.allows(), breaker.allows()] == [True, False]


def test_an_answer_to_what_was_asked_before_does_not_end_a_rest(
    breaker: CircuitBreaker, watch: Watch
) -> None:
    breaker.open_for(100)
    breaker.succeeded()
    watch.now += 99
    assert not breaker.allows()
    watch.now += 1
    assert breaker.allows()
