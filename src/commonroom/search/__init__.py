"""Search: what people can find, as documents in an index; one interface, two engines, any room."""
