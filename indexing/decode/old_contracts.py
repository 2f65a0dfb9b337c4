"""Contracts older than the standards, by EIP-155 chain id: what their logs mean, the logs do not say."""

from __future__ import annotations

from indexing.decode.moves import CRYPTOKITTIES, ERC721

_ETHEREUM = 1

PUNKS: dict[int, frozenset[str]] = {
    _ETHEREUM: frozenset(
        {
            "0xb47e3cd837ddf8e4c57f05d70ab865de6e193bbb",  # CryptoPunks
            "0x6ba6f2207e343923ba692e5cae646fb0f566db8d",  # CryptoPunks V1, the first contract, with its defect
        }
    )
}
"""Contracts with the events of CryptoPunks."""

OLD_NFTS: dict[int, dict[str, str]] = {
    _ETHEREUM: {
        # No argument of Transfer is indexed.
        "0x06012c8cf97bead5deae237070f9587f8e7a266d": CRYPTOKITTIES,
        "0xf7a6e15dfd5cdd9ef12711bd757a9b6021abf643": ERC721,  # CryptoBots
        "0xda9f43015749056182352e9dc6d3ee0b6293d80a": ERC721,  # EtherLambos
        "0xd2f81cd7a20d60c0d558496c7169a20968389b40": ERC721,  # Etherbots
        "0xe9fe4e530ebae235877289bd978f207ae0c8bb25": ERC721,  # Goo clan coupons
        # The sender and the receiver are indexed, the token is not, as with ERC-20.
        "0x79986af15539de2db9a5086382daeda917a9cf0c": ERC721,  # Cryptovoxels parcels
        "0xf5b0a3efb8e8e4c201e2a935f110eaaf3ffecb8d": ERC721,  # Axie Infinity
        "0x41a322b28d0ff354040e2cbc676f0320d8c8850d": ERC721,  # SuperRare V1
        "0xbace7e22f06554339911a03b8e0ae28203da9598": ERC721,  # CryptoArte
    }
}
"""NFT contracts whose ``Transfer`` does not index the token, each with its standard."""
