"""Counts of requests and how long they took, as Prometheus reads them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, MutableSequence

from commonroom.http.access import Need
from commonroom.http.request import Request
from commonroom.http.responses import Response
from commonroom.http.routes import get

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
METHODS = ("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "OTHER")
"""Anybody can make up a method, so those share a name."""
STATUSES = ("1xx", "2xx", "3xx", "4xx", "5xx")
TEXT = "text/plain; version=0.0.4; charset=utf-8"

# A row of numbers: requests by method and status, requests by how long they took, and the sum.
_METHOD = {method: number * len(STATUSES) for number, method in enumerate(METHODS)}
_BUCKETS = len(METHODS) * len(STATUSES)
_SUM = _BUCKETS + len(SECONDS) + 1
WIDTH = _SUM + 1


class Metrics:
    """What was answered. Processes that share the numbers count in a row each, and tell of all."""

    def __init__(self, numbers: MutableSequence[float] | None = None, row: int = 0) -> None:
        self._numbers = [0.0] * WIDTH if numbers is None else numbers
        self._row = row * WIDTH

    def observe(self, method: str, status: int, seconds: float) -> None:
        """Counts one answer; this is what `wrap_app` calls."""
        numbers, row = self._numbers, self._row
        numbers[row + _METHOD.get(method, _METHOD["OTHER"]) + status // 100 - 1] += 1
        numbers[row + _BUCKETS + bisect_left(SECONDS, seconds)] += 1
        numbers[row + _SUM] += seconds

    def text(self) -> str:
        """Returns everything in Prometheus' text format."""
        all_rows = [sum(self._numbers[place::WIDTH]) for place in range(WIDTH)]
        return "".join(f"{line}\n" for line in (*_requests(all_rows), *_times(all_rows)))


def _requests(numbers: list[float]) -> Iterator[str]:
    yield "# HELP commonroom_requests_total Requests answered."
    yield "# TYPE commonroom_requests_total counter"
    for method, start in _METHOD.items():
        for place, status in enumerate(STATUSES, start):
            if numbers[place]:
                labels = f'method="{method}",status="{status}"'
                yield f"commonroom_requests_total{{{labels}}} {numbers[place]:.0f}"


def _times(numbers: list[float]) -> Iterator[str]:
    yield "# HELP commonroom_request_seconds How long an answer took."
    yield "# TYPE commonroom_request_seconds histogram"
    so_far = 0.0
    for place, most in enumerate((*map(str, SECONDS), "+Inf"), _BUCKETS):
        so_far += numbers[place]
        yield f'commonroom_request_seconds_bucket{{le="{most}"}} {so_far:.0f}'
    yield f"commonroom_request_seconds_sum {numbers[_SUM]:.6f}"
    yield f"commonroom_request_seconds_count {so_far:.0f}"


@get("/metrics", Need.METRICS)
async def metrics(request: Request) -> Response[str]:
    """What was counted."""
    counted: Metrics = request.app.state.metrics
    return Response(counted.text(), media_type=TEXT)
