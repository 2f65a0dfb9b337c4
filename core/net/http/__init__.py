"""Strangers' URLs: read, guarded, sent to gateways, and fetched by one bounded GET.

Nothing here knows JSON-RPC; what the bytes mean is for who asked for them.
"""
