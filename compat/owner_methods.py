"""The methods of who owns what."""

from __future__ import annotations

from compat import holdings, owners, serializers, shapes
from compat.contracts import contract_row, contracts_by_id
from compat.filters import (
    Asked,
    NftsForOwnerParameters,
    OwnerParameters,
    OwnersForContractParameters,
    OwnersForNftParameters,
)
from compat.nfts import bare_record, moment, nft_records
from compat.views import Answer, Method, TokenMethod
from core.db.keys import token_id_from_key
from core.rest.facts import Cost
from core.rest.records import Record
from tokens.models import Nft


class OwnersForNft(TokenMethod):
    """The owners of one NFT."""

    method = "getOwnersForNFT"
    filterset_class = OwnersForNftParameters
    serializer_class = shapes.OwnersSerializer

    def answer(self, asked: Asked) -> Answer:
        """Answer a query; a token that is not known has no owner."""
        nft_id = self.nft_id(asked, contract_row(self.chain, asked.contract or ""))
        found, key = ([], None) if nft_id is None else owners.owners_of_nft(nft_id, asked, self.chain)
        return Answer({"owners": found, "pageKey": key}, asked.contract)


class OwnersForContract(Method):
    """The owners of a contract, 200 a page, with what they hold of it where that is asked for."""

    method = "getOwnersForContract"
    cost = Cost.MODERATE
    filterset_class = OwnersForContractParameters
    serializer_class = serializers.ContractOwnersSerializer

    def answer(self, asked: Asked) -> Answer:
        """Answer a query; a contract that is not known has no owner."""
        row = contract_row(self.chain, asked.contract or "")
        page = owners.owners_of_contract(row.id, asked, self.chain) if row else owners.OwnersPage([], 0, None)
        body: Record = {"owners": page.owners, "pageKey": page.page_key}
        return Answer(body | ({"totalCount": page.total} if asked.with_count else {}), asked.contract)


class NftsForOwner(Method):
    """The NFTs that an address holds now, by contract and token id, or the newest first."""

    method = "getNFTsForOwner"
    cost = Cost.MODERATE
    filterset_class = NftsForOwnerParameters
    serializer_class = serializers.OwnedNftsSerializer

    def answer(self, asked: Asked) -> Answer:
        page = holdings.nfts_of(asked, self.chain)
        held = {one.nft_id: one for one in page.items}
        if asked.with_metadata:
            found = nft_records(list(held), self.chain, self.links, self.now)
            records, first_end = found.records, found.first_end
            added = [_held(one, asked.by_time) for one in held.values()]
        else:
            rows = contracts_by_id(one.contract_id for one in page.items)
            records = [bare_record(rows[one.contract_id].address, one.token_key) for one in page.items]
            added, first_end = [{"balance": str(one.held.amount)} for one in page.items], None
        body = {
            "ownedNfts": [one | own for one, own in zip(records, added, strict=True)],
            "totalCount": page.total,
            "validAt": None,
            "pageKey": page.page_key,
        }
        return Answer(body, first_end=first_end)


def _held(token: holdings.Token, is_told: bool) -> Record:
    """Return what is told of an owner's NFT besides; since when it is his only where theirs tell it."""
    at = (moment(token.held.since or None), token.held.since_block) if is_told else (None, None)
    return {
        "balance": str(token.held.amount),
        "acquiredAt": dict(zip(("blockTimestamp", "blockNumber"), at, strict=True)),
    }


class ContractsForOwner(Method):
    """The contracts of which an address holds NFTs now."""

    method = "getContractsForOwner"
    filterset_class = OwnerParameters
    serializer_class = serializers.OwnedContractsSerializer

    def answer(self, asked: Asked) -> Answer:
        page, total, key = holdings.contracts_of(asked, self.chain)
        if asked.with_metadata:
            shown = nft_records([one.nft_id for one in page], self.chain, self.links, self.now)
            contracts = [_owned(one, nft) for one, nft in zip(page, shown.records, strict=True)]
            first_end = shown.first_end
        else:
            keys = dict(
                Nft.objects.filter(pk__in=[one.nft_id for one in page]).values_list("id", "token_key")
            )
            contracts, first_end = [_owned_bare(one, keys[one.nft_id]) for one in page], None
        return Answer({"contracts": contracts, "totalCount": total, "pageKey": key}, first_end=first_end)


def _owned(held: holdings.HeldContract, nft: Record) -> Record:
    own = {name: value for name, value in nft["contract"].items() if name != "spamClassifications"}
    return own | {
        "totalBalance": None if held.units is None else str(held.units),
        "numDistinctTokensOwned": str(held.nfts),
        "isSpam": bool(held.contract.marked),
        "displayNft": {"tokenId": nft["tokenId"], "name": nft["name"]},
        "image": nft["image"],
    }


def _owned_bare(held: holdings.HeldContract, token_key: str) -> Record:
    """Return what theirs tell without metadata: in lower case, numbers, and a token id of 32 bytes."""
    return {
        "address": held.contract.address,
        "totalBalance": held.units,
        "numDistinctTokensOwned": held.nfts,
        "isSpam": bool(held.contract.marked),
        "tokenId": f"0x{int(token_id_from_key(token_key)):064x}",
    }
