"""The built-in catalogue: a few hundred well-known films, there without key or network."""
