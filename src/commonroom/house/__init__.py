"""The house: all rooms behind one front door, put together here and nowhere else."""
