"""Search: what is public, as documents in an index; one interface, two engines, any room."""
