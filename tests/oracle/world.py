"""The facts that interchange lines state, after all of them: who wins, what is cleared, what is created.

One call of `World.load` is one file. Of the same identity the later line wins for the keys it holds, `null` clears.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from tests.oracle.text import ZERO, plain_address, plain_token_id

Line = dict[str, Any]
NftKey = tuple[str, str | None, str]  # chain, contract (None on a mint-identified chain), token id
TransferKey = tuple[str, str, int, int]  # chain, transaction hash, log index, batch index
Position = tuple[int, int, int, int]  # timestamp, block, log index, batch index: exact order of transfers

KINDS = {"ethereum": "evm", "polygon": "evm", "base": "evm", "zora": "evm", "solana": "mint"}
NATIVE = {"ethereum": "ETH", "polygon": "POL", "base": "ETH", "zora": "ETH", "solana": "SOL"}
SETTLED = ("filled", "cancelled")


class World:
    """Folded lines. Every mapping holds plain dicts of camelCase fields, identity included."""

    def __init__(self) -> None:
        self.kinds = dict(KINDS)
        self.native = dict(NATIVE)
        self.contracts: dict[tuple[str, str], Line] = {}
        self.nfts: dict[NftKey, Line] = {}
        self.transfers: dict[TransferKey, Line] = {}
        self.asks: dict[tuple[str, str, str], Line] = {}
        self.rates: dict[tuple[str, int], Decimal] = {}
        self.ens: dict[str, str] = {}
        self.as_of: dict[NftKey, tuple[str, int] | Position | None] = {}

    def load(self, lines: Iterable[Line]) -> None:
        """Take one file. What needs the whole file (joining a last transfer, the default of `asOf`) comes last."""
        lines = list(lines)
        for line in lines:
            if line["record"] == "chain":
                self.kinds[line["chain"]] = line["kind"]
                self.native[line["chain"]] = line.get("nativeCurrency") or ""
        restated: set[NftKey] = set()
        embedded: list[tuple[NftKey, Line]] = []
        for line in lines:
            if line["record"] == "nft":
                key = self._take_nft(line)
                if "owner" in line or "owners" in line:
                    restated.add(key)
                if line.get("lastTransfer"):
                    self._take_last_transfer(key, line["lastTransfer"], embedded)
            elif line["record"] != "chain":
                getattr(self, "_take_" + line["record"])(line)
        for key, last in embedded:
            self._join(key, last)
        for key in restated:
            self._set_as_of(key)

    # one record each

    def _take_contract(self, line: Line) -> None:
        fold(self._contract(line["chain"], plain_address(line["contractAddress"])), line)

    def _take_nft(self, line: Line) -> NftKey:
        key = self._nft(line)
        fold(self.nfts[key], line, leave=("record", "chain", "contractAddress", "tokenId", "lastTransfer"))
        return key

    def _take_transfer(self, line: Line) -> None:
        key = (
            line["chain"],
            plain_address(line["transactionHash"]),
            int(line["logIndex"]),
            int(line.get("batchIndex") or 0),
        )
        fields = self.transfers.setdefault(key, {})
        fold(fields, line)
        fields["transactionHash"], fields["logIndex"], fields["batchIndex"] = key[1:]
        fields["nft"] = self._nft(fields)

    def _take_last_transfer(self, nft: NftKey, last: Line, waiting: list[tuple[NftKey, Line]]) -> None:
        """An NFT's `lastTransfer` is a transfer line; without a log index it waits for the rest of the file."""
        line = {"chain": nft[0], "contractAddress": nft[1], "tokenId": nft[2], **last}
        if "logIndex" in line:
            self._take_transfer(line)
        else:
            waiting.append((nft, line))

    def _join(self, nft: NftKey, line: Line) -> None:
        """Join the transfer of the same transaction and NFT, else be log 0."""
        same = [
            key
            for key, fields in self.transfers.items()
            if key[:2] == (nft[0], plain_address(line["transactionHash"])) and fields["nft"] == nft
        ]
        log, batch = same[0][2:] if same else (0, 0)
        self._take_transfer({**line, "logIndex": log, "batchIndex": batch})

    def _take_ask(self, line: Line) -> None:
        key = (line["chain"], line["marketplace"].lower(), plain_address(line["orderHash"]))
        fields = self.asks.setdefault(key, {})
        settled = fields.get("status") if fields.get("status") in SETTLED else None
        fold(fields, line)
        if settled and fields.get("status") not in SETTLED:
            fields["status"] = settled
        fields["marketplace"] = key[1]
        fields["nft"] = self._nft(fields)

    def _take_rate(self, line: Line) -> None:
        self.rates[currency(line["currency"]), int(line["timestamp"])] = Decimal(line["usd"])

    def _take_ens(self, line: Line) -> None:
        self.ens[line["name"].lower()] = plain_address(line["address"] or "")

    # what lines name

    def _contract(self, chain: str, address: str) -> Line:
        return self.contracts.setdefault((chain, address), {})

    def _nft(self, line: Line) -> NftKey:
        """The NFT that a line names, created with its contract when unknown."""
        chain, given = line["chain"], line.get("contractAddress")
        address = plain_address(given) if given else None
        if address:
            self._contract(chain, address)
        mint = self.kinds[chain] == "mint"
        key = (chain, None if mint else address, plain_token_id(line["tokenId"]))
        fields = self.nfts.setdefault(key, {"collection": None})
        if address:
            fields["collection"] = address
        return key

    def _set_as_of(self, key: NftKey) -> None:
        """Where the stated owners of an NFT stand: at a block, at a time, or at its newest transfer just now."""
        fields = self.nfts[key]
        if fields.get("asOfBlock") is not None:
            self.as_of[key] = ("block", int(fields["asOfBlock"]))
        elif fields.get("asOf") is not None:
            self.as_of[key] = ("time", int(fields["asOf"]))
        else:
            self.as_of[key] = max(
                (position(t) for t in self.transfers.values() if t["nft"] == key), default=None
            )


def fold(fields: Line, line: Line, leave: tuple[str, ...] = ("record",)) -> None:
    """The later line wins for the keys it holds; a null clears."""
    for name, value in line.items():
        if name in leave:
            continue
        if value is None:
            fields.pop(name, None)
        else:
            fields[name] = value


def position(transfer: Line) -> Position:
    """Place of a transfer in time, exact."""
    return transfer["timestamp"], transfer["blockNumber"], transfer["logIndex"], transfer["batchIndex"]


def currency(symbol: str) -> str:
    """Canonical symbol: upper case, MATIC is POL."""
    return {"MATIC": "POL"}.get(symbol.upper(), symbol.upper())


def nobody(kind: str) -> str:
    """The address that stands for no owner."""
    return ZERO if kind == "evm" else "1" * 32
