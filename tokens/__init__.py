"""Contracts, NFTs, owners, traits, asks and prices; metadata, rarity, and the operation NFTs by Token.

What transfers change is written by `transfers`.
"""
