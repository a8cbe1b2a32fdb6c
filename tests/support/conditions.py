"""Random items and random conditions on them, for hypothesis."""

from __future__ import annotations

from hypothesis import strategies as st

from commonroom.store import Condition
from commonroom.store.conditions import AllOf, AnyOf, Compare, Contains, Has, Not, Stored

NAMES = ("A", "B", "C")
SIGNS = ("=", "<>", "<", "<=", ">", ">=")

# Few values, so that conditions hold about as often as they do not.
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from([0, 1, -1, 2, 10, 1.0, 0.5, -0.5, 1e20, 1e-20, 2**63 - 1]),
    st.sampled_from([2**53 + 1, 2.0**53, 2**62, 2.0**62, 1 - 2**63, 1e19, 1e100, -0.0]),
    st.sampled_from(["", "a", "b", "ab", "A", "é", "\uffff", "\U00010000", "1"]),
    st.sampled_from([b"", b"a", b"b", b"ab", b"\xff", b"\x80"]),
)
entry_names = st.sampled_from(["a", "b", "1"])
values = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(entry_names, inner, max_size=2)
    ),
    max_leaves=4,
)
contents = st.dictionaries(st.sampled_from(NAMES), values, max_size=3)
items = st.one_of(st.none(), contents, contents, contents)

_names = st.sampled_from(NAMES)
simple: st.SearchStrategy[Condition] = st.one_of(
    st.builds(Stored, wanted=st.booleans()),
    st.builds(Has, _names, wanted=st.booleans()),
    st.builds(Compare, _names, st.sampled_from(SIGNS), values),
    st.builds(Compare, _names, st.sampled_from(SIGNS), scalars),
    st.builds(Contains, _names, values),
    st.builds(Contains, _names, scalars),
)


def _joined(parts: st.SearchStrategy[Condition]) -> st.SearchStrategy[Condition]:
    several = st.lists(parts, max_size=3).map(tuple)
    return st.one_of(st.builds(AllOf, several), st.builds(AnyOf, several), st.builds(Not, parts))


conditions: st.SearchStrategy[Condition] = st.recursive(simple, _joined, max_leaves=6)
