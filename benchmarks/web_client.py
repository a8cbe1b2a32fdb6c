"""Asks a server the same again and again over some connections, and costs little itself."""

from __future__ import annotations

import socket

CONNECTIONS = 16


class Asking:
    """A request, and the connections that send it."""

    def __init__(self, port: int, path: str, cookie: str = "") -> None:
        lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Accept: */*"]
        lines += [f"Cookie: {cookie}"] if cookie else []
        self._request = ("\r\n".join(lines) + "\r\n\r\n").encode()
        self._sockets = [socket.create_connection(("127.0.0.1", port)) for _ in range(CONNECTIONS)]
        for one in self._sockets:
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def once(self) -> bytes:
        """One answer's body."""
        self._sockets[0].sendall(self._request)
        head, body = self._answer(self._sockets[0], b"")
        assert head.startswith(b"HTTP/1.1 200"), head
        return body

    async def again(self, times: int) -> None:
        """So many answers, those of all connections at a time."""
        for _ in range(times // CONNECTIONS):
            for one in self._sockets:
                one.sendall(self._request)
            for one in self._sockets:
                self._answer(one, b"")

    def close(self) -> None:
        """Hangs up."""
        for one in self._sockets:
            one.close()

    def _answer(self, one: socket.socket, so_far: bytes) -> tuple[bytes, bytes]:
        while (end := so_far.find(b"\r\n\r\n")) < 0:
            so_far += one.recv(65536)
        head = so_far[:end]
        start = head.index(b"content-length: ") + 16
        length = int(head[start : start + 10].split(b"\r", 1)[0])
        body = so_far[end + 4 :]
        while len(body) < length:
            body += one.recv(65536)
        return head, body
