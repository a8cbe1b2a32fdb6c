"""Movie night: a household picks a film everybody will enjoy, and remembers how it went."""
