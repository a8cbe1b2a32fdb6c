"""A stand-in for OpenSearch on loopback: it takes what is documented, and can misbehave.

Every request is compared with the documented shape of its operation: what is not documented there,
or nobody here uses, is refused and noted in `complaints`. Searches see what was written only after
a refresh, versions are compared, aliases change all at once, and an index that somebody writes to
without an alias is made by itself, as OpenSearch does it.
"""

from __future__ import annotations

import asyncio
import re
from base64 import b64encode
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

import msgspec
from aiohttp import web
from msgspec import Struct, field

from tests.support.opensearch_queries import Body, Refused, buckets, hits, only, score
from tests.support.stand_in_server import served

LOGIN = "commonroom:a made-up password"
NAME = re.compile(r"[a-z][a-z0-9-]{0,200}")
TYPES = {"keyword", "text", "integer", "object"}

Reply: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Stored(Struct):
    """A document, or that there is none any more."""

    version: int
    seq_no: int
    source: Body | None


class Index(Struct):
    """An index: what was written, and what searches see of it."""

    mappings: Body
    documents: dict[str, Stored] = field(default_factory=dict)
    visible: dict[str, Body] = field(default_factory=dict)
    writes: int = 0

    def refresh(self) -> None:
        """Lets searches see what was written."""
        there = self.documents.items()
        self.visible = {name: one.source for name, one in there if one.source is not None}

    def write(self, document_id: str, source: Body | None, version: int) -> Stored:
        """Stores a document under a version, or that it is gone."""
        self.writes += 1
        if source is not None:
            unknown = source.keys() - self.mappings.get("properties", {}).keys()
            if unknown and self.mappings.get("dynamic") == "strict":
                raise Refused(400, "strict_dynamic_mapping_exception", str(unknown))
        self.documents[document_id] = Stored(version, self.writes, source)
        return self.documents[document_id]


class StandIn:
    """The server, its indexes, what it was asked, and how it misbehaves."""

    def __init__(self) -> None:
        self.address = ""
        self.closing = asyncio.Event()
        self.indexes: dict[str, Index] = {}
        self.aliases: dict[str, set[str]] = {}
        self.asked: list[str] = []
        self.complaints: list[str] = []
        """What was asked in a way that is not documented."""
        self.troubles: list[tuple[str, Reply]] = []
        """What is replied instead, once each, to the next request that fits."""
        self.item_troubles: list[int] = []
        """With which status the next actions of a bulk request are refused."""

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """One request."""
        asked = f"{request.method} {request.path}"
        self.asked.append(asked)
        for number, (pattern, reply) in enumerate(self.troubles):
            if re.search(pattern, asked):
                del self.troubles[number]
                return await reply(request)
        expected = b64encode(LOGIN.encode()).decode()
        if request.headers.get("Authorization") != f"Basic {expected}":
            return web.json_response({"error": {"type": "security_exception"}}, status=401)
        try:
            return await self._route(request)
        except Refused as refused:
            if refused.status == 400 and "already" not in refused.kind:
                self.complaints.append(f"{asked}: {refused}")
            error = {"type": refused.kind, "reason": str(refused)}
            return web.json_response(
                {"error": error, "status": refused.status}, status=refused.status
            )

    async def _route(self, request: web.Request) -> web.Response:
        """Gives a request to whoever answers it: by method, path, parameters and body."""
        for method, path, parameters, reads, handle in self._routes:
            found = re.fullmatch(path, request.path)
            if request.method == method and found is not None:
                only(dict(request.query), parameters)
                given = list(found.groups())
                body = [] if reads is None else [await reads(request)]
                return handle(*given, *body, *([dict(request.query)] if parameters else []))
        raise Refused(400, "illegal_argument_exception", f"{request.method} {request.path}")

    @property
    def _routes(self) -> list[tuple[str, str, set[str], Any, Callable[..., web.Response]]]:
        conditions = {"if_seq_no", "if_primary_term", "op_type"}
        return [
            ("PUT", "/([^_/][^/]*)", set(), _json, self._create),
            ("DELETE", "/([^_/][^/]*)", set(), None, self._delete),
            ("POST", "/_aliases", set(), _json, self._change_aliases),
            ("GET", "/_alias/([^/]+)", set(), None, self._get_alias),
            ("POST", "/_bulk", {"require_alias", "refresh"}, _ndjson, self._bulk),
            ("GET", "/([^/]+)/_doc/([^/]+)", set(), None, self._get),
            ("PUT", "/([^/]+)/_doc/([^/]+)", conditions, _json, self._put),
            ("POST", "/([^/]+)/_search", set(), _json, self._search),
            ("POST", "/([^/]+)/_mget", set(), _json, self._mget),
            ("GET", "/([^/]+)/_count", set(), None, self._count),
            ("POST", "/([^/]+)/_refresh", set(), None, self._refresh),
        ]

    # Indexes and aliases.

    def _one(self, name: str) -> Index:
        names = self.aliases.get(name) or ({name} if name in self.indexes else set())
        if len(names) != 1:
            raise Refused(404, "index_not_found_exception", name)
        return self.indexes[next(iter(names))]

    def _create(self, name: str, body: Body) -> web.Response:
        only(body, {"settings", "mappings", "aliases"})
        if not NAME.fullmatch(name):
            raise Refused(400, "invalid_index_name_exception", name)
        if name in self.indexes:
            raise Refused(400, "resource_already_exists_exception", name)
        only(body["settings"]["index"], {"number_of_shards", "auto_expand_replicas", "gc_deletes"})
        _check_mappings(body["mappings"])
        self.indexes[name] = Index(body["mappings"])
        for alias in body.get("aliases", {}):
            self.aliases.setdefault(alias, set()).add(name)
        return web.json_response({"acknowledged": True, "shards_acknowledged": True, "index": name})

    def _delete(self, name: str) -> web.Response:
        if name not in self.indexes:
            raise Refused(404, "index_not_found_exception", name)
        self._remove(name)
        return web.json_response({"acknowledged": True})

    def _remove(self, name: str) -> None:
        del self.indexes[name]
        for names in self.aliases.values():
            names.discard(name)
        self.aliases = {alias: names for alias, names in self.aliases.items() if names}

    def _change_aliases(self, body: Body) -> web.Response:
        only(body, {"actions"})
        for action in body["actions"]:
            ((kind, told),) = action.items()
            only(told, {"add": {"index", "alias"}, "remove_index": {"index"}}[kind])
            if told["index"] not in self.indexes:
                raise Refused(404, "index_not_found_exception", told["index"])
        for action in body["actions"]:
            ((kind, told),) = action.items()
            if kind == "add":
                self.aliases.setdefault(told["alias"], set()).add(told["index"])
            else:
                self._remove(told["index"])
        return web.json_response({"acknowledged": True})

    def _get_alias(self, alias: str) -> web.Response:
        if alias not in self.aliases:
            return web.json_response(
                {"error": f"alias [{alias}] missing", "status": 404}, status=404
            )
        told: Body = {name: {"aliases": {alias: {}}} for name in sorted(self.aliases[alias])}
        return web.json_response(told)

    # Documents.

    def _get(self, index: str, document_id: str) -> web.Response:
        found = self._one(index).documents.get(document_id)
        if found is None or found.source is None:
            told = {"_index": index, "_id": document_id, "found": False}
            return web.json_response(told, status=404)
        return web.json_response(_told(index, document_id, found))

    def _put(
        self, index: str, document_id: str, source: Body, parameters: Mapping[str, str]
    ) -> web.Response:
        if index not in self.indexes and index not in self.aliases:
            self.indexes[index] = Index({})  # as OpenSearch does where nobody forbids it
        there = self._one(index).documents.get(document_id)
        is_there = there is not None and there.source is not None
        seen = None if there is None else (str(there.seq_no), "1")
        wanted = (parameters.get("if_seq_no"), parameters.get("if_primary_term"))
        if parameters.get("op_type") == "create" and is_there:
            raise Refused(409, "version_conflict_engine_exception")
        if wanted not in ((None, None), seen):
            raise Refused(409, "version_conflict_engine_exception")
        version = 1 if there is None else there.version + 1
        stored = self._one(index).write(document_id, source, version)
        return web.json_response(
            {"_index": index, "_id": document_id, "result": "updated", "_version": stored.version},
            status=200 if is_there else 201,
        )

    def _mget(self, name: str, body: Body) -> web.Response:
        only(body, {"ids"})
        index = self._one(name)
        docs = []
        for document_id in body["ids"]:
            found = index.documents.get(document_id)
            if found is None or found.source is None:
                docs.append({"_index": name, "_id": document_id, "found": False})
            else:
                docs.append(_told(name, document_id, found))
        return web.json_response({"docs": docs})

    def _bulk(self, lines: list[Body], parameters: Mapping[str, str]) -> web.Response:
        items: list[Body] = []
        waiting = iter(lines)
        touched: set[str] = set()
        for line in waiting:
            ((kind, told),) = line.items()
            if kind not in ("index", "delete"):
                raise Refused(400, "illegal_argument_exception", kind)
            only(told, {"_index", "_id", "version", "version_type"})
            source = next(waiting) if kind == "index" else None
            items.append({kind: self._action(told, source, parameters)})
            touched.add(told["_index"])
        if parameters.get("refresh") == "true":
            for name in touched & (self.aliases.keys() | self.indexes.keys()):
                self._one(name).refresh()
        errors = any("error" in one for item in items for one in item.values())
        return web.json_response({"took": 1, "errors": errors, "items": items})

    def _action(self, told: Body, source: Body | None, parameters: Mapping[str, str]) -> Body:
        answer: Body = {"_index": told["_index"], "_id": told["_id"]}
        try:
            return answer | self._do(told, source, parameters)
        except Refused as refused:
            if refused.status == 400:
                self.complaints.append(f"_bulk: {refused}")
            error = {"type": refused.kind, "reason": str(refused)}
            return answer | {"status": refused.status, "error": error}

    def _do(self, told: Body, source: Body | None, parameters: Mapping[str, str]) -> Body:
        if self.item_troubles:
            raise Refused(self.item_troubles.pop(0), "rejected_execution_exception")
        if parameters.get("require_alias") == "true" and told["_index"] not in self.aliases:
            raise Refused(404, "index_not_found_exception", told["_index"])
        if told["version_type"] != "external" or not isinstance(told["version"], int):
            raise Refused(400, "illegal_argument_exception", "version_type")
        if len(told["_id"].encode()) > 512:
            raise Refused(400, "illegal_argument_exception", "the id is too long")
        index = self._one(told["_index"])
        before = index.documents.get(told["_id"])
        if before is not None and told["version"] <= before.version:
            raise Refused(409, "version_conflict_engine_exception")
        index.write(told["_id"], source, told["version"])
        was_there = before is not None and before.source is not None
        is_missing = source is None and not was_there
        status = 404 if is_missing else 200 if was_there else 201
        result = "not_found" if is_missing else "deleted" if source is None else "created"
        return {"_version": told["version"], "result": result, "status": status}

    # Searching.

    def _search(self, name: str, body: Body) -> web.Response:
        known = {"query", "size", "sort", "_source", "track_total_hits", "timeout", "aggs"}
        only(body, {*known, "search_after"})
        index = self._one(name)
        scored = [
            (document_id, source, found)
            for document_id, source in index.visible.items()
            if (found := score(body["query"], source, index.mappings)) is not None
        ]
        answer: Body = {"timed_out": False, "hits": {"hits": hits(scored, body)}}
        if "aggs" in body:
            answer["aggregations"] = {"kinds": {"buckets": buckets(scored, body["aggs"])}}
        return web.json_response(answer)

    def _count(self, name: str) -> web.Response:
        return web.json_response({"count": len(self._one(name).visible)})

    def _refresh(self, name: str) -> web.Response:
        self._one(name).refresh()
        return web.json_response({"_shards": {"total": 1, "successful": 1, "failed": 0}})


def _check_mappings(mappings: Body) -> None:
    only(mappings, {"dynamic", "properties"})
    for declared in mappings["properties"].values():
        known = {"type", "analyzer", "norms", "index_options", "index_prefixes", "enabled"}
        only(declared, known)
        if declared["type"] not in TYPES:
            raise Refused(400, "mapper_parsing_exception", declared["type"])
        if "index_prefixes" in declared:
            only(declared["index_prefixes"], {"min_chars", "max_chars"})
            first, last = declared["index_prefixes"].values()
            if not 0 < first <= last < 20:
                raise Refused(400, "mapper_parsing_exception", "index_prefixes")


def _told(index: str, document_id: str, found: Stored) -> Body:
    return {
        "_index": index,
        "_id": document_id,
        "_version": found.version,
        "_seq_no": found.seq_no,
        "_primary_term": 1,
        "found": True,
        "_source": found.source,
    }


async def _json(request: web.Request) -> Body:
    if request.content_type != "application/json":
        raise Refused(400, "media_type_header_exception", request.content_type)
    return msgspec.json.decode(await request.read(), type=dict[str, Any])


async def _ndjson(request: web.Request) -> list[Body]:
    body = await request.read()
    if request.content_type != "application/x-ndjson" or "chunked" in request.headers.get(
        "Transfer-Encoding", ""
    ):
        raise Refused(400, "media_type_header_exception", request.content_type)
    if not body.endswith(b"\n"):
        raise Refused(400, "illegal_argument_exception", "it must end with a newline")
    return [msgspec.json.decode(line, type=dict[str, Any]) for line in body.splitlines()]


# How it can misbehave.


def status(code: int) -> Reply:
    """Answers with a status and nothing more."""

    async def reply(request: web.Request) -> web.StreamResponse:
        return web.json_response({"error": {"type": "trouble"}, "status": code}, status=code)

    return reply


def says(text: str) -> Reply:
    """Answers with a text, whatever it is."""

    async def reply(request: web.Request) -> web.StreamResponse:
        return web.Response(text=text, content_type="text/html")

    return reply


async def hang_up(request: web.Request) -> web.StreamResponse:
    """Closes the connection."""
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


def hang(stand_in: StandIn) -> Reply:
    """Never answers, until it is closed."""

    async def reply(request: web.Request) -> web.StreamResponse:
        await stand_in.closing.wait()
        return web.Response()

    return reply


def loses_answer(stand_in: StandIn) -> Reply:
    """Does what it is asked, and hangs up before it says so."""

    async def reply(request: web.Request) -> web.StreamResponse:
        await stand_in._route(request)
        return await hang_up(request)

    return reply


@asynccontextmanager
async def standing_in() -> AsyncIterator[StandIn]:
    """The stand-in, on a free port of loopback."""
    stand_in = StandIn()
    async with served(stand_in) as address:
        stand_in.address = address
        yield stand_in
