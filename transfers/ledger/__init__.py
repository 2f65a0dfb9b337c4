"""The one gate for facts, and all that follows from transfers: owners, markets, active asks, values.

What a log or a market's event means is decided before (`indexing`).
"""
