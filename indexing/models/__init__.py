"""What indexing keeps: how far it has come with chains and order books, evidence, doubts, and what is unexplained."""

from indexing.models.books import BookPage, BookSource, BookWalk
from indexing.models.evidence import DoubtfulContract, Evidence, UndecodedLog
from indexing.models.markets import MarketFault, PunkBid
from indexing.models.progress import Block, IndexedChain, IndexedContract

__all__ = [
    "Block",
    "BookPage",
    "BookSource",
    "BookWalk",
    "DoubtfulContract",
    "Evidence",
    "IndexedChain",
    "IndexedContract",
    "MarketFault",
    "PunkBid",
    "UndecodedLog",
]
