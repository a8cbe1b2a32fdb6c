"""Responses: files as answers: sent in pieces, under a name that any browser understands."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from commonroom.http.responses import PIECE_BYTES, FileAnswer


async def sent(name: str, *pieces: bytes) -> tuple[dict[bytes, bytes], list[Any]]:
    async def made() -> AsyncIterator[bytes]:
        for piece in pieces:
            yield piece

    messages: list[Any] = []

    async def send(message: Any) -> None:
        messages.append(message)

    nothing: Any = None
    await FileAnswer(made(), kind="text/csv", name=name)({}, nothing, send)
    start, *bodies = messages
    return dict(start["headers"]), bodies


async def test_small_pieces_are_sent_together_and_large_ones_as_they_come() -> None:
    half = b"x" * (PIECE_BYTES // 2)
    _, bodies = await sent("a.csv", half, half, half, b"end")
    assert [len(one["body"]) for one in bodies] == [PIECE_BYTES, PIECE_BYTES // 2 + 3]
    assert [one["more_body"] for one in bodies] == [True, False]


async def test_an_empty_file_is_an_answer() -> None:
    _, bodies = await sent("a.csv")
    assert bodies == [{"type": "http.response.body", "body": b"", "more_body": False}]


async def test_a_name_says_the_same_to_old_and_new_browsers_and_ends_no_header() -> None:
    headers, _ = await sent('É"\r\n; x.csv')
    assert headers[b"content-disposition"] == (
        b"attachment; filename=\"-x.csv\"; filename*=UTF-8''%C3%89%22%0D%0A%3B%20x.csv"
    )
    assert headers[b"content-type"] == b"text/csv"
    assert headers[b"cache-control"] == b"no-store"
