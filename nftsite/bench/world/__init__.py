"""The world that is measured: how many of what, and the statements that make it."""
