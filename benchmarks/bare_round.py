"""The round's JSON by hand: an ASGI application with nothing but the same reads and the encoding.

python -m benchmarks.bare_round FILE PORT
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
from granian.constants import Interfaces
from granian.log import LogLevels
from granian.server.embed import Server
from litestar.types import ASGIApp

from commonroom.accounts.tables import users
from commonroom.movienight.tables import groups, rounds
from commonroom.store.embedded.data_file import connect
from commonroom.store.embedded.schema import TableSql

FILMS = 'SELECT _item FROM "Suggestions" WHERE round_id = ? ORDER BY tmdb_movie_id'
VOTES = 'SELECT _item FROM "Votes" WHERE round_id = ? ORDER BY vote_key'
OF_ROUND = (
    "round_id", "group_id", "status", "started_by", "attendees", "created_at", "voting_started_at",
    "selected_at", "watched_at", "rated_at", "relaxed_constraints",
)  # fmt: skip
OF_FILM = (
    "tmdb_movie_id", "position", "title", "year", "poster_path", "genres", "content_rating",
    "runtime", "overview", "vote_average", "reasons", "proposed_by", "from_wish_list",
)  # fmt: skip
MAY = ["pick", "vote"]


def bare(file: Path) -> ASGIApp:
    """A round for anybody who knows its id."""
    execute, encode = connect(file, create=False).execute, msgspec.json.Encoder().encode
    decode = msgspec.msgpack.Decoder().decode
    group_sql, round_sql, user_sql = TableSql(groups).get, TableSql(rounds).get, TableSql(users).get

    def one(sql: str, key: str) -> Any:
        return decode(execute(sql, (key,)).get)

    async def app(scope: Any, _: Any, send: Any) -> None:
        *_, group_id, _, round_id = scope["path"].split("/")
        one(group_sql, group_id)
        round_ = one(round_sql, round_id)
        films = [decode(blob) for (blob,) in execute(FILMS, (round_id,))]
        votes = [decode(blob) for (blob,) in execute(VOTES, (round_id,))]
        for member in round_["attendees"]:
            one(user_sql, member)
        body = encode(_shown(round_, films, votes))
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", b"%d" % len(body)),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    return app


def _shown(round_: Any, films: list[Any], votes: list[Any]) -> dict[str, Any]:
    by_film: dict[int, dict[str, str]] = {film["tmdb_movie_id"]: {} for film in films}
    for vote in votes:
        by_film[vote["tmdb_movie_id"]][vote["member_id"]] = vote["vote"]
    up = {film: list(cast.values()).count("up") for film, cast in by_film.items()}
    net = {film: 2 * up[film] - len(cast) for film, cast in by_film.items()}
    nets, ordered = Counter(net.values()), sorted(net.values(), reverse=True)
    voted = {vote["member_id"] for vote in votes}

    def shown(film: Any) -> dict[str, Any]:
        number = film["tmdb_movie_id"]
        return {name: film.get(name) for name in OF_FILM} | {
            "votes": by_film[number],
            "up": up[number],
            "down": len(by_film[number]) - up[number],
            "net": net[number],
            "rank": ordered.index(net[number]) + 1,
            "tied": nets[net[number]] > 1,
        }

    films.sort(key=lambda film: film["position"])
    return {name: round_.get(name) for name in OF_ROUND} | {
        "films": [shown(film) for film in films],
        "progress": {"voted": len(voted), "attendees": len(round_["attendees"])},
        "pick": None,
        "ratings": round_["rated"],
        "may": MAY,
        "version": round_["version"],
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
