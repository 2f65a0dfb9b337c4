"""What indexing keeps of chains: how far it has come, evidence, doubts, and what markets' events left unexplained."""

from indexing.models.evidence import DoubtfulContract, Evidence, UndecodedLog
from indexing.models.markets import MarketFault, PunkBid
from indexing.models.progress import Block, IndexedChain, IndexedContract

__all__ = [
    "Block",
    "DoubtfulContract",
    "Evidence",
    "IndexedChain",
    "IndexedContract",
    "MarketFault",
    "PunkBid",
    "UndecodedLog",
]
