"""Leaving somebody alone after failures."""

from __future__ import annotations

import pytest

from commonroom.outgoing.breathers import Breather


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
def breather(watch: Watch) -> Breather:
    """Rests for 30 seconds after 3 failures."""
    return Breather(failures=3, seconds=30, clock=watch)


def fail(breather: Breather, times: int) -> list[bool]:
    """Which of so many failures began a rest."""
    return [breather.failed() for _ in range(times)]


def test_nothing_is_asked_after_three_failures_in_a_row(breather: Breather, watch: Watch) -> None:
    assert fail(breather, 2) == [False, False]
    assert breather.may_ask()
    assert fail(breather, 2) == [True, False]
    watch.now += 29.9
    assert not breather.may_ask()


def test_an_answer_in_between_makes_them_no_row(breather: Breather) -> None:
    for _ in range(5):
        fail(breather, 2)
        breather.answered()
    assert breather.may_ask()


def test_after_the_rest_one_tries_and_the_others_wait_for_what_it_finds(
    breather: Breather, watch: Watch
) -> None:
    fail(breather, 3)
    watch.now += 30
    assert [breather.may_ask() for _ in range(3)] == [True, False, False]
    breather.answered()
    assert [breather.may_ask() for _ in range(3)] == [True, True, True]


def test_one_that_tries_in_vain_begins_another_rest(breather: Breather, watch: Watch) -> None:
    fail(breather, 3)
    for _ in range(3):
        watch.now += 30
        assert breather.may_ask()
        breather.failed()
        assert not breather.may_ask()


def test_one_that_never_tells_what_it_found_does_not_end_the_trying(
    breather: Breather, watch: Watch
) -> None:
    fail(breather, 3)
    for _ in range(3):
        watch.now += 30
        assert [breather.may_ask(), breather.may_ask()] == [True, False]


def test_an_answer_to_what_was_asked_before_does_not_end_a_rest(
    breather: Breather, watch: Watch
) -> None:
    breather.rest(100)
    breather.answered()
    watch.now += 99
    assert not breather.may_ask()
    watch.now += 1
    assert breather.may_ask()
