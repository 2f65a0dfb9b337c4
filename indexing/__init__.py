"""What the service takes from outside by itself: a chain's node, DAS, rates.

`node` → `decode` → `contracts` → `judge` → `write`, driven by `follow`: each folder knows only those before it.
What follows from the facts is written by `transfers.ledger`.
"""
