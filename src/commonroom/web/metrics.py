"""Counts of requests and how long they took, as Prometheus reads them."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from typing import Any

from litestar import Request, Response, get
from litestar.exceptions import NotFoundException

from commonroom.web.access import Need, needs

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
TEXT = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """What this process has answered. Anybody can make up a method, so others share one name."""

    def __init__(self) -> None:
        self._requests: Counter[tuple[str, str]] = Counter()
        self._buckets = [0] * (len(SECONDS) + 1)
        self._sum = 0.0

    def observe(self, method: str, status: int, seconds: float) -> None:
        """Counts one answer; this is what `outer` calls."""
        self._requests[method if method in METHODS else "OTHER", f"{status // 100}xx"] += 1
        self._buckets[bisect_left(SECONDS, seconds)] += 1
        self._sum += seconds

    def text(self) -> str:
        """Everything in Prometheus' text format."""
        lines = [
            "# HELP commonroom_requests_total Requests answered.",
            "# TYPE commonroom_requests_total counter",
        ]
        for (method, status), count in sorted(self._requests.items()):
            labels = f'method="{method}",status="{status}"'
            lines.append(f"commonroom_requests_total{{{labels}}} {count}")
        lines += [
            "# HELP commonroom_request_seconds How long an answer took.",
            "# TYPE commonroom_request_seconds histogram",
        ]
        so_far = 0
        for most, count in zip((*map(str, SECONDS), "+Inf"), self._buckets, strict=True):
            so_far += count
            lines.append(f'commonroom_request_seconds_bucket{{le="{most}"}} {so_far}')
        lines += [
            f"commonroom_request_seconds_sum {self._sum:.6f}",
            f"commonroom_request_seconds_count {so_far}",
        ]
        return "\n".join(lines) + "\n"


@get("/metrics", opt=needs(Need.ANYONE), sync_to_thread=False)
def metrics(request: Request[Any, Any, Any]) -> Response[str]:
    """What was counted; nothing is here where the installation has not switched it on."""
    state = request.app.state
    kept: Metrics | None = state.get("metrics")
    if kept is None or not getattr(state.get("settings"), "metrics", False):
        raise NotFoundException
    return Response(kept.text(), media_type=TEXT)
