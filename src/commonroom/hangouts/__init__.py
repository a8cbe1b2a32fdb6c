"""Hangouts: groups of friends turn an idea into a plan."""
