"""What each method takes, and what was asked: filter sets that fold a query string into one :class:`Asked`.

Names that a method does not have are ignored, as theirs are: clients send some to every method.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

from django.utils.datastructures import MultiValueDict
from rest_framework.exceptions import ErrorDetail, ValidationError

from compat import fields as of
from core.db.keys import MAX_BLOCK
from core.rest.cursors import Cursor
from core.rest.fields import FlagField
from core.rest.filters import QueryFilter
from tokens.query.filters import NamingFilterSet
from tokens.query.names import Names

_LIST = re.compile(r"\[[0-9]{0,3}\]$")
"""What clients put behind the name of a list: `contractAddresses[]`, `contractAddresses[0]`."""
_OF_A_PAGE = ("page_key", "limit")
"""What may change between pages of one walk."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a query asks, by any method. Addresses are in lower case, token ids are sort keys; ``None``: not given."""

    contract: str | None = None
    token: str | None = None
    start_token: str | None = None
    owner: str | None = None
    contracts: frozenset[str] | None = None
    without_spam: bool = False
    only_spam: bool = False
    by_time: bool = False
    page_key: Cursor | None = None
    limit: int | None = None
    with_metadata: bool = True
    with_balances: bool = False
    with_count: bool = False
    from_block: int = 0
    to_block: int = MAX_BLOCK
    order: str = "asc"
    marketplace: str | None = None
    buyer: str | None = None
    seller: str | None = None
    taker: str | None = None

    def fingerprint(self) -> str:
        """Return what is equal for queries that differ in nothing but the page."""
        values = [getattr(self, one.name) for one in fields(self) if one.name not in _OF_A_PAGE]
        text = json.dumps(values, ensure_ascii=True, separators=(",", ":"), default=sorted)
        return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def _into(name: str) -> Callable[[Asked, Any], Asked]:
    """Return the verb that puts a value into what is asked."""
    return lambda asked, value: replace(asked, **{name: value})


def _nothing(asked: Asked, value: Any) -> Asked:
    return asked


class MethodFilterSet(NamingFilterSet):
    """Base of the methods' filter sets."""

    def __init__(self, data: Any = None, queryset: Any = None, **kwargs: Any) -> None:
        super().__init__(data, queryset, **kwargs)
        known: MultiValueDict[str, str] = MultiValueDict()
        for name, texts in self.parameters.lists():
            plain = _LIST.sub("", name)
            known.setlist(plain, known.getlist(plain) + texts)
        declared = [name for name in known if name in self.base_filters]
        self.parameters = MultiValueDict({name: known.getlist(name) for name in declared})
        self.data = self.parameters

        owners = [text for text in self.parameters.getlist("owner") if text.strip()]
        self._names = Names(MultiValueDict({"ownerAddress": owners}))

    @property
    def qs(self) -> Any:
        """What is asked (:class:`Asked`). Raises ``ValidationError`` with every fault."""
        asked: Asked = super().qs
        faults = self.faults_together(asked)
        if faults:
            raise ValidationError(
                {name: [ErrorDetail(text, code="invalid")] for name, text in faults.items()}
            )
        return asked

    def faults_together(self, asked: Asked) -> dict[str, str]:
        """Return what is wrong with parameters that are good one by one, by name."""
        return {}


def _ignored(field: type[Any]) -> QueryFilter:
    """Return a parameter that is read for its faults alone."""
    return QueryFilter(field, _nothing)


_CONTRACT = {"prose": "The contract's address, in any letter case.", "example": of.AddressField.example}


class ContractParameters(MethodFilterSet):
    """One contract."""

    contractAddress = QueryFilter(of.AddressField, _into("contract"), required=True, **_CONTRACT)


class FloorParameters(ContractParameters):
    """One contract, which theirs may name by OpenSea's slug too."""

    collectionSlug = QueryFilter(of.RefusedField, _nothing)


class TokenParameters(ContractParameters):
    """One token."""

    tokenId = QueryFilter(of.TokenIdField, _into("token"), required=True)


class MetadataParameters(TokenParameters):
    """One token, and how theirs would look for its metadata."""

    tokenType = _ignored(of.TokenTypeField)
    tokenUriTimeoutInMs = _ignored(of.PatienceField)
    refreshCache = QueryFilter(
        FlagField, _nothing, prose="Taken and without effect: workers read metadata again, no request does."
    )


class NftsForContractParameters(ContractParameters):
    """The NFTs of a contract."""

    withMetadata = QueryFilter(
        of.SwitchField, _into("with_metadata"), prose="false: token ids alone. true when not given."
    )
    startToken = QueryFilter(
        of.TokenIdField,
        _into("start_token"),
        prose="The token id to start with, decimal or hexadecimal, whether or not there is such a token.",
    )
    pageKey = QueryFilter(
        of.TokenIdField,
        _into("start_token"),
        prose="The pageKey of the page before: the next token's id. It goes before startToken.",
    )
    limit = QueryFilter(of.HundredField, _into("limit"))
    tokenUriTimeoutInMs = _ignored(of.PatienceField)


class OwnersForNftParameters(TokenParameters):
    """The owners of one token."""

    pageKey = QueryFilter(of.PageKeyField, _into("page_key"))
    pageSize = QueryFilter(
        of.ThousandField, _into("limit"), prose="Owners a page, from 1 to 1000; 1000 when not given."
    )


class OwnersForContractParameters(ContractParameters):
    """The owners of a contract."""

    withTokenBalances = QueryFilter(
        FlagField, _into("with_balances"), prose="Tells what each owner holds too. false when not given."
    )
    includeCount = QueryFilter(
        FlagField,
        _into("with_count"),
        prose="Adds totalCount, where all owners are on one page; else it is null.",
    )
    block = _ignored(of.RefusedField)
    pageKey = QueryFilter(of.PageKeyField, _into("page_key"))


class OwnerParameters(MethodFilterSet):
    """One owner."""

    owner = QueryFilter(of.OwnerField, _into("owner"), required=True)
    excludeFilters = QueryFilter(
        of.FiltersField, _into("without_spam"), prose="SPAM: drops NFTs that the operator marked."
    )
    includeFilters = QueryFilter(
        of.FiltersField, _into("only_spam"), prose="SPAM: only NFTs that the operator marked."
    )
    orderBy = QueryFilter(of.OrderByField, _into("by_time"))
    pageKey = QueryFilter(of.PageKeyField, _into("page_key"))
    pageSize = QueryFilter(of.HundredField, _into("limit"))
    withMetadata = QueryFilter(
        of.SwitchField, _into("with_metadata"), prose="false: without metadata. true when not given."
    )
    spamConfidenceLevel = _ignored(of.ConfidenceField)

    def faults_together(self, asked: Asked) -> dict[str, str]:
        """Refuse both filters at once, as theirs does."""
        if asked.without_spam and asked.only_spam:
            return {"includeFilters": "May not be used together with excludeFilters."}
        return {}


class NftsForOwnerParameters(OwnerParameters):
    """The NFTs of an owner."""

    contractAddresses = QueryFilter(of.AddressesField, _into("contracts"))
    tokenUriTimeoutInMs = _ignored(of.PatienceField)


class SalesParameters(MethodFilterSet):
    """Sales."""

    fromBlock = QueryFilter(
        of.BlockField,
        _into("from_block"),
        prose="The first block, decimal, hexadecimal or latest; 0 when not given.",
    )
    toBlock = QueryFilter(
        of.BlockField,
        _into("to_block"),
        prose="The last block, decimal, hexadecimal or latest; latest when not given.",
        example="latest",
    )
    order = QueryFilter(of.OrderField, _into("order"))
    marketplace = QueryFilter(of.MarketplaceField, _into("marketplace"))
    contractAddress = QueryFilter(of.AddressField, _into("contract"), **_CONTRACT)
    tokenId = QueryFilter(
        of.TokenIdField, _into("token"), prose="A token of the contract, which has to be named too."
    )
    buyerAddress = QueryFilter(of.AddressField, _into("buyer"), prose="Only what this address bought.")
    sellerAddress = QueryFilter(of.AddressField, _into("seller"), prose="Only what this address sold.")
    taker = QueryFilter(of.TakerField, _into("taker"))
    limit = QueryFilter(of.ThousandField, _into("limit"))
    pageKey = QueryFilter(of.PageKeyField, _into("page_key"))

    def faults_together(self, asked: Asked) -> dict[str, str]:
        """Refuse a token id without its contract."""
        if asked.token is not None and asked.contract is None:
            return {"contractAddress": "A tokenId is one of a contract: give contractAddress too."}
        return {}
