"""The methods, one class each: their names, what they take, and what they answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from compat import bodies, sales, serializers, shapes, traits
from compat.chains import checksummed
from compat.contracts import (
    LOOKSRARE,
    OPENSEA,
    ContractRow,
    contract_record,
    contract_row,
    contract_rows,
    floors,
)
from compat.filters import (
    Asked,
    ContractParameters,
    FloorParameters,
    MetadataParameters,
    NftsForContractParameters,
    SalesParameters,
    TokenParameters,
)
from compat.nfts import bare_record, instant, nft_records, unknown_nft
from compat.owner_methods import ContractsForOwner, NftsForOwner, OwnersForContract, OwnersForNft
from compat.views import Answer, BatchMethod, Method, TokenMethod
from core.db import bulk
from core.db.keys import token_id_from_key
from core.rest.facts import Cost
from core.rest.freshness import Subject, reach_of
from core.rest.records import Record
from tokens.engine.walk import NftWalk
from tokens.models import Nft
from tokens.query.ordering import TOKEN_ID
from tokens.query.selection import ContractRef, Selection

PAGE = 100
Token = tuple[str, str]
"""A contract's address and a token's sort key."""


class ContractMetadata(Method):
    """A contract: its name, symbol, standard, number of known NFTs, and lowest ask on OpenSea."""

    method = "getContractMetadata"
    filterset_class = ContractParameters
    serializer_class = shapes.ContractSerializer

    def answer(self, asked: Asked) -> Answer:
        """Answer a query; of a contract that is not known all but its address is null."""
        address = asked.contract or ""
        row = contract_row(self.chain, address)
        low = floors([row] if row else [], self.chain, self.now)
        return Answer(contract_record(address, row, low.of(row)), address, low.first_end)


class ContractMetadataBatch(BatchMethod):
    """Up to 100 contracts, in the order in which they are asked for."""

    method = "getContractMetadataBatch"
    body_class = bodies.ContractsBody
    serializer_class = shapes.ContractsSerializer

    def answer(self, asked: Mapping[str, Any]) -> Answer:
        addresses = asked["contractAddresses"]
        rows = contract_rows(self.chain, addresses)
        low = floors(rows.values(), self.chain, self.now)
        found = [contract_record(one, rows.get(one), low.of(rows.get(one))) for one in addresses]
        return Answer({"contracts": found}, first_end=low.first_end)


class NftMetadata(TokenMethod):
    """One NFT with its metadata, image and contract."""

    method = "getNFTMetadata"
    filterset_class = MetadataParameters
    serializer_class = shapes.NftSerializer

    def answer(self, asked: Asked) -> Answer:
        """Answer a query; of a token that is not known its error tells so."""
        token = asked.contract or "", asked.token or ""
        found = _nfts(self, [token])
        return Answer(found.records[0], token[0], found.first_end)


class NftMetadataBatch(BatchMethod):
    """Up to 100 NFTs, in the order in which they are asked for."""

    method = "getNFTMetadataBatch"
    body_class = bodies.TokensBody
    serializer_class = shapes.NftsSerializer

    def answer(self, asked: Mapping[str, Any]) -> Answer:
        found = _nfts(self, [(one["contractAddress"], one["tokenId"]) for one in asked["tokens"]])
        return Answer({"nfts": found.records}, first_end=found.first_end)


def _nfts(view: Method, tokens: Sequence[Token]) -> Any:
    """Return the records of tokens of any contracts, in their order."""
    rows = contract_rows(view.chain, (address for address, _ in tokens))
    wanted = {(rows[address].id, key) for address, key in tokens if address in rows}
    stored = bulk.rows_by(
        Nft, ("contract_id", "token_key"), sorted(wanted), ("contract_id", "token_key", "id")
    )
    ids = {(contract_id, key): row_id for contract_id, key, row_id in stored}
    found = nft_records(list(ids.values()), view.chain, view.links, view.now)
    known = dict(zip(ids, found.records, strict=True))
    records = [_known(known, rows.get(address), address, key) for address, key in tokens]
    return found._replace(records=records)


def _known(
    known: Mapping[tuple[int, str], Record], contract: ContractRow | None, address: str, key: str
) -> Record:
    record = None if contract is None else known.get((contract.id, key))
    return record or unknown_nft(address, contract, key)


class NftsForContract(Method):
    """The NFTs of a contract by token id, 100 a page."""

    method = "getNFTsForContract"
    cost = Cost.MODERATE
    filterset_class = NftsForContractParameters
    serializer_class = shapes.NftsOfContractSerializer

    def answer(self, asked: Asked) -> Answer:
        address, size = asked.contract or "", asked.limit or PAGE
        selection = Selection().on_chain(self.chain.slug).for_contract(ContractRef("evm", address))
        start = None if asked.start_token is None else (0, asked.start_token, 0)
        entries = NftWalk(selection, TOKEN_ID, self.now)(start, size + 1)
        more = entries[size:]
        page_key = None if not more else hex(int(token_id_from_key(str(more[0].position[1]))))
        if not asked.with_metadata:
            bare = [bare_record(address, str(entry.position[1])) for entry in entries[:size]]
            return Answer({"nfts": bare, "pageKey": page_key}, address)
        found = nft_records([entry.row_id for entry in entries[:size]], self.chain, self.links, self.now)
        return Answer({"nfts": found.records, "pageKey": page_key}, address, found.first_end)


class FloorPrice(Method):
    """The lowest live asks of a contract on OpenSea and LooksRare, in the chain's currency."""

    method = "getFloorPrice"
    filterset_class = FloorParameters
    serializer_class = serializers.FloorsSerializer

    def answer(self, asked: Asked) -> Answer:
        """Answer a query; a marketplace without such an ask has an error."""
        address = asked.contract or ""
        row = contract_row(self.chain, address)
        low = floors([row] if row else [], self.chain, self.now, (OPENSEA, LOOKSRARE))
        read_at = reach_of(Subject(self.chain.slug, address)).asks_at or self.now
        names = {OPENSEA: "openSea", LOOKSRARE: "looksRare"}
        pages = {
            OPENSEA: f"https://opensea.io/assets/{self.chain.slug}/{checksummed(address)}",
            LOOKSRARE: f"https://looksrare.org/collections/{checksummed(address)}",
        }
        body = {
            name: self._floor(low.of(row, market), pages[market], read_at) for market, name in names.items()
        }
        return Answer(body, address, low.first_end)

    def _floor(self, price: int | float | None, page: str, read_at: int) -> Record:
        if price is None:
            nothing = dict.fromkeys(("floorPrice", "priceCurrency", "collectionUrl", "retrievedAt"))
            return {**nothing, "error": "unable to fetch floor price"}
        return {
            "floorPrice": price,
            "priceCurrency": self.chain.native_currency,
            "collectionUrl": page,
            "retrievedAt": instant(datetime.fromtimestamp(read_at, UTC)),
            "error": None,
        }


class Rarity(TokenMethod):
    """How frequent each trait of an NFT is in its contract."""

    method = "computeRarity"
    filterset_class = TokenParameters
    serializer_class = serializers.RaritiesSerializer

    def answer(self, asked: Asked) -> Answer:
        """Answer a query; a token that is not known has no traits."""
        nft_id = self.nft_id(asked, contract_row(self.chain, asked.contract or ""))
        found = [] if nft_id is None else traits.rarities(nft_id, self.links)
        return Answer({"rarities": found}, asked.contract)


class Attributes(Method):
    """How many NFTs of a contract have each value of each type of trait."""

    method = "summarizeNFTAttributes"
    filterset_class = ContractParameters
    serializer_class = serializers.SummarySerializer

    def answer(self, asked: Asked) -> Answer:
        address = asked.contract or ""
        row = contract_row(self.chain, address)
        body = {
            "summary": traits.summary(row) if row else {},
            "totalSupply": str(row.nft_count) if row else None,
            "contractAddress": checksummed(address),
        }
        return Answer(body, address)


class Sales(Method):
    """Sales in the order of blocks: of a contract, a token, a buyer or a seller, or of the whole chain."""

    method = "getNFTSales"
    cost = Cost.MODERATE
    filterset_class = SalesParameters
    serializer_class = serializers.SalesSerializer

    def answer(self, asked: Asked) -> Answer:
        page = sales.page_of(asked, self.chain)
        found = sales.sale_records(page.ids, self.chain)
        return Answer({"nftSales": found, "validAt": None, "pageKey": page.page_key}, asked.contract)


METHODS: tuple[type[Method], ...] = (
    Sales,
    Rarity,
    Attributes,
    NftsForContract,
    NftMetadata,
    NftMetadataBatch,
    OwnersForNft,
    OwnersForContract,
    NftsForOwner,
    ContractsForOwner,
    ContractMetadata,
    ContractMetadataBatch,
    FloorPrice,
)
