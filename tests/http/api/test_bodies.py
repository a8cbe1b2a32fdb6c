"""What people and programs send that they should not: always refused in words, never a fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from commonroom.http.bodies import LARGEST
from tests.accounts.api.calling import V1, Client, problem

MEMBERS = f"{V1}/me/members"
JSON = {"Content-Type": "application/json"}


class TestContentType:
    @pytest.mark.parametrize(
        "kind",
        [
            None,
            "",
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x",
            "application/json; charset=utf-16",
            "application/jsonp",
            "application/json, application/json",
            "\xff",
        ],
    )
    async def test_anything_but_json_is_415(self, program: Client, kind: str | None) -> None:
        headers = [] if kind is None else [(b"Content-Type", kind.encode("latin-1"))]
        problem(await program.post(MEMBERS, content=b"{}", headers=headers), 415)

    @pytest.mark.parametrize(
        "kind",
        ["application/json", "Application/JSON; charset=UTF-8", "application/merge-patch+json"],
    )
    async def test_json_by_any_name_is_read(self, program: Client, kind: str) -> None:
        body = b'{"display_name": "Kim"}'
        answer = await program.post(MEMBERS, content=body, headers={"Content-Type": kind})
        assert answer.status_code == 201

    async def test_packed_json_is_415(self, program: Client) -> None:
        packed = JSON | {"Content-Encoding": "gzip"}
        problem(await program.post(MEMBERS, content=b"{}", headers=packed), 415)


class TestSize:
    async def test_more_than_a_megabyte_is_413(self, program: Client) -> None:
        large = b'{"display_name": "%s"}' % (b"x" * LARGEST)
        problem(await program.post(MEMBERS, content=large, headers=JSON), 413)
        key = JSON | {"Idempotency-Key": "large"}
        problem(await program.post(MEMBERS, content=large, headers=key), 413)

    async def test_so_is_a_body_that_is_said_to_be(self, program: Client) -> None:
        said = JSON | {"Content-Length": str(10**15)}
        problem(await program.post(MEMBERS, content=b"{}", headers=said), 413)

    async def test_a_length_that_is_none_is_400(self, program: Client) -> None:
        said = JSON | {"Content-Length": "many"}
        problem(await program.post(MEMBERS, content=b"{}", headers=said), 400)


class TestMalformed:
    @pytest.mark.parametrize(
        "body",
        [
            b"",
            b"{",
            b"nonsense",
            b'{"display_name": "Kim"} {}',
            b'{"display_name": "\xff"}',
            b'{"display_name": "\\ud800"}',
            b'{"display_name": "\\ud800 and some more text"}',
            b'\xef\xbb\xbf{"display_name": "Kim"}',
            '{"display_name": "Kim"}'.encode("utf-16"),
            b"[" * 100_000,
            b'{"display_name": ' * 50_000,
            b'{"display_name": NaN}',
        ],
        ids=str,
    )
    async def test_what_is_no_json_is_400(self, program: Client, body: bytes) -> None:
        problem(await program.post(MEMBERS, content=body, headers=JSON), 400)

    @pytest.mark.parametrize("body", [b"null", b"[]", b'"text"', b"5", b"1e999", b"true"])
    async def test_what_is_no_object_is_400(self, program: Client, body: bytes) -> None:
        assert "field" not in problem(await program.post(MEMBERS, content=body, headers=JSON), 400)

    @pytest.mark.parametrize(
        "body, field",
        [
            (b"{}", "display_name"),
            (b'{"display_name": null}', "display_name"),
            (b'{"display_name": [[[[]]]]}', "display_name"),
            (b'{"display_name": 1e999}', "display_name"),
            (b'{"display_name": "Kim", "": 1}', None),
            (b'{"display_name": "Kim", "__proto__": {}}', "__proto__"),
            (b'{"display_name": "Kim", "Display_name": "x"}', "Display_name"),
            ('{"display_name": "Kim", "☂`$.": 1}'.encode(), "☂`$."),
        ],
        ids=str,
    )
    async def test_the_field_at_fault_is_named(
        self, program: Client, body: bytes, field: str | None
    ) -> None:
        refused = problem(await program.post(MEMBERS, content=body, headers=JSON), 400)
        assert refused.get("field") == field


class TestPaths:
    @pytest.mark.parametrize(
        "path",
        ["/api/v1", "/api/v1/", "/api/v1/nothing", "/api/v2/me", "/api/v1/%FF", "/api/v1/%00",
         "/api/v1/%ED%A0%80", "/api/v1/../etc/passwd", "/api/v1/me/members/a/b", "/api/v1/☂"],
    )  # fmt: skip
    async def test_what_is_not_there_is_404(self, program: Client, path: str) -> None:
        problem(await program.get(path), 404)

    async def test_another_method_is_405_and_says_which_there_are(self, program: Client) -> None:
        answer = await program.put(f"{V1}/me/tokens")
        problem(answer, 405)
        assert {"GET", "POST"} <= set(answer.headers["allow"].split(", "))
        assert (await program.options(f"{V1}/me/tokens")).status_code == 204


class TestHeaders:
    @pytest.mark.parametrize(
        "name, value",
        [
            ("Cookie", b"session=\xff; ;;=; session"),
            ("Cookie", b'session="' + b"x" * 5000),
            ("Cookie", b"\x00"),
            ("Authorization", b"Bearer \xff\xfe"),
            ("Authorization", b"Bearer " + b"x" * 5000),
            ("Authorization", b"Digest x"),
        ],
    )
    async def test_odd_credentials_are_nobodys(
        self, guest: Client, name: str, value: bytes
    ) -> None:
        problem(await guest.get(f"{V1}/me", headers=[(name.encode(), value)]), 401)

    @pytest.mark.parametrize("value", [b"\xff", b"x" * 5000, b"managed_", b"a\x00b", b"\x80" * 900])
    async def test_odd_members_are_nobodys(self, program: Client, value: bytes) -> None:
        headers = [(b"X-Acting-As-Member", value)]
        problem(await program.get(f"{V1}/me", headers=headers), 403)

    @pytest.mark.parametrize("value", [b"nonsense", b'W/"x"', b'"', b",,,", b"\xff", b""])
    async def test_odd_tags_match_nothing(self, program: Client, value: bytes) -> None:
        headers = [(b"If-Match", value)]
        problem(await program.patch(f"{V1}/me", json={}, headers=headers), 412)

    async def test_more_tags_than_anybody_needs_are_refused(self, program: Client) -> None:
        headers = {"If-Match": '"x",' * 1000}
        problem(await program.patch(f"{V1}/me", json={}, headers=headers), 400)

    @pytest.mark.parametrize("host", ["a b", "\xff", "x/y"])
    async def test_an_odd_host_is_refused(self, program: Client, host: str) -> None:
        headers = [(b"Host", host.encode("latin-1"))]
        problem(await program.get(f"{V1}/me", headers=headers), 400)

    async def test_of_a_repeated_header_the_first_counts(self, program: Client) -> None:
        headers = [(b"Authorization", program.headers["Authorization"].encode())] * 2
        del program.headers["Authorization"]
        answer = await program.get(f"{V1}/me", headers=headers)
        assert answer.status_code == 200


def test_no_operation_reads_a_body_by_itself() -> None:
    api = Path("src/commonroom/accounts/api")
    for file in api.glob("*.py"):
        text = file.read_text()
        assert "request.json" not in text, file
        assert "request.body" not in text, file
