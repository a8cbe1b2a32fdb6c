"""Imports of files: read, previewed, worked through in bounded steps, and undone as a whole.

What every room that imports files shares. A room gives its formats, and what becomes of a row.
"""
