"""Each thing that can drift, broken by hand: by noun, as the checks are."""

from tests.hangouts.checks.faults import agendas, answers, groups, hangouts, plans, series
from tests.hangouts.checks.faults.declared import BREAKS, Break

__all__ = ["BREAKS", "Break", "agendas", "answers", "groups", "hangouts", "plans", "series"]
