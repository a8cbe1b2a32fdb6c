"""Processes that share their numbers: each counts for itself, and any of them tells of all."""

from __future__ import annotations

from array import array

from commonroom.http.metrics import WIDTH, Metrics


def lines(kept: Metrics) -> dict[str, str]:
    return dict(line.rsplit(" ", 1) for line in kept.text().splitlines() if line[0] != "#")


def test_any_process_tells_what_all_have_counted() -> None:
    numbers = array("d", [0.0] * 3 * WIDTH)
    several = [Metrics(numbers, row) for row in range(3)]
    for number, kept in enumerate(several, start=1):
        for _ in range(number):
            kept.observe("GET", 200, 0.3)
    several[0].observe("PURGE", 503, 20.0)
    told = [lines(kept) for kept in several]
    assert told[0] == told[1] == told[2]
    assert told[0]['commonroom_requests_total{method="GET",status="2xx"}'] == "6"
    assert told[0]['commonroom_requests_total{method="OTHER",status="5xx"}'] == "1"
    assert told[0]['commonroom_request_seconds_bucket{le="0.5"}'] == "6"
    assert told[0]["commonroom_request_seconds_count"] == "7"
    assert told[0]["commonroom_request_seconds_sum"] == "21.800000"


def test_a_process_that_takes_anothers_place_counts_on() -> None:
    numbers = array("d", [0.0] * 2 * WIDTH)
    for _ in range(2):
        Metrics(numbers, 1).observe("POST", 404, 0.001)
    told = lines(Metrics(numbers, 0))
    assert told['commonroom_requests_total{method="POST",status="4xx"}'] == "2"


def test_every_method_and_status_has_a_place_of_its_own() -> None:
    for method in ("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "BREW"):
        for status in (100, 204, 308, 418, 599):
            kept = Metrics()
            kept.observe(method, status, 0.0)
            name = "OTHER" if method == "BREW" else method
            labels = f'method="{name}",status="{status // 100}xx"'
            assert lines(kept)[f"commonroom_requests_total{{{labels}}}"] == "1"
            assert lines(kept)["commonroom_request_seconds_count"] == "1"
