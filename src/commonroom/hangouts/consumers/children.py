"""After a hangout, a group or a part of them is gone: what belonged to it goes, too."""

from __future__ import annotations

from commonroom.hangouts.relations import RELATIONS
from commonroom.store.streams.children import children_consumer

CHILDREN = children_consumer("hangouts-children", RELATIONS)
