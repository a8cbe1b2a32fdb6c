"""Watchlists: curated lists of films and shows, to discover, follow, rate and discuss."""
