"""Rates of currencies, from Chainlink, a price API or files."""
