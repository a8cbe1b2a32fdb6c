from __future__ import annotations

import pytest

from commonroom.http.metrics import Metrics
from commonroom.http.middleware import wrap_app
from commonroom.store import Store
from tests.accounts.api.calling import Calling, Client, api, problem
from tests.http.raw import told

TOKEN = "a-token-for-prometheus"
HERE = {"host": "localhost:8400"}


class TestServing:
    async def test_it_is_not_there_unless_it_is_switched_on(self, guest: Client) -> None:
        problem(await guest.get("/metrics"), 404)

    async def test_switched_on_it_counts_what_was_answered(
        self, calling: Calling, store: Store
    ) -> None:
        app = api(store, metrics=True)
        calling.app = wrap_app(app, app.state.metrics.observe)  # type: ignore[assignment] # wrapped
        guest = await calling.guest()
        for _ in range(3):
            await guest.get("/openapi.json")
        await guest.get("/nothing")
        answer = await guest.get("/metrics", headers=HERE)
        assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
        lines = answer.text.splitlines()
        assert 'commonroom_requests_total{method="GET",status="2xx"} 3' in lines
        assert 'commonroom_requests_total{method="GET",status="4xx"} 1' in lines
        assert "commonroom_request_seconds_count 4" in lines


class TestWhoMayRead:
    """Behind a proxy on the same machine, everybody's connection comes from the machine."""

    async def test_without_a_token_the_machine_itself(self, calling: Calling, store: Store) -> None:
        calling.app = api(store, metrics=True)
        guest = await calling.guest()
        for host in ("localhost", "127.0.0.1:8400", "[::1]:8400"):
            assert (await guest.get("/metrics", headers={"host": host})).status_code == 200

    @pytest.mark.parametrize(
        "headers",
        [
            {"host": "home.example"},
            {"x-forwarded-for": "127.0.0.1"},
            {"x-forwarded-proto": "https"},
            {"x-real-ip": "127.0.0.1"},
            {"forwarded": "for=127.0.0.1"},
            {"via": "1.1 proxy"},
            {"authorization": f"Bearer {TOKEN}"} | {"host": "home.example"},
        ],
    )
    async def test_without_a_token_nobody_through_a_proxy(
        self, calling: Calling, store: Store, headers: dict[str, str]
    ) -> None:
        calling.app = api(store, metrics=True)
        answer = await (await calling.guest()).get("/metrics", headers=HERE | headers)
        problem(answer, 401)

    @pytest.mark.parametrize("address", ["192.0.2.7", "10.0.0.5", "::2", ""])
    async def test_without_a_token_nobody_from_elsewhere(self, store: Store, address: str) -> None:
        answer = await told(api(store, metrics=True), "/metrics", HERE, client=address)
        assert answer[0]["status"] == 401

    async def test_a_token_is_needed_by_the_machine_too(
        self, calling: Calling, store: Store
    ) -> None:
        calling.app = api(store, metrics=True, metrics_token=TOKEN)
        guest = await calling.guest()
        refused = await guest.get("/metrics", headers=HERE)
        problem(refused, 401)
        assert refused.headers["www-authenticate"] == "Bearer"
        for shown in ("Bearer ", f"Bearer {TOKEN}x", f"Basic {TOKEN}", "Bearer \xe9"):
            headers = HERE | {"authorization": shown}
            encoded = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
            problem(await guest.get("/metrics", headers=encoded), 401)
        headers = {"authorization": f"Bearer {TOKEN}", "x-forwarded-for": "192.0.2.7"}
        assert (await guest.get("/metrics", headers=headers)).status_code == 200

    async def test_the_token_opens_nothing_else(self, calling: Calling, store: Store) -> None:
        calling.app = api(store, metrics=True, metrics_token=TOKEN)
        guest = await calling.guest()
        headers = {"authorization": f"Bearer {TOKEN}"}
        problem(await guest.get("/api/v1/me", headers=headers), 401)


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
