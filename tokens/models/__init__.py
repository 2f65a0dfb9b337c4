"""Models of the tokens app, one file a family."""

from tokens.models.ask import Ask
from tokens.models.chain import Chain, Currency, CurrencyToken, Market, Rate
from tokens.models.contract import Contract
from tokens.models.ens import EnsName
from tokens.models.market import NftMarket
from tokens.models.metadata import MetadataDocument, MetadataFetch, MetadataRefresh
from tokens.models.nft import Nft, NftRecent, StatedOwnership
from tokens.models.owner import Owner, WideHolder
from tokens.models.rarity import ContractRarity
from tokens.models.rendering import NftRendering
from tokens.models.trait import NftTrait, NftTraitRecent, TraitValue

__all__ = [
    "Ask",
    "Chain",
    "Contract",
    "ContractRarity",
    "Currency",
    "CurrencyToken",
    "EnsName",
    "Market",
    "MetadataDocument",
    "MetadataFetch",
    "MetadataRefresh",
    "Nft",
    "NftMarket",
    "NftRecent",
    "NftRendering",
    "NftTrait",
    "NftTraitRecent",
    "Owner",
    "Rate",
    "StatedOwnership",
    "TraitValue",
    "WideHolder",
]
