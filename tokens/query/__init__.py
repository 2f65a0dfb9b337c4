"""The query string of both operations, read into a selection: fields, filters, names, orders.

How a selection is found in the tables is the engine's.
"""
