"""Requests to DynamoDB: signed, limited in time, tried again where that may help, typed errors."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, TypeAlias

from aiodynamo.client import Client
from yarl import URL

from commonroom.store.dynamodb.credentials import find_credentials
from commonroom.store.dynamodb.faults import CANCELLED, FAILURES, Fault, fault_of
from commonroom.store.dynamodb.http import Http
from commonroom.store.dynamodb.patience import OneAttempt, Patience
from commonroom.store.dynamodb.refusals import error_for
from commonroom.store.dynamodb.settings import DynamoSettings
from commonroom.store.errors import Unavailable

Payload: TypeAlias = dict[str, Any]


class Cancelled(Exception):
    """A transaction that was cancelled for good, with the reason for each of its operations."""

    def __init__(self, reasons: list[dict[str, Any]]) -> None:
        super().__init__(reasons)
        self.reasons = reasons


class Connection:
    """One pool of connections to one endpoint."""

    def __init__(self, settings: DynamoSettings) -> None:
        self.settings = settings
        self.credentials = find_credentials(instance_role=settings.instance_role)
        endpoint = _url(settings.endpoint) if settings.endpoint else None
        self.http = Http(settings.attempt_seconds)
        self._client = Client(
            self.http, self.credentials, settings.region, endpoint, throttle_config=OneAttempt()
        )

    async def send(
        self,
        action: str,
        payload: Payload,
        *,
        seconds: float | None = None,
        excused: Collection[str] = (),
    ) -> Payload:
        """Sends a request, again while that may help, and gives the answer.

        A fault with an excused code is an answer too, an empty one.
        """
        if self.http.closed:
            raise Unavailable("The connection to DynamoDB has been closed.")
        patience = Patience(self.settings.seconds if seconds is None else seconds)
        while True:
            try:
                return await self._client.send_request(action=action, payload=payload)
            except FAILURES as error:
                fault = fault_of(error)
                if fault.code in excused:
                    return {}
                if not self._may_pass(fault) or not await patience.pause():
                    raise self._error(fault, payload) from error

    async def close(self) -> None:
        """Lets go of the connections."""
        await self.http.close()

    def _may_pass(self, fault: Fault) -> bool:
        if fault.code == "ExpiredTokenException":
            return self.credentials.invalidate()
        return fault.passing

    def _error(self, fault: Fault, payload: Payload) -> Exception:
        if fault.code == CANCELLED and not fault.passing:
            return Cancelled(fault.reasons)
        return error_for(fault, self.settings.address, set(_tables(payload)))


def _url(endpoint: str) -> URL:
    try:
        url = URL(endpoint)
    except ValueError:
        url = URL()
    if url.scheme not in ("http", "https") or not url.host:
        raise Unavailable(f"{endpoint} is no address of a DynamoDB: it should be http(s)://host.")
    return url


def _tables(payload: Mapping[str, Any]) -> Iterator[str]:
    if "TableName" in payload:
        yield payload["TableName"]
    yield from payload.get("RequestItems", ())
    for operation in payload.get("TransactItems", ()):
        for body in operation.values():
            yield body["TableName"]
