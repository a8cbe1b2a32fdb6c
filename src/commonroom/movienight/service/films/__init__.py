"""Films of a household: what it wishes for, what it has watched, and the story of each."""
