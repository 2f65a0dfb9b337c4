"""What is counted of collections for people: owners, sales over time, distribution of rarity.

Counted from the rows themselves, a contract at a time, by `count_collections` and at the end of `load`; nothing else
writes it, and what writes transfers knows nothing of it.
"""
