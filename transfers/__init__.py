"""Transfers and all that follows from them (the ledger), and the operation Transfers by Token.

Where transfers come from is not known here: `indexing` and `interchange` bring them.
"""
