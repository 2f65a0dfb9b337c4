"""Nodes of chains by JSON-RPC: calls, batches and logs, with retries and fail-over, told without keys.

Built on the exchange of `core.net.http`; what an answer means for NFTs is not known here.
"""
