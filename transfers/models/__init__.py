"""Transfers, and what indexing a chain keeps."""

from transfers.models.indexing import Block, Evidence, IndexedChain, IndexedContract, Opening, UndecodedLog
from transfers.models.transfer import Transfer

__all__ = ["Block", "Evidence", "IndexedChain", "IndexedContract", "Opening", "Transfer", "UndecodedLog"]
