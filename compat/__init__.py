"""The shape of Alchemy's NFT API v3 over what this service knows, for clients that exist (docs/compat.md).

Nothing is kept here: parameters come in as theirs, the engines and records of the apps answer, and what goes out has
their names, types and nesting. What only they know is null.
"""
