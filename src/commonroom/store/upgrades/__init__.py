"""Upgrades: a declaration has changed, and what is stored is brought up to it."""
