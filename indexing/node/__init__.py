"""A chain's node, asked for logs, transactions and headers, and held to its own word.

What the logs mean is `decode`'s.
"""
