"""Writes what is stated of contracts, NFTs, owners, traits and asks; each file a family of tables.

What follows from transfers is the ledger's (`transfers.ledger`).
"""
