"""Watchlists in a browser: HTML in, HTML out; every page says who may see it."""
