"""The steps that every request takes, in their order, and what is answered where one fails."""

from __future__ import annotations

import logging
from functools import partial
from typing import Any

import pytest

from commonroom.errors import Conflict, Forbidden
from commonroom.http.access import Need
from commonroom.http.application import App, State
from commonroom.http.asgi import ASGIApp, Receive, Scope, Send
from commonroom.http.operations import Operations
from commonroom.http.problems import handle_error
from commonroom.http.request import Request
from commonroom.http.responses import JsonResponse, Response
from commonroom.http.routes import Router, get, post
from commonroom.settings import Settings
from tests.http.raw import told

taken: list[str] = []
"""The steps that were taken."""


@pytest.fixture(autouse=True)
def _nothing_taken() -> None:
    taken.clear()


async def step(name: str, _: Request) -> None:
    taken.append(name)


async def refuse(name: str, _: Request) -> None:
    taken.append(name)
    raise Forbidden("Not you.")


async def answer_early(request: Request) -> Response[str] | None:
    taken.append("before")
    return Response("early", status_code=202) if request.path.endswith("early") else None


@get("/things/{what:str}", Need.ANYONE)
async def thing(what: str) -> Response[Any]:
    taken.append("act")
    match what:
        case "taken":
            raise Conflict("It is taken.")
        case "broken":
            raise ZeroDivisionError
        case "odd":
            return Response(object())
    return Response(what, media_type="text/plain")


@post("/things", Need.ANYONE)
async def add(request: Request) -> Response[Any]:
    taken.append(f"act with {len(await request.body())} bytes")
    return Response("added")


async def break_off(_: Scope, __: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    raise ZeroDivisionError


def app(*guards: Any, guard: Any = None, **options: Any) -> App:
    router = Router("/", [thing, add], guards=guards, **options)
    return App([router], guard=guard or partial(step, "who may"))


async def answered(app: App, path: str, **asked: Any) -> tuple[int, bytes]:
    start, body = await told(app, path, **asked)
    return start["status"], body["body"]


class TestSteps:
    async def test_are_who_may_then_what_the_router_adds_and_then_the_route(self) -> None:
        made = app(partial(step, "how often"), before=answer_early)
        assert await answered(made, "/things/lamp") == (200, b"lamp")
        assert taken == ["who may", "how often", "before", "act"]

    @pytest.mark.parametrize("path, method", [("/nothing", "GET"), ("/things/lamp", "PUT")])
    async def test_begin_only_where_there_is_something(self, path: str, method: str) -> None:
        status, _ = await answered(app(), path, method=method)
        assert status in (404, 405)
        assert taken == []

    async def test_end_with_whoever_may_not(self) -> None:
        made = app(partial(step, "how often"), guard=partial(refuse, "who may"))
        assert (await answered(made, "/things/lamp"))[0] == 403
        assert taken == ["who may"]

    async def test_end_with_whoever_does_it_too_often(self) -> None:
        made = app(partial(refuse, "how often"), before=answer_early)
        assert (await answered(made, "/things/lamp"))[0] == 403
        assert taken == ["who may", "how often"]

    async def test_end_where_a_router_answers_itself(self) -> None:
        assert await answered(app(before=answer_early), "/things/early") == (202, b"early")
        assert taken == ["who may", "before"]

    async def test_are_the_same_for_what_tells_of_methods(self) -> None:
        made = app(partial(step, "how often"), before=answer_early)
        start, _ = await told(made, "/things/lamp", method="OPTIONS")
        assert start["headers"] == [(b"allow", b"GET, OPTIONS")]
        assert taken == ["who may", "how often", "before"]


class TestFailures:
    @pytest.mark.parametrize("what, status", [("taken", 409), ("broken", 500), ("odd", 500)])
    async def test_are_answered_wherever_they_happen_and_nothing_is_done_twice(
        self, what: str, status: int, caplog: pytest.LogCaptureFixture
    ) -> None:
        with caplog.at_level(logging.ERROR):
            assert (await answered(app(), f"/things/{what}"))[0] == status
        assert taken == ["who may", "act"]
        assert len(caplog.records) == (status == 500)

    async def test_are_answered_by_the_router_where_it_knows_them(self) -> None:
        def explain(request: Request, error: Conflict) -> Response[Any]:
            return Response(f"{request.path}: {error.detail}", status_code=error.status)

        made = app(on_errors={Conflict: explain})
        assert await answered(made, "/things/taken") == (409, b"/things/taken: It is taken.")
        assert (await answered(made, "/things/taken/not"))[0] == 404

    async def test_carry_the_headers_of_their_router_once(self) -> None:
        made = app(headers=[(b"marked", b"yes")])
        for path, marks in (("/things/lamp", 1), ("/things/taken", 1), ("/nothing", 0)):
            start, _ = await told(made, path)
            assert start["headers"].count((b"marked", b"yes")) == marks

    async def test_after_an_answer_has_begun_are_for_the_server(self) -> None:
        @get("/breaks", Need.ANYONE)
        async def breaks() -> ASGIApp:
            return break_off

        with pytest.raises(ZeroDivisionError):
            await told(App([breaks]), "/breaks")


class TestLimits:
    async def test_hold_for_whoever_reads_the_body_first(self) -> None:
        async def reads(request: Request) -> None:
            taken.append("reads")
            await request.body()

        sent = [b"x" * 6, b"x" * 6]
        assert (await answered(app(reads, max_body=10), "/things", method="POST", body=sent))[
            0
        ] == 413
        assert taken == ["who may", "reads"]

    @pytest.mark.parametrize("headers", [{"content-length": "11"}, {"content-length": "9" * 4000}])
    async def test_refuse_what_is_only_said_to_be_larger_before_it_comes(
        self, headers: dict[str, str]
    ) -> None:
        made = app(max_body=10)
        answer = await answered(made, "/things", headers=headers, method="POST", body=[b"x"])
        assert answer[0] == 413

    async def test_let_through_as_much_as_they_say(self) -> None:
        sent = [b"x" * 5, b"", b"x" * 5]
        answer = await answered(app(max_body=10), "/things", method="POST", body=sent)
        assert answer == (200, b"added")
        assert taken == ["who may", "act with 10 bytes"]

    async def test_of_an_operation_hold_before_it_is_looked_up_whether_it_was_done(self) -> None:
        api = Operations("Things")

        @api.post("/notes", Need.ANYONE, repeatable=True)
        async def write(request: Request) -> JsonResponse[None]:
            """Write."""
            taken.append("act")
            return JsonResponse(None)

        headers = {"idempotency-key": "k" * 30}
        large = [b"x" * 600_000] * 2
        made = App(api.routes, state=State({"settings": Settings()}))
        start, _ = await told(made, "/notes", headers, method="POST", body=large)
        assert (start["status"], taken) == (413, [])

    async def test_an_upload_that_breaks_off_is_never_acted_on(self) -> None:
        for sent in ([], [b"x" * 5]):
            answer = await answered(app(), "/things", method="POST", body=sent, is_whole=False)
            assert answer[0] == 499
        assert taken == ["who may"] * 2


class TestLasting:
    async def test_what_it_holds_is_closed_when_the_server_ends(self) -> None:
        closed: list[str] = []

        async def close(name: str) -> None:
            closed.append(name)

        made = App([], on_shutdown=[partial(close, "mail"), partial(close, "search")])
        events = [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}]
        sent: list[Any] = []

        async def receive() -> Any:
            sent.append(list(closed))
            return events.pop(0)

        async def send(message: Any) -> None:
            sent.append(message["type"])

        await made({"type": "lifespan"}, receive, send)
        assert sent == [[], "lifespan.startup.complete", [], "lifespan.shutdown.complete"]
        assert closed == ["mail", "search"]


class TestState:
    def test_is_the_same_by_attribute_and_by_name(self) -> None:
        state = State({"store": 1})
        state.live, state["mailer"] = 2, 3
        assert (state.store, state["live"], state.mailer) == (1, 2, 3)
        assert dict(state) == {"store": 1, "live": 2, "mailer": 3}
        del state.live, state["mailer"]
        assert list(state) == ["store"]

    def test_says_what_it_has_not(self) -> None:
        state = State()
        assert state.get("store") is None
        with pytest.raises(AttributeError):
            _ = state.store


async def test_a_failure_of_ours_says_nothing_of_secrets_in_the_path(
    caplog: pytest.LogCaptureFixture,
) -> None:
    @get("/join/{token:str}", Need.ANYONE)
    async def join() -> Response[None]:
        raise ZeroDivisionError

    async def explain(request: Request, error: Exception) -> Response[Any]:
        return handle_error(request, error)

    with caplog.at_level(logging.ERROR):
        await told(App([join], explain=explain), "/join/violet-otter")
    assert "violet-otter" not in caplog.records[0].getMessage()
