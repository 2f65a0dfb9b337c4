"""Operators' pages of the tokens app, one file a family."""

from tokens.admin.asks import AskAdmin, EnsNameAdmin, RateAdmin
from tokens.admin.contracts import ContractAdmin, TraitValueAdmin
from tokens.admin.dictionaries import ChainAdmin, CurrencyAdmin, CurrencyTokenAdmin, MarketAdmin
from tokens.admin.metadata import MetadataDocumentAdmin, MetadataFetchAdmin, MetadataRefreshAdmin
from tokens.admin.nfts import NftAdmin, OwnerAdmin, StatedOwnershipAdmin, WideHolderAdmin
from tokens.admin.rarity import ContractRarityAdmin

__all__ = [
    "AskAdmin",
    "ChainAdmin",
    "ContractAdmin",
    "ContractRarityAdmin",
    "CurrencyAdmin",
    "CurrencyTokenAdmin",
    "EnsNameAdmin",
    "MarketAdmin",
    "MetadataDocumentAdmin",
    "MetadataFetchAdmin",
    "MetadataRefreshAdmin",
    "NftAdmin",
    "OwnerAdmin",
    "RateAdmin",
    "StatedOwnershipAdmin",
    "TraitValueAdmin",
    "WideHolderAdmin",
]
