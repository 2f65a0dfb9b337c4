"""The parameters of Transfers by Token (specification, Endpoints)."""

from __future__ import annotations

from core.rest.filters import QueryFilter
from tokens.query import parameter_schemas as schemas
from tokens.query.fields import ContractField, TokenIdField
from tokens.query.filters import OperationFilterSet
from tokens.query.selection import Selection


def _with_token_id(selection: Selection, key: str) -> Selection:
    return selection.with_token_ids(frozenset({key}))


class TransferFilterSet(OperationFilterSet):
    """Transfers by Token: the contract is required, and the token id is one, not a list."""

    contractAddress = QueryFilter[Selection](
        ContractField,
        Selection.for_contract,
        required=True,
        schema=schemas.CONTRACT,
        example="0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb",
        help_text="The contract: an EVM address in any letter case, an ENS name (name.eth), which stands for its "
        "address on every EVM chain, or on a mint-identified chain the collection or the mint itself (32 to 44 letters "
        "and digits, case sensitive). One that is not known, and a name that resolves to nothing, has no transfers.",
    )
    tokenId = QueryFilter[Selection](
        TokenIdField,
        _with_token_id,
        schema=schemas.TOKEN,
        example="635",
        help_text="One token id: a decimal or 0x hexadecimal integer below 2^256, or a base58 mint.",
    )
