"""Titles for everybody: one page for every film and show, and the same for programs."""
