import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonroom.rate_limits import Rate, RateLimiter, neighbourhood_of, network_of


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_burst_passes_and_then_as_many_as_the_rate_says() -> None:
    clock = Clock()
    limiter = RateLimiter(Rate(burst=3, per_minute=60), clock=clock)
    assert [limiter.take("tom") for _ in range(3)] == [0, 0, 0]
    assert limiter.take("tom") == pytest.approx(1)
    clock.now += 1
    assert limiter.take("tom") == 0
    assert limiter.take("tom") > 0


def test_a_refused_try_costs_nothing() -> None:
    clock = Clock()
    limiter = RateLimiter(Rate(burst=1, per_minute=60), clock=clock)
    limiter.take("tom")
    for _ in range(50):
        limiter.take("tom")
    clock.now += 1
    assert limiter.take("tom") == 0


def test_one_key_does_not_use_up_the_bucket_of_another() -> None:
    limiter = RateLimiter(Rate(burst=1, per_minute=1), clock=Clock())
    assert limiter.take("tom") == 0
    assert limiter.take("ines") == 0
    assert limiter.take("tom") > 0


def test_what_costs_more_waits_longer() -> None:
    limiter = RateLimiter(Rate(burst=10, per_minute=60), clock=Clock())
    assert limiter.take("tom", cost=8) == 0
    assert limiter.take("tom", cost=8) == pytest.approx(6)


def test_however_many_keys_come_only_so_many_are_remembered() -> None:
    limiter = RateLimiter(Rate(burst=1, per_minute=1), most_keys=10, clock=Clock())
    for number in range(1000):
        limiter.take(number)
    assert len(limiter._buckets) == 10


@pytest.mark.parametrize(
    "address, counted",
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("", ""),
        ("unix socket", "unix socket"),
    ],
)
def test_an_ipv6_address_counts_as_its_home(address: str, counted: str) -> None:
    assert network_of(address) == counted


@pytest.mark.parametrize(
    "address, around",
    [
        ("192.0.2.7", "192.0.2.0/24"),
        ("::ffff:192.0.2.7", "192.0.2.0/24"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"),
        ("2001:db8:1:ffff::1%eth0", "2001:db8:1::/48"),
        ("a-socket", "a-socket"),
        ("", ""),
    ],
)
def test_a_neighbourhood_is_what_one_customer_has_at_will(address: str, around: str) -> None:
    assert neighbourhood_of(address) == around


@given(st.lists(st.floats(0, 1), max_size=200))
def test_whoever_waits_for_their_turn_keeps_to_the_rate(pauses: list[float]) -> None:
    """However they come: in no second are there more turns than those at once and those after."""
    clock = Clock()
    limiter = RateLimiter(Rate(burst=10, per_minute=30 * 60), clock=clock)
    turns = []
    for pause in pauses:
        clock.now += pause * pause
        turns.append(clock.now + limiter.reserve())
    for index, turn in enumerate(turns):
        assert sum(turn <= other < turn + 1 - 1e-9 for other in turns[index:]) <= 40


def test_the_first_need_not_wait_and_the_others_come_evenly() -> None:
    limiter = RateLimiter(Rate(burst=3, per_minute=120), clock=Clock())
    assert [limiter.reserve() for _ in range(6)] == [0, 0, 0, 0.5, 1.0, 1.5]


def test_after_a_pause_some_may_come_at_once_again() -> None:
    clock = Clock()
    limiter = RateLimiter(Rate(burst=3, per_minute=120), clock=clock)
    for _ in range(10):
        limiter.reserve()
    clock.now += 10
    assert [limiter.reserve() for _ in range(4)] == [0, 0, 0, 0.5]
