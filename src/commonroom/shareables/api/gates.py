"""Pages as operations take them: opened to whoever asks, and which answer on them is theirs."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from commonroom.errors import BadRequest
from commonroom.shareables.request import CODE, api_gate
from commonroom.shareables.service.answers import Code, account_receipt
from commonroom.shareables.service.gate import Opened, Page
from commonroom.shareables.service.passes import LONGEST
from commonroom.shareables.tables import Checklist, Event, Poll

ONE = "/shareables/{short_id:str}"

PageGate: TypeAlias = Annotated[Opened[Page], api_gate()]
PageAdmin: TypeAlias = Annotated[Opened[Page], api_gate(want="admin")]
ChecklistGate: TypeAlias = Annotated[Opened[Checklist], api_gate(Checklist)]
ChecklistAdmin: TypeAlias = Annotated[Opened[Checklist], api_gate(Checklist, "admin")]
EventGate: TypeAlias = Annotated[Opened[Event], api_gate(Event)]
EventAdmin: TypeAlias = Annotated[Opened[Event], api_gate(Event, "admin")]
PollGate: TypeAlias = Annotated[Opened[Poll], api_gate(Poll)]
PollAdmin: TypeAlias = Annotated[Opened[Poll], api_gate(Poll, "admin")]

HeldCode: TypeAlias = Annotated[str | None, CODE]


def code_of(gate: Opened[Any], held: str | None) -> Code:
    """Which answer is theirs: a code's, or their account's; refused where nobody could say."""
    code = maybe_code(gate, held) or account_receipt(gate)
    if code is None:
        raise BadRequest("Send the code you were given with your answer.", field=CODE.name)
    return code


def maybe_code(gate: Opened[Any], held: str | None) -> Code | None:
    """Which answer is theirs, if they show a code."""
    if held is not None and len(held) > LONGEST:
        raise BadRequest("This value is too long.", field=CODE.name)
    return None if not held else gate.passes.open_receipt(held) or held
