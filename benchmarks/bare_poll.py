"""The poll's JSON by hand: an ASGI application with nothing but the same read and the encoding.

python -m benchmarks.bare_poll FILE PORT
"""

from __future__ import annotations

import asyncio
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
from granian.constants import Interfaces
from granian.log import LogLevels
from granian.server.embed import Server
from litestar.types import ASGIApp

from commonroom.shareables.tables import shareables
from commonroom.store.embedded.data_file import connect
from commonroom.store.embedded.schema import TableSql


def bare(file: Path) -> ASGIApp:
    """A poll for anybody who knows its id."""
    execute, encode = connect(file, create=False).execute, msgspec.json.Encoder().encode
    decode, sql = msgspec.msgpack.Decoder().decode, TableSql(shareables).get

    async def app(scope: Any, _: Any, send: Any) -> None:
        short_id = scope["path"].rpartition("/")[2].replace("-", "")
        key = f"shareable#{short_id}", "01#", time.time()
        body = encode(_shown(decode(execute(sql, key).get)))
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", b"%d" % len(body)),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return app


def _shown(poll: Any) -> dict[str, Any]:
    short_id, voters, tally = poll["shortId"].upper(), poll["voteCount"], poll["tally"]
    options = {
        option["pollQuestionOptionId"]: tally.get(option["pollQuestionOptionId"], 0)
        for question in poll["questions"]
        for option in question["options"]
    }
    return {
        "kind": "poll",
        "short_id": short_id,
        "path": f"/s/{short_id}",
        "name": poll["name"],
        "role": "view",
        "passcodes": None,
        "expires_after": poll["expiresAfter"],
        "expires_at": poll["expiresAt"],
        "is_expired": False,
        "created_at": poll["createdAt"],
        "updated_at": poll["updatedAt"],
        "version": poll["version"],
        "note": poll.get("note"),
        "results_visibility": poll["resultsVisibility"],
        "closes_at": poll.get("closesAt"),
        "is_closed": poll["isClosed"],
        "questions": [_question(one) for one in poll["questions"]],
        "results": {
            "vote_count": voters,
            "options": {
                option: {"votes": votes, "share": votes / voters}
                for option, votes in options.items()
            },
        },
    }


def _question(one: Any) -> dict[str, Any]:
    return {
        "poll_question_id": one["pollQuestionId"],
        "title": one["title"],
        "is_multiple": one["isMultiple"],
        "is_required": one["isRequired"],
        "options": [
            {
                "poll_question_option_id": option["pollQuestionOptionId"],
                "label": option["label"],
            }
            for option in one["options"]
        ],
    }


def main() -> None:
    """Serves until it is killed."""
    file, port = sys.argv[1:]
    server = Server(
        bare(Path(file)),
        address="127.0.0.1",
        port=int(port),
        interface=Interfaces.ASGINL,
        log_level=LogLevels.error,
    )
    asyncio.run(server.serve())


if __name__ == "__main__":
    main()
