"""A query string in, a page, errors and headers out: what both operations have in common.

It knows no parameter and no field of theirs.
"""
