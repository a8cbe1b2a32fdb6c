from __future__ import annotations

import asyncio
import re
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest

from commonroom.http.application import App
from commonroom.http.openapi.document import document, operations
from tests.accounts.api.calling import Calling, Client, api, given, problem


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    """The document."""
    store: Any = None
    return document(api(store), secure=False)


def every(made: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    """Every operation with its path and method."""
    return [
        (path, method, operation)
        for path, methods in made["paths"].items()
        for method, operation in methods.items()
    ]


class TestDocument:
    def test_every_route_of_the_api_is_in_it(self, made: dict[str, Any]) -> None:
        store: Any = None
        app = api(store)
        routes = {
            (one.template, one.method.lower()) for one in app.routes if one.path.startswith("/api/")
        }
        assert routes == {(path, method) for path, method, _ in every(made)}
        assert len(routes) == len(list(operations(app))) == 43

    def test_every_operation_has_a_name_of_its_own_and_a_summary(
        self, made: dict[str, Any]
    ) -> None:
        names = [operation["operationId"] for _, _, operation in every(made)]
        assert len(set(names)) == len(names)
        for _, _, operation in every(made):
            assert operation["summary"]
            assert not operation["summary"].endswith(".")
            assert len(operation["tags"]) == 1

    def test_every_operation_says_how_it_may_fail(self, made: dict[str, Any]) -> None:
        for path, _, operation in every(made):
            failures = {one for one in operation["responses"] if int(one) >= 400}
            assert {"400", "401", "403", "503"} <= failures
            assert ("{" in path) <= ("404" in failures)
            if "requestBody" in operation:
                assert {"413", "415", "422"} <= failures
            for status in failures:
                content = operation["responses"][status]["content"]
                ref = content["application/problem+json"]["schema"]
                assert ref == {"$ref": "#/components/schemas/Problem"}

    def test_every_body_is_typed_bounded_and_takes_nothing_else(self, made: dict[str, Any]) -> None:
        schemas = made["components"]["schemas"]
        for _, method, operation in every(made):
            if method in ("get", "delete"):
                assert "requestBody" not in operation
            elif "requestBody" in operation:
                ref = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"]
                schema = schemas[ref.rpartition("/")[2]]
                assert schema["additionalProperties"] is False
                assert all("maxLength" in one for one in texts(schema))

    def test_every_reference_leads_somewhere(self, made: dict[str, Any]) -> None:
        named = set(re.findall(r"#/components/schemas/(\w+)", str(made)))
        assert named == made["components"]["schemas"].keys()

    def test_security_is_what_the_needs_are(self, made: dict[str, Any]) -> None:
        wanted = {one["operationId"]: one["security"] for _, _, one in every(made)}
        assert wanted["signIn"] == []
        assert wanted["makeToken"] == [{"cookie": []}]
        assert wanted["getMe"] == [{"cookie": []}, {"bearer": []}]

    def test_lists_are_paged_and_posts_can_be_repeated(self, made: dict[str, Any]) -> None:
        for _, method, operation in every(made):
            parameters = {one["name"] for one in operation["parameters"]}
            assert operation["operationId"].startswith("list") == (
                {"limit", "cursor"} <= parameters
            )
            repeatable = method == "post" and operation["security"] != []
            assert repeatable == ("Idempotency-Key" in parameters)


class CountingThreads(ThreadPoolExecutor):
    """Threads that count what they are given to do."""

    count = 0

    def submit(self, *args: Any, **kwargs: Any) -> Future[Any]:
        self.count += 1
        return super().submit(*args, **kwargs)


class TestServing:
    async def test_anybody_may_read_it(self, guest: Client, made: dict[str, Any]) -> None:
        assert given(await guest.get("/openapi.json")) == made

    async def test_over_https_the_cookie_has_its_other_name(
        self, calling: Calling, app: App
    ) -> None:
        guest = await calling.guest()
        secure = given(await guest.get("https://commonroom.test/openapi.json"))
        assert secure["components"]["securitySchemes"]["cookie"]["name"] == "__Host-session"

    @pytest.mark.parametrize("path", ["/openapi.json", "/docs"])
    async def test_it_is_made_once_compressed_once_and_not_sent_to_who_has_it(
        self, guest: Client, app: App, path: str
    ) -> None:
        first = await guest.get(path, headers={"Accept-Encoding": "gzip"})
        made = dict(app.state.openapi.assets)
        again = await guest.get(path, headers={"Accept-Encoding": "identity"})
        assert first.headers["content-encoding"] == "gzip"
        assert int(first.headers["content-length"]) * 5 < len(again.content)
        assert "content-encoding" not in again.headers
        assert first.content == again.content
        assert first.headers["etag"] == again.headers["etag"]
        assert {key: id(one) for key, one in made.items()} == {
            key: id(one) for key, one in app.state.openapi.assets.items()
        }
        known = await guest.get(path, headers={"If-None-Match": first.headers["etag"]})
        assert (known.status_code, known.content) == (304, b"")

    @pytest.mark.parametrize("path", ["/openapi.json", "/docs"])
    async def test_it_is_made_beside_the_event_loop_once_for_all_who_wait(
        self, guest: Client, path: str
    ) -> None:
        threads = CountingThreads()
        asyncio.get_running_loop().set_default_executor(threads)
        answers = await asyncio.gather(*(guest.get(path) for _ in range(10)))
        assert {one.status_code for one in answers} == {200}
        assert len({one.headers["etag"] for one in answers}) == 1
        assert threads.count == 1


class TestPage:
    async def test_it_is_the_same_for_everybody_but_for_its_light(
        self, guest: Client, app: App
    ) -> None:
        tags = set()
        for theme in ("light", "dark", "nonsense", "other"):
            answer = await guest.get("/docs", headers={"Cookie": f"theme={theme}"})
            assert answer.headers["content-type"] == "text/html; charset=utf-8"
            assert answer.headers["kept-for"] == "nobody"
            tags.add(answer.headers["etag"])
        assert len(tags) == len(app.state.openapi.assets) == 3

    async def test_it_shows_every_operation_and_every_schema(
        self, guest: Client, made: dict[str, Any]
    ) -> None:
        answer = await guest.get("/docs")
        assert answer.status_code == 200
        for path, _, operation in every(made):
            assert f'id="{operation["operationId"]}"' in answer.text
            assert path in answer.text
        for name in made["components"]["schemas"]:
            assert f'id="schema-{name}"' in answer.text

    async def test_it_loads_nothing_from_elsewhere_and_has_no_script_in_it(
        self, guest: Client
    ) -> None:
        page = (await guest.get("/docs")).text
        assert not re.search(r"<script(?![^>]*\bsrc=\"/static/)", page)
        assert not re.search(r"\son\w+=|<style|\sstyle=|javascript:", page)
        assert not re.search(r"(?:src|href)=\"(?:https?:)?//", page)

    async def test_every_link_in_it_leads_somewhere(self, guest: Client) -> None:
        page = (await guest.get("/docs")).text
        places = set(re.findall(r'\sid="([^"]+)"', page))
        assert set(re.findall(r'href="#([^"]+)"', page)) <= places


async def test_errors_elsewhere_are_problems_too(guest: Client) -> None:
    problem(await guest.get("/openapi.json/nothing"), 404)


def texts(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """Every text that a schema lets through."""
    choices = [one for part in schema["properties"].values() for one in part.get("anyOf", [part])]
    return [one for one in choices if one.get("type") == "string"]
