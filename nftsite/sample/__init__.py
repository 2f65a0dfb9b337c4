"""The sample that a new service starts with."""
