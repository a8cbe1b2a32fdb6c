"""Pages as handlers take them: opened to whoever asks, by the passes that their browser keeps."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from commonroom.shareables.request import browser_gate
from commonroom.shareables.service.gate import Opened, Page
from commonroom.shareables.tables import Checklist, Event, Poll

ONE = "/s/{short_id:str}"
ADMIN = f"{ONE}/admin"
LEADS_TO = "/s/{short_id}"
"""Where most forms lead: back to the page."""

PageGate: TypeAlias = Annotated[Opened[Page], browser_gate()]
PageAdmin: TypeAlias = Annotated[Opened[Page], browser_gate(want="admin")]
ChecklistGate: TypeAlias = Annotated[Opened[Checklist], browser_gate(Checklist)]
ChecklistAdmin: TypeAlias = Annotated[Opened[Checklist], browser_gate(Checklist, "admin")]
EventGate: TypeAlias = Annotated[Opened[Event], browser_gate(Event)]
PollGate: TypeAlias = Annotated[Opened[Poll], browser_gate(Poll)]
PollAdmin: TypeAlias = Annotated[Opened[Poll], browser_gate(Poll, "admin")]
