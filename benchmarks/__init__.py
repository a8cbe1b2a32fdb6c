"""What Commonroom must reach, measured against the bare tools in one run on one machine."""
