"""The events of NFTX's vaults and zaps, encoded from their published layouts."""

from __future__ import annotations

from collections.abc import Sequence

from indexing.node.logs import RawLog
from tests.ingestion.encoding import log, word, words

NFTX_1 = "0xaf93fcce0548d3124a5fc3045adaf1dde4e8bf7e"
ZAP_2 = "0x0fc584529a2aefa997697fafacba5831fac0c22d"
ZAP_3 = "0x293a0c49c85f1d8851c665ac3ce1f1dc2a79be3d"
VAULT = "0x" + "7a" * 20
WHOLE = 10**18
"""What the vault's token for one NFT comes to."""

_IDS = "uint256[]"


def _lists(*fields: Sequence[int] | str) -> str:
    """Lists of numbers, and addresses, in their order."""
    head, tail = "", ""
    for field in fields:
        if isinstance(field, str):
            head += word(field)
        else:
            head += word(32 * len(fields) + len(tail) // 2)
            tail += words(len(field), *field)
    return head + tail


def minted(
    ids: Sequence[int], to: str, *, index: int, amounts: Sequence[int] = (), vault: str = VAULT
) -> RawLog:
    """`Minted`: NFTs went into a vault."""
    data = _lists(ids, amounts, to)
    return log(f"Minted({_IDS},{_IDS},address)", data=data, contract=vault, index=index)


def redeemed_2(ids: Sequence[int], to: str, *, index: int, vault: str = VAULT) -> RawLog:
    """`Redeemed` of version 2: of those that left the vault, none was chosen."""
    data = _lists(ids, (), to)
    return log(f"Redeemed({_IDS},{_IDS},address)", data=data, contract=vault, index=index)


def redeemed_3(ids: Sequence[int], to: str, *, index: int, vault: str = VAULT) -> RawLog:
    """`Redeemed` of version 3."""
    return log(f"Redeemed({_IDS},address)", data=_lists(ids, to), contract=vault, index=index)


def swapped_2(
    taken: Sequence[int], given: Sequence[int], to: str, *, index: int, vault: str = VAULT
) -> RawLog:
    """`Swapped` of version 2: the ids that went in and came out."""
    data = _lists(taken, [0] * len(taken), given[:1], given, to)
    return log(f"Swapped({_IDS},{_IDS},{_IDS},{_IDS},address)", data=data, contract=vault, index=index)


def swapped_3(
    taken: Sequence[int], given: Sequence[int], to: str, *, index: int, vault: str = VAULT
) -> RawLog:
    """`Swapped` of version 3."""
    data = _lists(taken, (), given, to)
    return log(f"Swapped({_IDS},{_IDS},{_IDS},address)", data=data, contract=vault, index=index)


def deposited_1(ids: Sequence[int], sender: str, *, index: int) -> RawLog:
    """`NFTsDeposited` of version 1, into vault 5."""
    data = words(5, 96, sender, len(ids), *ids)
    return log("NFTsDeposited(uint256,uint256[],address)", data=data, contract=NFTX_1, index=index)


def redeemed_1(ids: Sequence[int], to: str, *, index: int) -> RawLog:
    """`NFTsRedeemed` of version 1, from vault 5."""
    data = words(5, 96, to, len(ids), *ids)
    return log("NFTsRedeemed(uint256,uint256[],address)", data=data, contract=NFTX_1, index=index)


def zapped(name: str, count: int, amount: int, to: str, *, index: int, zap: str = ZAP_2) -> RawLog:
    """`Buy`, `Sell` or `Swap` of a zap: so many NFTs for so much ether."""
    return log(f"{name}(uint256,uint256,address)", data=words(count, amount, to), contract=zap, index=index)
