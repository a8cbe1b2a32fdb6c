"""Films from TMDB, with the cache before it and the built-in catalogue behind it."""
