"""Rarity by OpenRarity, computed for a contract at a time."""
