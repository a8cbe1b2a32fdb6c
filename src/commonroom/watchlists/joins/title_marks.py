"""What lists know of titles that a person found: those of their own that hold one, and “seen”."""

from __future__ import annotations

from collections.abc import Sequence

from commonroom.http.request import Request
from commonroom.http.words import _
from commonroom.joins.title_marks import TitleMark
from commonroom.titles.titles import TitleFacts, TitleId
from commonroom.watchlists.service.lists import own_lists_with

MAX_MARKS = 2
"""How many lists are named."""


async def load_marks(
    request: Request, titles: Sequence[TitleFacts]
) -> dict[TitleId, list[TitleMark]]:
    """Marks of these titles: two requests for ten of them; none while acting for a person."""
    if request.caller.acting_as is not None:
        return {}
    lists, seen = await own_lists_with(request.context, [one.id for one in titles])
    marks: dict[TitleId, list[TitleMark]] = {}
    for facts in titles:
        holding = lists[facts.id][:MAX_MARKS]
        some = [TitleMark(_("On %(list)s") % {"list": one.title}, "watchlists") for one in holding]
        marks[facts.id] = (
            [*some, TitleMark(_("Seen"), "check", "watched")] if facts.id in seen else some
        )
    return marks
