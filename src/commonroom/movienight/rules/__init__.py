"""Movie night's decisions, without any I/O."""
