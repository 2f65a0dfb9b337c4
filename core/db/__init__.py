"""The database as every room uses it: exact fields, keyset pages, leases, bulk writing, one snapshot a request.

It knows no model; statements about tables of an app belong to that app.
"""
