from __future__ import annotations

from commonroom.store import Store
from commonroom.web.metrics import Metrics
from commonroom.web.outer import outer
from tests.web.api.calling import Calling, Client, api, problem


class TestServing:
    async def test_it_is_not_there_unless_it_is_switched_on(self, guest: Client) -> None:
        problem(await guest.get("/metrics"), 404)

    async def test_switched_on_it_counts_what_was_answered(
        self, calling: Calling, store: Store
    ) -> None:
        app = api(store, metrics=True)
        calling.app = outer(app, app.state.metrics.observe)  # type: ignore[assignment] # wrapped
        guest = await calling.guest()
        for _ in range(3):
            await guest.get("/openapi.json")
        await guest.get("/nothing")
        answer = await guest.get("/metrics")
        assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
        lines = answer.text.splitlines()
        assert 'commonroom_requests_total{method="GET",status="2xx"} 3' in lines
        assert 'commonroom_requests_total{method="GET",status="4xx"} 1' in lines
        assert "commonroom_request_seconds_count 4" in lines


class TestCounting:
    def test_buckets_hold_all_that_took_no_longer(self) -> None:
        kept = Metrics()
        for seconds in (0.001, 0.002, 0.3, 60.0):
            kept.observe("GET", 200, seconds)
        lines = dict(line.rsplit(" ", 1) for line in kept.text().splitlines() if line[0] != "#")
        assert lines['commonroom_request_seconds_bucket{le="0.001"}'] == "1"
        assert lines['commonroom_request_seconds_bucket{le="0.0025"}'] == "2"
        assert lines['commonroom_request_seconds_bucket{le="0.25"}'] == "2"
        assert lines['commonroom_request_seconds_bucket{le="0.5"}'] == "3"
        assert lines['commonroom_request_seconds_bucket{le="10.0"}'] == "3"
        assert lines['commonroom_request_seconds_bucket{le="+Inf"}'] == "4"
        assert lines["commonroom_request_seconds_sum"] == "60.303000"

    def test_made_up_methods_share_one_name(self) -> None:
        kept = Metrics()
        for number in range(1000):
            kept.observe(f"M{number}", 405, 0.001)
        assert 'commonroom_requests_total{method="OTHER",status="4xx"} 1000' in kept.text()
        assert len(kept.text().splitlines()) < 25

    def test_every_line_is_as_prometheus_reads_it(self) -> None:
        kept = Metrics()
        kept.observe("GET", 200, 0.01)
        text = kept.text()
        assert text.endswith("\n")
        for line in text.splitlines():
            assert line.startswith(("# HELP ", "# TYPE ", "commonroom_"))
