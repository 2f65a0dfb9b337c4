"""The parameters of Transfers by Token (specification, Endpoints)."""

from __future__ import annotations

from core.rest.filters import QueryFilter
from tokens.query.address_fields import ContractField, OwnerField
from tokens.query.fields import TokenIdField
from tokens.query.filters import OperationFilterSet
from tokens.query.selection import Query


class TransferFilterSet(OperationFilterSet):
    """Transfers by Token: the contract is required, and the token id is one, not a list."""

    contractAddress = QueryFilter(
        ContractField,
        Query.for_contract,
        required=True,
        prose="The contract: an EVM address in any letter case, an ENS name (name.eth), which stands for its "
        "address on every EVM chain, or on a mint-identified chain the collection or the mint itself (32 to 44 letters "
        "and digits, case sensitive). One that is not known, and a name that resolves to nothing, has no transfers.",
    )
    tokenId = QueryFilter(TokenIdField, Query.with_token_id)
    ownerAddress = QueryFilter(
        OwnerField,
        Query.owned_by,
        prose="Only transfers of NFTs that this address holds now, whoever they went to: an EVM address in any letter "
        "case, an address on a mint-identified chain (32 to 44 letters and digits, case sensitive), or an ENS name "
        "(name.eth), which stands for its address on every EVM chain. One that holds none, and a name that resolves "
        "to nothing, has no item. An addition to the specification.",
    )
