"""Pages for people beside the two operations: collections, an NFT, a transfer. They need no scripts, and every state of
them is an address.

A page reads a bounded number of rows whatever is stored; what needs more is counted by `transfers.figures`.
"""
