"""Adoption: tables that another application keeps by the data models are taken over."""
