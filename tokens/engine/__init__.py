"""The query engine: posting lists in the order of the sort key, joined and walked a page at a time.

It takes a resolved selection and returns keys; rows are read in `tokens.records`.
"""
