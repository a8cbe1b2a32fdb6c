"""What a form sends, in the order in which it stands there: that is what keeps rows together."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal, TypeAlias, get_args
from urllib.parse import parse_qsl

from commonroom.errors import BadRequest
from commonroom.shareables.rules.checklists import MOST_ITEMS
from commonroom.shareables.rules.polls import MOST_OPTIONS, MOST_QUESTIONS
from commonroom.web.request import Request

Sheet: TypeAlias = list[tuple[str, str]]
Deed: TypeAlias = Literal["up", "down", "remove", "more"]
"""What a button in a form does with a row, where no script does it."""

MOST_FIELDS = 100 + max(4 * MOST_ITEMS, MOST_QUESTIONS * (6 + 3 * MOST_OPTIONS))


async def sheet_in(request: Request) -> Sheet:
    """The fields of the form that was sent, in its order."""
    if request.content_type[0] != "application/x-www-form-urlencoded":
        raise BadRequest("The form could not be read. Please try again.")
    try:
        body = (await request.body()).decode("ascii")
        return parse_qsl(body, keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS)
    except ValueError:
        raise BadRequest("The form could not be read. Please try again.") from None


def deed(named: str) -> Deed:
    """What a button says that it does."""
    deeds: tuple[Deed, ...] = get_args(Deed)
    for one in deeds:
        if one == named:
            return one
    raise BadRequest("This button does not exist. Please reload the page.")


def keep_value(values: dict[str, str], known: Collection[str], name: str, text: str) -> None:
    """Keeps a field that stands by itself; refused where the form has none of that name."""
    if name not in known:
        raise BadRequest("The form has an unknown field. Please reload the page.", field=name)
    values[name] = text
