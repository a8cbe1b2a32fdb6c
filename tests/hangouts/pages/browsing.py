"""A browser without scripts: pages that are shown, forms that are sent."""

from __future__ import annotations

from html import unescape

from tests.accounts.api.calling import Client


async def shown(client: Client, path: str, status: int = 200) -> str:
    answer = await client.get(path)
    assert answer.status_code == status, answer.text[-500:]
    return unescape(answer.text)


async def sent(client: Client, path: str, **form: str) -> str:
    """Sends a form; where it leads."""
    answer = await client.post(path, data=form)
    assert answer.status_code == 303, answer.text[-500:]
    return str(answer.headers["location"])


async def refused(client: Client, path: str, code: int, **form: str) -> str:
    """Sends a form that is refused; what it shows then."""
    answer = await client.post(path, data=form)
    assert answer.status_code == code, answer.text[-500:]
    return unescape(answer.text)
