"""From logs to what they say about NFTs: moves, metadata to read again, bids. Pure.

It asks nobody: what only a contract can say is `contracts`'.
"""
